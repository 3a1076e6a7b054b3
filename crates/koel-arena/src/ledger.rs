//! The files of a match: its state as JSON, and its games as PGN.
//!
//! The games are appended first, then the state is written anew beside the old one and takes its
//! place. It says how long the PGN was; what stands behind that when a match is resumed was
//! written in the moment of a crash and is cut off. So a killed runner loses the games in
//! progress, and no other, and counts none twice.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::{GameId, GameRecord};

/// What is known of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What must be the same for games to be of the same match.
    pub terms: BTreeMap<String, String>,
    /// How many bytes of the PGN belong to these games.
    pub pgn_bytes: u64,
    /// The games that are over.
    pub games: BTreeMap<GameId, GameRecord>,
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
        Ok(Ledger { state, path: path.map(Path::to_owned), pgn })
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes in a game, and has it on disk before it returns.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, id: GameId, record: GameRecord, pgn: &str) -> Result<(), LedgerError> {
        if let Some((path, file)) = &mut self.pgn {
            file.write_all(pgn.as_bytes())
                .and_then(|()| file.flush())
                .map_err(|source| file_error(path, source))?;
            self.state.pgn_bytes += pgn.len() as u64;
        }
        self.state.games.insert(id, record);
        self.save()
    }

    fn save(&self) -> Result<(), LedgerError> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut beside = path.clone().into_os_string();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let text = serde_json::to_string(&self.state)
            .map_err(|source| LedgerError::Format { path: path.clone(), source })?;
        // One game a line: short, and readable all the same.
        let text = text.replace("},\"", "},\n\"") + "\n";
        fs::write(&beside, text)
            .and_then(|()| fs::rename(&beside, path))
            .map_err(|source| file_error(path, source))
    }
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
            .map(Some)
            .map_err(|source| LedgerError::Format { path: path.to_owned(), source }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path, error)),
    }
}

fn continued(state: State, fresh: &State, path: Option<&Path>) -> Result<State, LedgerError> {
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
    let length = file.metadata().map_err(error)?.len();
    if length < state.pgn_bytes {
        return Err(LedgerError::ShortPgn { path: path.to_owned() });
    }
    file.set_len(state.pgn_bytes).map_err(error)?;
    file.seek(SeekFrom::End(0)).map_err(error)?;
    Ok((path.to_owned(), file))
}
