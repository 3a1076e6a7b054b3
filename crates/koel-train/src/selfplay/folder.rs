//! The folder of a run: its settings and its games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;

use super::{SelfplayError, Settings, Tally};
use crate::distinct::{Distinct, kept_keys};
use crate::filter::Filter;
use crate::viriformat::{GameReader, ViriformatError};

/// The file of the games, in viriformat.
pub const GAMES_FILE: &str = "games.viri";
/// The file of the settings.
pub const SETTINGS_FILE: &str = "run.toml";

pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    /// The games, open at their end, and what they are. The positions of what is there are filed;
    /// a game that was not finished is cut off.
    pub(super) fn open(
        &self,
        settings: &Settings,
        distinct: &Distinct,
    ) -> Result<(File, Tally), SelfplayError> {
        fs::create_dir_all(self.0).map_err(|source| self.file_error("", source))?;
        self.claim(settings)?;
        let path = self.0.join(GAMES_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|source| self.file_error(GAMES_FILE, source))?;
        let (tally, end) = self.count(&file, distinct)?;
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(|source| self.file_error(GAMES_FILE, source))?;
        Ok((file, tally))
    }

    /// Writes the settings, or makes sure that those that are there are the same.
    fn claim(&self, settings: &Settings) -> Result<(), SelfplayError> {
        let path = self.0.join(SETTINGS_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let there: Settings = toml::from_str(&text).map_err(|error| {
                    SelfplayError::Settings(format!("{}: {error}", path.display()))
                })?;
                if there == *settings {
                    return Ok(());
                }
                Err(SelfplayError::OtherRun(self.0.display().to_string()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = toml::to_string(settings)
                    .map_err(|error| SelfplayError::Settings(error.to_string()))?;
                fs::write(&path, text).map_err(|source| self.file_error(SETTINGS_FILE, source))
            }
            Err(source) => Err(self.file_error(SETTINGS_FILE, source)),
        }
    }

    /// What is in the file, and where its last whole game ends.
    fn count(&self, file: &File, distinct: &Distinct) -> Result<(Tally, u64), SelfplayError> {
        let path = || self.0.join(GAMES_FILE).display().to_string();
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, file));
        let mut tally = Tally::default();
        loop {
            let game = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) | Err(ViriformatError::Unfinished) => return Ok((tally, reader.offset())),
                Err(error) => return Err(SelfplayError::Games(path(), error)),
            };
            let keys = kept_keys(&game, &Filter::default())
                .map_err(|error| SelfplayError::Games(path(), error))?;
            distinct.file(&keys, tally.games);
            tally.kept += distinct.own(&keys, tally.games) as u64;
            tally.positions += game.plies.len() as u64;
            tally.games += 1;
        }
    }

    pub(super) fn file_error(&self, name: &str, source: io::Error) -> SelfplayError {
        SelfplayError::File { path: self.0.join(name).display().to_string(), source }
    }
}
