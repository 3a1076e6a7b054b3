//! The store of self-play runs: a folder outside any checkout.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::selfplay::{RunFolder, SETTINGS_FILE, SelfplayTotals};
use crate::selfplay_settings::SelfplaySettings;

/// The environment variable that names the folder of the store.
const STORE_VARIABLE: &str = "KOEL_DATA";

/// A folder of runs, each in a folder of its own.
///
/// Games follow from the commit and the settings, so a lost store costs time and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunStore {
    folder: PathBuf,
}

impl RunStore {
    /// Returns the store in a folder, by default the user's: the folder that [`STORE_VARIABLE`]
    /// names, or `.local/share/koel/games` in the home folder.
    ///
    /// # Errors
    /// None of these is known.
    pub(crate) fn open(folder: Option<PathBuf>) -> Result<RunStore> {
        let named = || env::var_os(STORE_VARIABLE).filter(|name| !name.is_empty()).map(Into::into);
        let default = || Some(env::home_dir()?.join(".local/share/koel/games"));
        let folder = folder.or_else(named).or_else(default).with_context(|| {
            format!("there is no home folder for the games: set {STORE_VARIABLE} or --store")
        })?;
        Ok(RunStore { folder })
    }

    /// Returns the folder of a run.
    pub(crate) fn run_folder(&self, run: u64) -> PathBuf {
        self.folder.join(format!("run-{run}"))
    }

    /// Returns the seed for games with these settings: that of the newest run that differs from
    /// them in nothing but its seed, so that it is continued, or else one that no run of the store
    /// has.
    ///
    /// # Errors
    /// The settings of a run cannot be read.
    pub(crate) fn seed_for(&self, settings: &SelfplaySettings) -> Result<u64> {
        let mut unused = 1;
        let mut continued = None;
        for folder in self.folders()? {
            let found = RunFolder(&folder).settings()?;
            unused = unused.max(found.run.saturating_add(1));
            let settings = SelfplaySettings { run: found.run, ..settings.clone() };
            if settings.difference_from(&found)?.is_none() {
                continued = continued.max(Some(found.run));
            }
        }
        Ok(continued.unwrap_or(unused))
    }

    /// Returns the settings of all runs in the order of their seeds, the number of their games and
    /// positions, and the SHA-256 of their complete games.
    ///
    /// # Errors
    /// A run cannot be read.
    pub(crate) fn runs(&self) -> Result<Vec<(SelfplaySettings, SelfplayTotals, String)>> {
        let run = |folder: PathBuf| {
            let folder = RunFolder(&folder);
            let (totals, sha256) = folder.totals()?;
            Ok((folder.settings()?, totals, sha256))
        };
        let mut runs = self.folders()?.into_iter().map(run).collect::<Result<Vec<_>>>()?;
        runs.sort_by_key(|(settings, ..)| settings.run);
        Ok(runs)
    }

    /// Returns the folders that hold a run.
    fn folders(&self) -> Result<Vec<PathBuf>> {
        let paths = fs::read_dir(&self.folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
        let mut paths: Vec<PathBuf> = match paths {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            paths => paths.with_context(|| self.folder.display().to_string())?,
        };
        paths.retain(|path| path.join(SETTINGS_FILE).is_file());
        paths.sort();
        Ok(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::play_run;

    #[test]
    fn the_newest_run_with_the_same_settings_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let store = RunStore { folder: folder.path().join("not/yet/there") };
        let seed = |settings| store.seed_for(&settings).unwrap();
        assert_eq!(seed(SelfplaySettings::quick()), 1);
        assert_eq!(store.runs().unwrap(), []);
        let played = [7, 12].map(|run| {
            let settings = SelfplaySettings { run, ..SelfplaySettings::quick() };
            (play_run(&store.run_folder(run), &settings, 1), settings)
        });
        let runs = store.runs().unwrap();
        assert_eq!(runs.iter().map(|run| (run.1, run.0.clone())).collect::<Vec<_>>(), played);
        assert_ne!(runs[0].2, runs[1].2);
        assert_eq!(seed(SelfplaySettings::quick()), 12);
        let other_commit =
            SelfplaySettings { commit: "another".to_owned(), ..SelfplaySettings::quick() };
        assert_eq!(seed(other_commit), 13);
        fs::write(store.run_folder(7).join(SETTINGS_FILE), "run = 7").unwrap();
        let error = format!("{:#}", store.seed_for(&SelfplaySettings::quick()).unwrap_err());
        assert!(error.contains("run-7") && error.contains("missing field"), "{error}");
    }
}
