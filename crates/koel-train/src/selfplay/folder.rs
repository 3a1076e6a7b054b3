//! The folder of a run, with its settings and its games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::Path;

use koel_files::SETTINGS;

use super::error::SelfplayError;
use super::settings::SelfplaySettings;
use super::totals::SelfplayTotals;
use crate::filter::PositionFilter;
use crate::seen_positions::{SeenPositions, kept_keys};
use crate::viriformat::{GameReader, ViriformatError};

/// The name of the file of games, in viriformat.
pub const GAMES_FILE: &str = "games.viri";
/// The name of the file of settings.
pub const SETTINGS_FILE: &str = "run.toml";

pub(super) struct RunFolder<'a>(pub(super) &'a Path);

impl RunFolder<'_> {
    /// Opens the file of games at its end, and counts the games that it contains. Their positions
    /// are added to `seen`; an unfinished game is cut off.
    pub(super) fn open(
        &self,
        settings: &SelfplaySettings,
        seen: &mut SeenPositions,
    ) -> Result<(File, SelfplayTotals), SelfplayError> {
        fs::create_dir_all(self.0).map_err(|source| self.file_error("", source))?;
        self.check_or_write_settings(settings)?;
        let path = self.0.join(GAMES_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|source| self.file_error(GAMES_FILE, source))?;
        let (totals, end) = self.count(&file, seen)?;
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(|source| self.file_error(GAMES_FILE, source))?;
        Ok((file, totals))
    }

    /// Writes the settings, or checks that those in the folder are the same.
    fn check_or_write_settings(&self, settings: &SelfplaySettings) -> Result<(), SelfplayError> {
        let path = self.0.join(SETTINGS_FILE);
        match koel_files::read_to_string(&path, SETTINGS) {
            Ok(text) => {
                let found: SelfplaySettings = toml::from_str(&text).map_err(|error| {
                    SelfplayError::Settings(format!("{}: {error}", path.display()))
                })?;
                if found == *settings {
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

    /// Counts the content of the file, and returns the end of its last complete game in bytes.
    fn count(
        &self,
        file: &File,
        seen: &mut SeenPositions,
    ) -> Result<(SelfplayTotals, u64), SelfplayError> {
        let error =
            |error| SelfplayError::Games(self.0.join(GAMES_FILE).display().to_string(), error);
        let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, file));
        let mut totals = SelfplayTotals::default();
        loop {
            let game = match reader.next_game() {
                Ok(Some(game)) => game,
                Ok(None) | Err(ViriformatError::Unfinished) => {
                    return Ok((totals, reader.offset()));
                }
                Err(source) => return Err(error(source)),
            };
            let keys = kept_keys(&game, &PositionFilter::default());
            let keys = keys.map_err(|illegal| error(illegal.into()))?;
            totals.add(&game, &keys, seen);
        }
    }

    pub(super) fn file_error(&self, name: &str, source: io::Error) -> SelfplayError {
        SelfplayError::File { path: self.0.join(name).display().to_string(), source }
    }
}
