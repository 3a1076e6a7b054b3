//! The files of a match: its state as lines of JSON, and its games as PGN.
//!
//! The first line of the state has the settings, each other line a game and its place in the PGN. A
//! finished game is first added to the state, with its text in a line of its own, then appended to
//! the PGN, and then the text is removed from the state. After a crash the missing part of the PGN
//! is written from that text, and a last line that is incomplete is cut off. So a killed runner
//! loses the games in progress, no other game, and has none twice.
//!
//! The PGN may hold other games: nothing is cut from it but what the state proves to be this
//! match's own ([`discard`]).

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use koel_files::IN_MEMORY;
use serde::de::Error;

use crate::error::{JournalError, file_error};
use crate::match_config::{PAIRINGS, json};
use crate::pgn_file::PgnFile;
use crate::record::{GameId, GameRecord, PgnPlace};

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
    /// The finished games that have a place in the PGN, in the order of their places.
    pub(crate) fn written(&self) -> Vec<(GameId, PgnPlace)> {
        let mut games: Vec<_> =
            self.games.iter().filter_map(|(&id, game)| Some((id, game.pgn?))).collect();
        games.sort_by_key(|(_, place)| place.start);
        games
    }
}

/// The files of a match, open for more games.
pub struct MatchJournal {
    state: MatchState,
    path: Option<PathBuf>,
    /// Opened with the first new game: a match that plays none does not touch the file.
    state_file: Option<StateFile>,
    pgn: Option<PgnFile>,
}

impl MatchJournal {
    /// Opens the files, to continue behind the games they have. Without paths nothing is written.
    /// The settings are those of [`Match::all_settings`](crate::Match::all_settings): a file
    /// without their `pairings` is no state.
    ///
    /// # Errors
    /// If a file cannot be used, or belongs to another match.
    pub fn open(
        path: Option<&Path>,
        pgn: Option<&Path>,
        settings: BTreeMap<String, String>,
    ) -> Result<MatchJournal, JournalError> {
        let (mut state, mut text) = (MatchState { settings, games: BTreeMap::new() }, None);
        if let Some(path) = path
            && let Some((known, unwritten)) = read_lines(path)?
            && !known.games.is_empty()
        {
            check_settings(path, &known.settings, &state.settings)?;
            (state, text) = (known, unwritten);
        }
        let mut pgn = pgn.map(PgnFile::open).transpose()?;
        let (known, has_text) = (state.games.len(), text.is_some());
        if let Some(pgn) = &mut pgn {
            complete(pgn, &mut state, text)?;
        }
        let is_mended = has_text || state.games.len() != known;
        let state_file = path.filter(|_| is_mended);
        let state_file = state_file.map(|path| StateFile::create(path, &state)).transpose()?;
        Ok(MatchJournal { state, path: path.map(Path::to_owned), state_file, pgn })
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
        game: &str,
    ) -> Result<(), JournalError> {
        if let (Some(path), None) = (&self.path, &self.state_file) {
            self.state_file = Some(StateFile::create(path, &self.state)?);
        }
        let text = self.pgn.as_ref().map(|pgn| pgn.separated(game)).transpose()?;
        if let (Some(pgn), Some(text)) = (&self.pgn, &text) {
            record.pgn = Some(PgnPlace::new(pgn.length(), text.as_bytes()));
        }
        if let Some(file) = &mut self.state_file {
            file.add(id, &record, text.as_deref())?;
        }
        if let (Some(pgn), Some(text)) = (&mut self.pgn, &text) {
            pgn.append(text.as_bytes())?;
        }
        if let Some(file) = &mut self.state_file {
            file.cut_text()?;
        }
        self.state.games.insert(id, record);
        Ok(())
    }
}

/// Brings the last game of the state and the file together after a crash; `text` is what was yet to
/// be written of that game.
fn complete(
    pgn: &mut PgnFile,
    state: &mut MatchState,
    text: Option<String>,
) -> Result<(), JournalError> {
    let mut written = state.written();
    let Some((id, place)) = written.pop() else { return Ok(()) };
    match text {
        Some(text) if !pgn.holds(&place)? => {
            let found = pgn.read(place.start, place.bytes)?;
            let is_begun = (place.start..=place.end()).contains(&pgn.length());
            let missing = text.as_bytes().strip_prefix(&found[..]).filter(|_| is_begun);
            if missing.is_none()
                && let Some(record) = state.games.get_mut(&id)
            {
                // Something else was written there.
                record.pgn = Some(PgnPlace::new(pgn.length(), text.as_bytes()));
            }
            pgn.append(missing.unwrap_or(text.as_bytes()))?;
        }
        // Nothing of the game was written, neither its text: it is played again.
        None if pgn.length() == place.start => drop(state.games.remove(&id)),
        _ => {}
    }
    if state.written().last().is_some_and(|(_, last)| pgn.length() < last.end()) {
        return Err(JournalError::ShortPgn(pgn.path().to_owned()));
    }
    Ok(())
}

