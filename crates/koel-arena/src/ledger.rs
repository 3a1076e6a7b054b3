//! The files of a match: its state as JSON, and its games as PGN.
//!
//! A game is appended to the PGN first, then to the state, over the braces that closed it and with
//! new ones, so that a game costs as much after ten thousand others as after none. The state knows
//! how long each game is in the PGN. When a match is resumed, what stands behind its games there,
//! and a last line of the state without its end, were written in the moment of a crash and are cut
//! off. So a killed runner loses the games in progress, and no other, and counts none twice.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::{GameId, GameRecord};

/// What is known of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What must be the same for games to be of the same match.
    pub terms: BTreeMap<String, String>,
    /// The games that are over.
    pub games: BTreeMap<GameId, GameRecord>,
}

impl State {
    /// How many bytes of the PGN belong to these games.
    pub fn pgn_bytes(&self) -> u64 {
        self.games.values().fold(0, |sum, game| sum.saturating_add(game.pgn_bytes))
    }
}

/// The files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The state makes no sense.
    #[error("{path}: {source}", path = .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The state is of a match on other terms.
    #[error("{path} is of another match: {term} was `{was}` and is `{is}`", path = .path.display())]
    OtherTerms {
        /// The file.
        path: PathBuf,
        /// The first term that differs.
        term: String,
        /// What it was.
        was: String,
        /// What it is now.
        is: String,
    },
    /// Another match writes there.
    #[error("{path} is written by another match that is running", path = .path.display())]
    InUse {
        /// The PGN.
        path: PathBuf,
    },
    /// Games that the state knows are not in the PGN.
    #[error("{path} lacks games that the state knows", path = .path.display())]
    ShortPgn {
        /// The PGN.
        path: PathBuf,
    },
}

/// The files of a match, open for more games.
pub struct Ledger {
    state: State,
    path: Option<PathBuf>,
    /// Begun with the first game: a match that plays none leaves the file alone.
    book: Option<Book>,
    pgn: Option<(PathBuf, File)>,
}

impl Ledger {
    /// Opens the files, and goes on where they end. Without a path nothing is written.
    ///
    /// # Errors
    /// When a file cannot be used, or is of another match.
    pub fn open(
        path: Option<&Path>,
        pgn: Option<&Path>,
        terms: BTreeMap<String, String>,
    ) -> Result<Ledger, LedgerError> {
        let fresh = State { terms, ..State::default() };
        let state = match path.map(read_state).transpose()?.flatten() {
            Some(state) => continued(state, &fresh, path)?,
            None => fresh,
        };
        let pgn = pgn.map(|path| open_pgn(path, &state)).transpose()?;
        Ok(Ledger { state, path: path.map(Path::to_owned), book: None, pgn })
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes in a game, and has it in the files before it returns.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(
        &mut self,
        id: GameId,
        mut record: GameRecord,
        pgn: &str,
    ) -> Result<(), LedgerError> {
        if let Some((path, file)) = &mut self.pgn {
            file.write_all(pgn.as_bytes())
                .and_then(|()| file.flush())
                .map_err(|source| file_error(path, source))?;
            record.pgn_bytes = pgn.len() as u64;
        }
        if let (Some(path), None) = (&self.path, &self.book) {
            self.book = Some(Book::begin(path, &self.state)?);
        }
        if let Some(book) = &mut self.book {
            book.add(id, &record, self.state.games.is_empty())?;
        }
        self.state.games.insert(id, record);
        Ok(())
    }
}

/// What closes the state, behind its last game.
const CLOSING: &str = "\n}}\n";

/// The state's file.
struct Book {
    path: PathBuf,
    file: File,
    /// Where the next game goes.
    end: u64,
}

impl Book {
    /// Writes a state anew, beside an old one whose place it takes.
    fn begin(path: &Path, state: &State) -> Result<Book, LedgerError> {
        let error = |source| file_error(path, source);
        let mut text = format!("{{\"terms\":{},\"games\":{{", json(path, &state.terms)?);
        for (index, (&id, record)) in state.games.iter().enumerate() {
            text += &line(path, id, record, index == 0)?;
        }
        let end = text.len() as u64;
        text += CLOSING;
        let mut beside = path.to_owned().into_os_string();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        fs::write(&beside, text).and_then(|()| fs::rename(&beside, path)).map_err(error)?;
        let file = OpenOptions::new().write(true).open(path).map_err(error)?;
        Ok(Book { path: path.to_owned(), file, end })
    }

