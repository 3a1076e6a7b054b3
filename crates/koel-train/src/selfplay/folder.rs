//! The folder of a run, with its settings and its games.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use koel_files::{ANY_SIZE, SETTINGS};

use super::error::SelfplayError;
use super::settings::SelfplaySettings;
use super::totals::SelfplayTotals;
use crate::filter::PositionFilter;
use crate::from_toml::from_toml;
use crate::hash::sha256_of_reader;
use crate::seen_positions::{SeenPositions, kept_keys};
use crate::viriformat::{GameReader, ViriformatError};

/// The name of the file of games, in viriformat.
pub const GAMES_FILE: &str = "games.viri";
/// The name of the file of settings.
pub const SETTINGS_FILE: &str = "run.toml";

/// The folder of a run.
pub(crate) struct RunFolder<'a>(pub(crate) &'a Path);

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

    /// Returns the settings of the run that the folder holds.
    pub(crate) fn settings(&self) -> Result<SelfplaySettings, SelfplayError> {
        self.read_settings()?
            .ok_or_else(|| self.file_error(SETTINGS_FILE, io::Error::from(io::ErrorKind::NotFound)))
    }

    /// Returns the size of the file of games, which may end within a game.
    pub(crate) fn bytes(&self) -> Result<u64, SelfplayError> {
        match fs::metadata(self.0.join(GAMES_FILE)) {
            Ok(metadata) => Ok(metadata.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(source) => Err(self.file_error(GAMES_FILE, source)),
        }
    }

    /// Counts the complete games and returns the SHA-256 of their bytes.
    pub(crate) fn totals(&self) -> Result<(SelfplayTotals, String), SelfplayError> {
        let path = self.0.join(GAMES_FILE);
        let open = || koel_files::open(&path, ANY_SIZE);
        let error = |source| self.file_error(GAMES_FILE, source);
        let (totals, end) = self.count(&open().map_err(error)?, &mut SeenPositions::new())?;
        let sha256 = open().and_then(|file| sha256_of_reader(file.take(end))).map_err(error)?;
        Ok((totals, sha256))
    }

    /// Returns the settings, if there are any yet.
    fn read_settings(&self) -> Result<Option<SelfplaySettings>, SelfplayError> {
        let path = self.0.join(SETTINGS_FILE);
        match koel_files::read_to_string(&path, SETTINGS) {
            Ok(text) => from_toml(&text, &path).map(Some).map_err(SelfplayError::Settings),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.file_error(SETTINGS_FILE, source)),
        }
    }

    /// Writes the settings, or checks that those in the folder are the same.
    fn check_or_write_settings(&self, settings: &SelfplaySettings) -> Result<(), SelfplayError> {
        match self.read_settings()? {
            Some(found) if found == *settings => Ok(()),
            Some(_) => Err(SelfplayError::OtherRun(self.0.display().to_string())),
            None => {
                let text = toml::to_string(settings)
                    .map_err(|error| SelfplayError::Settings(error.to_string()))?;
                fs::write(self.0.join(SETTINGS_FILE), text)
                    .map_err(|source| self.file_error(SETTINGS_FILE, source))
            }
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
