//! The folder of a run, with its settings and its games.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::SelfplayTotals;
use crate::hash::sha256_of_file;
use crate::kept_positions::{SeenPositions, kept_keys};
use crate::selfplay_settings::SelfplaySettings;
use crate::toml_file::{read_toml, write_toml};
use crate::viriformat::for_each_game;

/// The name of the file of games, in viriformat.
pub(crate) const GAMES_FILE: &str = "games.viri";
/// The name of the file of settings.
pub(crate) const SETTINGS_FILE: &str = "run.toml";

/// The name of the file that is locked while games are played, so that the games stay readable
/// where a lock keeps readers away too.
const LOCK_FILE: &str = "lock";

/// The folder of a run.
pub(crate) struct RunFolder<'a>(pub(crate) &'a Path);

impl RunFolder<'_> {
    /// Creates the folder and locks it until the returned file is dropped: two processes would mix
    /// their games.
    ///
    /// # Errors
    /// Another process plays games into the folder, or it cannot be written.
    pub(crate) fn lock(&self) -> Result<File> {
        let name = || self.0.display().to_string();
        fs::create_dir_all(self.0).with_context(name)?;
        let mut options = OpenOptions::new();
        // A file of this name may be somebody else's.
        let options = options.write(true).create(true).truncate(false);
        let lock = options.open(self.0.join(LOCK_FILE)).with_context(name)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("{}: another process plays this run", name()),
            Err(TryLockError::Error(error)) => Err(error).with_context(name),
            Ok(()) => Ok(lock),
        }
    }

    /// Opens the file of games at its end, and counts the games that it contains. Their positions
    /// are added to `seen`; an unfinished game is cut off.
    ///
    /// # Errors
    /// The folder holds a run with other settings or damaged games, or it cannot be read or
    /// written.
    pub(super) fn open(
        &self,
        settings: &SelfplaySettings,
        seen: &mut SeenPositions,
    ) -> Result<(File, SelfplayTotals)> {
        let settings_path = self.0.join(SETTINGS_FILE);
        match read_toml::<SelfplaySettings>(&settings_path)? {
            Some(found) => {
                if let Some(difference) = settings.difference_from(&found)? {
                    bail!(
                        "{}: holds games of another run ({difference}); choose another folder, or \
                         the settings of that run",
                        self.0.display()
                    );
                }
            }
            None => {
                self.ensure_no_games()?;
                write_toml(&settings_path, settings)?;
            }
        }
        let path = self.0.join(GAMES_FILE);
        let name = || path.display().to_string();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let mut file = file.with_context(name)?;
        let (totals, end) = self.count(seen)?;
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.with_context(name)?;
        Ok((file, totals))
    }

    /// Checks that the folder holds no games.
    ///
    /// # Errors
    /// It holds some, whose settings are not known or which nobody plays again.
    pub(crate) fn ensure_no_games(&self) -> Result<()> {
        let length = fs::metadata(self.0.join(GAMES_FILE)).map_or(0, |file| file.len());
        let path = self.0.display();
        ensure!(length == 0, "{path}: holds games; choose another folder, or delete {GAMES_FILE}");
        Ok(())
    }

    /// Returns the settings of the run that the folder holds.
    pub(crate) fn settings(&self) -> Result<SelfplaySettings> {
        let path = self.0.join(SETTINGS_FILE);
        read_toml(&path)?.with_context(|| format!("{}: there is no such file", path.display()))
    }

    /// Counts the complete games and returns the SHA-256 of their bytes.
    pub(crate) fn totals(&self) -> Result<(SelfplayTotals, String)> {
        let (totals, end) = self.count(&mut SeenPositions::default())?;
        Ok((totals, sha256_of_file(&self.0.join(GAMES_FILE), end)?))
    }

    /// Counts the games and returns the end of the last complete one in bytes.
    fn count(&self, seen: &mut SeenPositions) -> Result<(SelfplayTotals, u64)> {
        let mut totals = SelfplayTotals::default();
        let end = for_each_game(&self.0.join(GAMES_FILE), u32::MAX, |game| {
            totals.add(game, &kept_keys(game), seen);
        })?;
        Ok((totals, end))
    }
}
