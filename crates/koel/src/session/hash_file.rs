//! Saving the transposition table to a file and loading it: `hash save FILE`, `hash load FILE` and
//! the two buttons.

use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use koel_board::{Move, Position};
use koel_engine::{HashTable, check_memory};
use koel_files::{ANY_SIZE, AtomicFile};
use koel_search::PathMark;
use koel_tt::{LoadError, TranspositionTable};

use crate::ENGINE_NAME;
use crate::session::Session;
use crate::session::command_error::CommandError;
use crate::session::job::UseFile;

#[derive(Debug)]
pub(crate) enum HashCommand {
    Save(PathBuf),
    Load(PathBuf),
}

impl HashCommand {
    /// Parses the arguments of `hash`. The rest of the line after the verb is the file name.
    pub(crate) fn parse(arguments: &str) -> Result<HashCommand, CommandError> {
        match arguments.split_once(' ') {
            Some(("save", path)) => Ok(HashCommand::Save(path.trim().into())),
            Some(("load", path)) => Ok(HashCommand::Load(path.trim().into())),
            _ => Err(CommandError::HashSyntax),
        }
    }

    /// Returns the command of a button, for the file of the option `Hash File`.
    pub(crate) fn from_button(
        command: fn(PathBuf) -> HashCommand,
        file: &Path,
    ) -> Result<HashCommand, CommandError> {
        let is_set = !file.as_os_str().is_empty();
        if is_set { Ok(command(file.to_owned())) } else { Err(CommandError::NoHashFile) }
    }

    /// Executes the command. `fingerprint` is that of the session.
    pub(crate) fn execute(
        &self,
        table: &HashTable,
        fingerprint: u64,
    ) -> Result<UseFile, CommandError> {
        let message = |bytes: usize, done: &str, path: &Path| {
            format!("a hash table of {} MiB was {done} {}", bytes >> 20, path.display())
        };
        match self {
            HashCommand::Save(path) => {
                let bytes = save(table, fingerprint, path)
                    .map_err(|error| CommandError::HashNotSaved(path.clone(), error))?;
                let message = message(bytes, "saved to", path);
                Ok(Box::new(|_| Ok(message)))
            }
            HashCommand::Load(path) => {
                // The present table is in memory as well. A missing file is an error when it is
                // opened.
                let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
                check_memory(bytes, 0)
                    .map_err(|error| CommandError::NoHashMemory(path.clone(), error))?;
                let table = load(fingerprint, path)
                    .map_err(|error| CommandError::HashNotLoaded(path.clone(), error))?;
                let message = message(table.bytes(), "loaded from", path);
                Ok(Box::new(|session| {
                    session.engine.set_hash_table(table);
                    Ok(message)
                }))
            }
        }
    }
}

/// Checks that a file is a saved table, empty or missing: anything else is not replaced.
fn check_replaceable(path: &Path) -> io::Result<()> {
    let file = match koel_files::open(path, ANY_SIZE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    if file.metadata()?.len() == 0 || koel_tt::is_saved_table(&mut &file)? {
        return Ok(());
    }
    Err(io::Error::other("it holds something else than a hash table; name another file"))
}

/// Replaces the file when the table is written completely, so that an old file is never damaged.
/// Returns the size of the table in bytes.
fn save(table: &HashTable, fingerprint: u64, path: &Path) -> io::Result<usize> {
    check_replaceable(path)?;
    let mut file = AtomicFile::create(path)?;
    let bytes = table.save(fingerprint, &mut file)?;
    file.commit()?;
    Ok(bytes)
}

fn load(fingerprint: u64, path: &Path) -> Result<TranspositionTable<Move, PathMark>, LoadError> {
    let file = koel_files::open(path, ANY_SIZE).map_err(LoadError::Io)?;
    let bytes = file.metadata().map_err(LoadError::Io)?.len();
    let mut table = TranspositionTable::new(0)?;
    table.load(fingerprint, bytes, &mut BufReader::with_capacity(1 << 20, file))?;
    Ok(table)
}

impl Session<'_> {
    /// Computes a fingerprint of the engine version, the Zobrist keys, the evaluation, the rules
    /// for path-dependent draws and the use of endgame tables (FNV-1a). A table is loaded only with
    /// an equal fingerprint, since its keys and scores mean the same only then.
    pub(crate) fn fingerprint(&self) -> u64 {
        let start = Position::start();
        let unbalanced =
            Position::from_fen("r1b1k2r/pp3ppp/2n1pn2/8/1bP5/2N1P3/PP3PPP/R1BQKB1R w KQkq - 0 9")
                .map_or(0, |position| self.engine.evaluation().evaluate(&position).0);
        let rules = (self.settings.path_policy, self.settings.no_progress);
        let has_tables = self.tablebases.is_some();
        let version = format!("{ENGINE_NAME} {} {unbalanced} {rules:?} {has_tables}", start.key());
        koel_random::fnv1a(version.as_bytes())
    }
}
