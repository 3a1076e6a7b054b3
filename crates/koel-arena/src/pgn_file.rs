//! A file of games that may hold games of others.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use koel_files::ANY_SIZE;

use crate::error::{JournalError, file_error};
use crate::record::{GameId, PgnPlace};

/// A file of games, to which further games are added.
pub struct PgnFile {
    path: PathBuf,
    file: File,
    length: u64,
    /// True if the match has created the file.
    is_own: bool,
}

impl PgnFile {
    /// Opens a file of games, or creates an empty one, and locks it.
    ///
    /// # Errors
    /// If it is no regular file, holds something else than games, is locked by another match or
    /// cannot be opened.
    pub fn open(path: &Path) -> Result<PgnFile, JournalError> {
        let error = |source| file_error(path, source);
        let is_own = fs::metadata(path).is_err();
        // Before it is opened for writing, which would wait for the reader of a pipe.
        if !is_own {
            koel_files::open(path, ANY_SIZE).map_err(error)?;
        }
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).read(true).write(true).open(path);
        let file = file.map_err(error)?;
        // Two runners would overwrite each other. Some file systems do not support locks.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(JournalError::InUse(path.to_owned()));
        }
        let length = file.metadata().map_err(error)?.len();
        let pgn = PgnFile { path: path.to_owned(), file, length, is_own };
        if pgn.holds_games()? { Ok(pgn) } else { Err(JournalError::NoPgn(path.to_owned())) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Adds games behind the last one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, games: &str) -> Result<(), JournalError> {
        let text = self.separated(games)?;
        self.append(text.as_bytes())
    }

    pub(crate) fn read(&self, start: u64, bytes: u64) -> Result<Vec<u8>, JournalError> {
        let mut file = &self.file;
        let mut found = Vec::new();
        let read = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.take(bytes).read_to_end(&mut found));
        read.map_err(|source| file_error(&self.path, source))?;
        Ok(found)
    }

    /// Returns true if the file is empty or begins with a tag, as games do.
    fn holds_games(&self) -> Result<bool, JournalError> {
        let head = self.read(0, 1 << 12)?;
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
        Ok(head.is_empty() || head.starts_with(b"["))
    }

    pub(crate) fn holds(&self, place: &PgnPlace) -> Result<bool, JournalError> {
        let text = self.read(place.start, place.bytes)?;
        Ok(PgnPlace::new(place.start, &text) == *place)
    }

    /// Returns the text of a game with what separates it from a last line that has no end.
    pub(crate) fn separated(&self, text: &str) -> Result<String, JournalError> {
        let end = self.read(self.length.saturating_sub(2), 2)?;
        Ok(match &end[..] {
            b"" | b"\n\n" => text.to_owned(),
            [.., b'\n'] => format!("\n{text}"),
            _ => format!("\n\n{text}"),
        })
    }

    pub(crate) fn append(&mut self, text: &[u8]) -> Result<(), JournalError> {
        let mut file = &self.file;
        let written = file.seek(SeekFrom::Start(self.length)).and_then(|_| file.write_all(text));
        written.map_err(|source| file_error(&self.path, source))?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Cuts these games off as long as the file ends with the last of them, and leaves the others
    /// in the list.
    pub(crate) fn cut_own(
        &mut self,
        written: &mut Vec<(GameId, PgnPlace)>,
    ) -> Result<(), JournalError> {
        while let Some((_, last)) = written.last() {
            if last.end() != self.length || !self.holds(last)? {
                break;
            }
            self.length = last.start;
            self.is_own |= last.start == 0;
            written.pop();
        }
        let cut = self.file.set_len(self.length);
        cut.map_err(|source| file_error(&self.path, source))
    }
}

/// A file of the match's own is not left behind without a game.
impl Drop for PgnFile {
    fn drop(&mut self) {
        if self.is_own && self.length == 0 {
            let _ = fs::remove_file(&self.path);
        }
    }
}