/// Discards the games of a match: removes its state, and cuts from the end of the PGN what the
/// state proves to be the match's own. Returns the number of games of the match that are left in
/// the PGN, because something else follows them or they were changed.
///
/// # Errors
/// If a file cannot be used, or `path` is no state of a match.
pub fn discard(path: &Path, pgn: &Path) -> Result<usize, JournalError> {
    let Some(state) = read_state(path)? else { return Ok(0) };
    let mut written = state.written();
    match PgnFile::open(pgn) {
        Ok(mut file) => file.cut_own(&mut written)?,
        Err(JournalError::File(_, source)) if source.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::remove_file(path).map_err(|source| file_error(path, source))?;
    Ok(written.len())
}

/// The file of the state.
struct StateFile {
    path: PathBuf,
    file: File,
    /// The length in bytes up to the last game.
    length: u64,
}

impl StateFile {
    /// Writes the state to a file beside the old one, which it then replaces.
    fn create(path: &Path, state: &MatchState) -> Result<StateFile, JournalError> {
        let error = |source| file_error(path, source);
        let mut text = json(&state.settings) + "\n";
        text.extend(state.games.iter().map(|(&id, record)| line(id, record)));
        let length = text.len() as u64;
        koel_files::replace(path, text).map_err(error)?;
        let file = OpenOptions::new().append(true).open(path).map_err(error)?;
        Ok(StateFile { path: path.to_owned(), file, length })
    }

    /// Adds a game, and behind it the text that is yet to be written to the PGN.
    fn add(
        &mut self,
        id: GameId,
        record: &GameRecord,
        text: Option<&str>,
    ) -> Result<(), JournalError> {
        let mut lines = line(id, record);
        self.length += lines.len() as u64;
        lines.extend(text.map(|text| json(&text) + "\n"));
        let written = self.file.write_all(lines.as_bytes());
        written.map_err(|source| file_error(&self.path, source))
    }

    /// Cuts off the text of the last game.
    fn cut_text(&mut self) -> Result<(), JournalError> {
        self.file.set_len(self.length).map_err(|source| file_error(&self.path, source))
    }
}

/// Formats a game as a line of the state.
fn line(id: GameId, record: &GameRecord) -> String {
    json(&(id, record)) + "\n"
}

/// Reads the state from a file; `None` if there is no such file.
///
/// # Errors
/// If the file cannot be read or is not valid.
pub fn read_state(path: &Path) -> Result<Option<MatchState>, JournalError> {
    Ok(read_lines(path)?.map(|(state, _)| state))
}

/// Reads the state, and the text that was yet to be written to the PGN.
fn read_lines(path: &Path) -> Result<Option<(MatchState, Option<String>)>, JournalError> {
    let text = match koel_files::read_to_string(path, IN_MEMORY) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error(path, error)),
    };
    parse(&text).map(Some).map_err(|source| JournalError::Format(path.to_owned(), source))
}

/// Parses the complete lines of a state.
fn parse(text: &str) -> Result<(MatchState, Option<String>), serde_json::Error> {
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines: Vec<_> = complete.lines().collect();
    let unwritten = lines.pop_if(|line| line.starts_with('"'));
    let unwritten = unwritten.map(serde_json::from_str).transpose()?;
    let mut lines = lines.into_iter();
    let settings: BTreeMap<String, String> =
        serde_json::from_str(lines.next().unwrap_or_default())?;
    if !settings.contains_key(PAIRINGS) {
        return Err(serde_json::Error::custom("the first line has no settings of a match"));
    }
    let games = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok((MatchState { settings, games }, unwritten))
}

/// Checks that the settings of a state are those of this match.
fn check_settings(
    path: &Path,
    were: &BTreeMap<String, String>,
    are: &BTreeMap<String, String>,
) -> Result<(), JournalError> {
    for setting in were.keys().chain(are.keys()) {
        let [was, is] = [were, are].map(|all| all.get(setting).cloned().unwrap_or_default());
        if was != is {
            let (path, setting) = (path.to_owned(), setting.clone());
            return Err(JournalError::OtherSettings { path, setting, was, is });
        }
    }
    Ok(())
}