    fn add(&mut self, id: GameId, record: &GameRecord, is_first: bool) -> Result<(), LedgerError> {
        let line = line(&self.path, id, record, is_first)?;
        let text = format!("{line}{CLOSING}");
        self.file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(text.as_bytes()))
            .map_err(|source| file_error(&self.path, source))?;
        self.end += line.len() as u64;
        Ok(())
    }
}

/// One game a line: short, and readable all the same.
fn line(
    path: &Path,
    id: GameId,
    record: &GameRecord,
    is_first: bool,
) -> Result<String, LedgerError> {
    let comma = if is_first { "" } else { "," };
    Ok(format!("{comma}\n{}:{}", json(path, &id)?, json(path, record)?))
}

fn json(path: &Path, value: &impl Serialize) -> Result<String, LedgerError> {
    serde_json::to_string(value)
        .map_err(|source| LedgerError::Format { path: path.to_owned(), source })
}

fn file_error(path: &Path, source: io::Error) -> LedgerError {
    LedgerError::File { path: path.to_owned(), source }
}

/// The state in a file; `None` when there is no such file.
///
/// # Errors
/// When it cannot be read or makes no sense.
pub fn read_state(path: &Path) -> Result<Option<State>, LedgerError> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            // What is whole but makes no sense is not for us to throw away.
            .or_else(|error| if error.is_data() { None } else { mended(&text) }.ok_or(error))
            .map(Some)
            .map_err(|source| LedgerError::Format { path: path.to_owned(), source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path, error)),
    }
}

/// The state without a last line that was not written to its end. Of the braces before, some may be
/// left, or all of them, if the line was written while the file was read.
fn mended(text: &str) -> Option<State> {
    let ends = text.rmatch_indices('\n').map(|(end, _)| end).take(4);
    let closed = ends.flat_map(|end| {
        let lines = text[..end].trim_end_matches(',');
        let last_game = lines.trim_end_matches([',', '}']);
        [format!("{lines}{CLOSING}"), format!("{last_game}}}{CLOSING}")]
    });
    closed.filter_map(|text| serde_json::from_str(&text).ok()).next()
}

fn continued(state: State, fresh: &State, path: Option<&Path>) -> Result<State, LedgerError> {
    if state.games.is_empty() {
        return Ok(fresh.clone());
    }
    let keys = state.terms.keys().chain(fresh.terms.keys());
    for term in keys {
        let of = |state: &State| state.terms.get(term).cloned().unwrap_or_default();
        let (was, is) = (of(&state), of(fresh));
        if was != is {
            let path = path.unwrap_or(Path::new("")).to_owned();
            return Err(LedgerError::OtherTerms { path, term: term.clone(), was, is });
        }
    }
    Ok(state)
}

fn open_pgn(path: &Path, state: &State) -> Result<(PathBuf, File), LedgerError> {
    let error = |source| file_error(path, source);
    let mut file =
        OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(error)?;
    // Two runners would write over each other. Not every file system can tell.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(LedgerError::InUse { path: path.to_owned() });
    }
    let length = file.metadata().map_err(error)?.len();
    if length < state.pgn_bytes() {
        return Err(LedgerError::ShortPgn { path: path.to_owned() });
    }
    file.set_len(state.pgn_bytes()).map_err(error)?;
    file.seek(SeekFrom::End(0)).map_err(error)?;
    Ok((path.to_owned(), file))
}
