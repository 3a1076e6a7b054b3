//! The files of a match: its state as lines of JSON, and its games as PGN.
//!
//! The first line of the state has the settings, each other line a game. A finished game is first appended
//! to the PGN, then to the state, which holds its length in the PGN. A last line that is incomplete and
//! everything behind the known games in the PGN were written at the moment of a crash: they are cut off
//! when the match is resumed. So a killed runner loses the games in progress, no other game, and counts
//! none twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use koel_files::IN_MEMORY;

use crate::match_config::json;
use crate::record::{GameId, GameRecord};
use crate::statistics::Sprt;

/// The state of a match: its settings and its finished games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatchState {
    /// The settings that must be equal for the match to be resumed.
    pub settings: BTreeMap<String, String>,
    /// The finished games.
    pub games: BTreeMap<GameId, GameRecord>,
}

impl MatchState {
    /// Returns a state without games.
    pub fn new(settings: BTreeMap<String, String>) -> MatchState {
        MatchState { settings, games: BTreeMap::new() }
    }

    /// Returns the number of bytes of the PGN that belong to the finished games.
    pub fn pgn_bytes(&self) -> u64 {
        self.games.values().fold(0, |sum, game| sum.saturating_add(game.pgn_bytes))
    }

    /// Returns the sequential test of the match, if it is one.
    ///
    /// # Errors
    /// If the setting `sprt` cannot be parsed.
    pub fn sprt(&self) -> Result<Option<Sprt>, serde_json::Error> {
        self.settings.get("sprt").map(|text| serde_json::from_str(text)).transpose()
    }
}

/// The files of a match cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{path}", path = .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The state is not valid.
    #[error(
        "{path} is damaged or was written by another version of koel-arena: delete it \
         to start the match from its beginning (--fresh)",
        path = .path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The error in the JSON.
        source: serde_json::Error,
    },
    /// The state belongs to a match with other settings.
    #[error(
        "{path} belongs to another match: {setting} was `{was}` and is `{is}`",
        path = .path.display()
    )]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        setting: String,
        /// Its value in the state.
        was: String,
        /// Its value now.
        is: String,
    },
    /// Another match is writing to the PGN.
    #[error("{path} is in use by another match", path = .0.display())]
    InUse(PathBuf),
    /// Finished games are missing in the PGN.
    #[error(
        "{path} lacks games that the state has: a crash or an editor cut it. Restore it, or delete \
         it and the state to start the match from its beginning (--fresh)",
        path = .0.display()
    )]
    ShortPgn(PathBuf),
}

/// The files of a match, open for more games.
pub struct MatchJournal {
    state: MatchState,
    path: Option<PathBuf>,
    /// Opened with the first new game: a match that plays none does not touch the file.
    state_file: Option<StateFile>,
    pgn: Option<(PathBuf, File)>,
}

impl MatchJournal {
    /// Opens the files, to continue behind the games they have. Without paths nothing is written.
    ///
    /// # Errors
    /// If a file cannot be used, or belongs to another match.
    pub fn open(
        path: Option<&Path>,
        pgn: Option<&Path>,
        settings: BTreeMap<String, String>,
    ) -> Result<MatchJournal, JournalError> {
        let fresh = MatchState::new(settings);
        let state = match path.map(read_state).transpose()?.flatten() {
            Some(state) => resume(state, &fresh, path)?,
            None => fresh,
        };
        let pgn = pgn.map(|path| open_pgn(path, &state)).transpose()?;
        Ok(MatchJournal { state, path: path.map(Path::to_owned), state_file: None, pgn })
    }

    /// The state with all games added so far.
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    /// Adds a game, and writes it to both files before it returns.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(
        &mut self,
        id: GameId,
        mut record: GameRecord,
        pgn: &str,
    ) -> Result<(), JournalError> {
        if let Some((path, file)) = &mut self.pgn {
            file.write_all(pgn.as_bytes())
                .and_then(|()| file.flush())
                .map_err(|source| file_error(path, source))?;
            record.pgn_bytes = pgn.len() as u64;
        }
        if let (Some(path), None) = (&self.path, &self.state_file) {
            self.state_file = Some(StateFile::create(path, &self.state)?);
        }
        if let Some(file) = &mut self.state_file {
            file.add(id, &record)?;
        }
        self.state.games.insert(id, record);
        Ok(())
    }
}

/// The file of the state.
struct StateFile {
    path: PathBuf,
    file: File,
}

impl StateFile {
    /// Writes the state to a file beside the old one, which it then replaces.
    fn create(path: &Path, state: &MatchState) -> Result<StateFile, JournalError> {
        let error = |source| file_error(path, source);
        let mut text = json(&state.settings) + "\n";
        text.extend(state.games.iter().map(|(&id, record)| line(id, record)));
        koel_files::replace(path, text).map_err(error)?;
        let file = OpenOptions::new().append(true).open(path).map_err(error)?;
        Ok(StateFile { path: path.to_owned(), file })
    }

    fn add(&mut self, id: GameId, record: &GameRecord) -> Result<(), JournalError> {
        let line = line(id, record);
        self.file.write_all(line.as_bytes()).map_err(|source| file_error(&self.path, source))
    }
}

/// Formats a game as a line of the state.
fn line(id: GameId, record: &GameRecord) -> String {
    json(&(id, record)) + "\n"
}

fn file_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::File { path: path.to_owned(), source }
}

/// Reads the state from a file; `None` if there is no such file.
///
/// # Errors
/// If the file cannot be read or is not valid.
pub fn read_state(path: &Path) -> Result<Option<MatchState>, JournalError> {
    let text = match koel_files::read_to_string(path, IN_MEMORY) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error(path, error)),
    };
    parse(&text).map(Some).map_err(|source| JournalError::Format { path: path.to_owned(), source })
}

/// Parses the complete lines of a state.
fn parse(text: &str) -> Result<MatchState, serde_json::Error> {
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = complete.lines();
    let settings = serde_json::from_str(lines.next().unwrap_or_default())?;
    let games = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(MatchState { settings, games })
}

/// Returns the state to be resumed if its settings are those of the fresh one.
fn resume(
    state: MatchState,
    fresh: &MatchState,
    path: Option<&Path>,
) -> Result<MatchState, JournalError> {
    if state.games.is_empty() {
        return Ok(fresh.clone());
    }
    for setting in state.settings.keys().chain(fresh.settings.keys()) {
        let value = |state: &MatchState| state.settings.get(setting).cloned().unwrap_or_default();
        let (was, is) = (value(&state), value(fresh));
        if was != is {
            let path = path.unwrap_or(Path::new("")).to_owned();
            return Err(JournalError::OtherSettings { path, setting: setting.clone(), was, is });
        }
    }
    Ok(state)
}

fn open_pgn(path: &Path, state: &MatchState) -> Result<(PathBuf, File), JournalError> {
    let error = |source| file_error(path, source);
    let mut file =
        OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(error)?;
    // Two runners would overwrite each other. Some file systems do not support locks.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(JournalError::InUse(path.to_owned()));
    }
    let length = file.metadata().map_err(error)?.len();
    if length < state.pgn_bytes() {
        return Err(JournalError::ShortPgn(path.to_owned()));
    }
    file.set_len(state.pgn_bytes()).map_err(error)?;
    file.seek(SeekFrom::End(0)).map_err(error)?;
    Ok((path.to_owned(), file))
}
