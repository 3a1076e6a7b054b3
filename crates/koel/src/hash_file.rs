//! The table in a file: `hash save FILE` and `hash load FILE`, and the buttons for both.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use koel_board::Position;
use koel_eval::Evaluation;
use koel_search::Shared;
use koel_tt::LoadError;
use thiserror::Error;

use crate::available_memory::{self, HashMemoryError};

/// One of the commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HashCommand {
    Save(PathBuf),
    Load(PathBuf),
}

/// Why nothing was saved or loaded.
#[derive(Debug, Error)]
pub(crate) enum HashFileError {
    #[error("hash: wants `save FILE` or `load FILE`")]
    Syntax,
    #[error("hash: set the option `Hash File` first")]
    NoFile,
    #[error("hash: {0}: not saved: {1}")]
    Save(String, io::Error),
    #[error("hash: {0}: not loaded, the old table is kept: {1}")]
    Load(String, LoadError),
    #[error("hash: {0}: not loaded, the old table is kept: {1}")]
    Memory(String, HashMemoryError),
}

impl HashCommand {
    /// Reads what stands behind `hash`. All behind the verb is the name of the file.
    pub(crate) fn read(arguments: &str) -> Result<HashCommand, HashFileError> {
        let (verb, path) = arguments.split_once(' ').ok_or(HashFileError::Syntax)?;
        let path = PathBuf::from(path.trim());
        match verb {
            "save" => Ok(HashCommand::Save(path)),
            "load" => Ok(HashCommand::Load(path)),
            _ => Err(HashFileError::Syntax),
        }
    }

    /// What a button asks for with the file of the option.
    pub(crate) fn of_option(
        command: fn(PathBuf) -> HashCommand,
        file: &Path,
    ) -> Result<HashCommand, HashFileError> {
        let is_set = !file.as_os_str().is_empty();
        if is_set { Ok(command(file.to_owned())) } else { Err(HashFileError::NoFile) }
    }

    /// Obeys; what to tell the user.
    pub(crate) fn obey(&self, shared: &mut Shared) -> Result<String, HashFileError> {
        let (verb, path) = match self {
            HashCommand::Save(path) => {
                save(shared, path)
                    .map_err(|error| HashFileError::Save(path.display().to_string(), error))?;
                ("saved to", path)
            }
            HashCommand::Load(path) => {
                check_memory(path)
                    .map_err(|error| HashFileError::Memory(path.display().to_string(), error))?;
                load(shared, path)
                    .map_err(|error| HashFileError::Load(path.display().to_string(), error))?;
                ("loaded from", path)
            }
        };
        let mebibytes = shared.table_mut().bytes() >> 20;
        Ok(format!("a hash table of {mebibytes} MiB was {verb} {}", path.display()))
    }
}

/// Writes beside the old file, if there is one, and replaces that only when all is written.
fn save(shared: &mut Shared, path: &Path) -> io::Result<()> {
    let stamp = stamp(shared.evaluation());
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = File::create(&part)
        .and_then(|file| {
            let mut writer = BufWriter::with_capacity(1 << 20, file);
            shared.table_mut().save(stamp, &mut writer)
        })
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // What is left of it is of no use; and perhaps it was never made.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Checks that the table of a file fits into the memory beside the present one.
fn check_memory(path: &Path) -> Result<(), HashMemoryError> {
    // A file that does not exist gives its error when it is opened.
    let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
    available_memory::check(bytes, 0)
}

fn load(shared: &mut Shared, path: &Path) -> Result<(), LoadError> {
    let file = File::open(path).map_err(LoadError::Io)?;
    let stamp = stamp(shared.evaluation());
    shared.table_mut().load(stamp, &mut BufReader::with_capacity(1 << 20, file))
}

/// By this a table is known again whose keys and scores mean the same: the version, the keys and
/// the evaluation.
fn stamp(evaluation: &Evaluation) -> u64 {
    let start = Position::start();
    let lopsided =
        Position::from_fen("r1b1k2r/pp3ppp/2n1pn2/8/1bP5/2N1P3/PP3PPP/R1BQKB1R w KQkq - 0 9")
            .map_or(0, |position| evaluation.evaluate(&position).0);
    let text = format!("{} {} {lopsided}", crate::NAME, start.key());
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_line_is_the_file() {
        let read = |text| HashCommand::read(text).ok();
        assert_eq!(read("save a.hash"), Some(HashCommand::Save("a.hash".into())));
        assert_eq!(read("load /b c/d e"), Some(HashCommand::Load("/b c/d e".into())));
        for wrong in ["", "save", "load", "burn a"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
