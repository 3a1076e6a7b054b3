//! Files to which lines are added behind whatever they hold.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file to which lines are added.
pub(crate) struct AppendedFile(File);

impl AppendedFile {
    /// Opens a file behind its last line, or creates it.
    pub(crate) fn open(path: &Path) -> io::Result<AppendedFile> {
        koel_files::check_kind(path)?;
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
        Ok(AppendedFile(file))
    }

    /// Adds a line in one write, so that lines of several writers do not mix.
    pub(crate) fn add(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}
