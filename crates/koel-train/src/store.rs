//! The store of self-play runs: a folder outside any checkout, with an index of its runs.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::selfplay::{RunFolder, SETTINGS_FILE, SelfplayTotals};
use crate::selfplay_settings::SelfplaySettings;
use crate::toml_file::{read_toml, write_toml};

/// The name of the file of the index.
const INDEX_FILE: &str = "index.toml";

/// The environment variable that names the folder of the store.
const STORE_VARIABLE: &str = "KOEL_DATA";

/// A folder of runs, each in a folder of its own.
///
/// Games follow from the commit and the settings, so a lost store costs time and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunStore {
    folder: PathBuf,
}

/// A run of the store, as the index lists it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredRun {
    /// The name of its folder.
    pub(crate) folder: String,
    /// The size of its file of games when it was last read.
    pub(crate) bytes: u64,
    /// The SHA-256 of its complete games in hexadecimal.
    pub(crate) sha256: String,
    /// The number of its games and positions.
    pub(crate) totals: SelfplayTotals,
    /// The settings that determine the games.
    pub(crate) settings: SelfplaySettings,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    #[serde(default, rename = "run")]
    runs: Vec<StoredRun>,
}

impl RunStore {
    /// Creates the store in a folder, which need not exist yet.
    pub(crate) fn new(folder: PathBuf) -> RunStore {
        RunStore { folder }
    }

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
        Ok(RunStore::new(folder))
    }

    /// Returns the folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
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
            if (SelfplaySettings { run: found.run, ..settings.clone() }) == found {
                continued = continued.max(Some(found.run));
            }
        }
        Ok(continued.unwrap_or(unused))
    }

    /// Returns all runs, and brings the index up to date. Only runs whose file of games has another
    /// size than the index states are read.
    ///
    /// # Errors
    /// A run or the index cannot be read, or the index cannot be written.
    pub(crate) fn runs(&self) -> Result<Vec<StoredRun>> {
        let index_path = self.folder.join(INDEX_FILE);
        let mut known = read_toml::<Index>(&index_path)?.unwrap_or_default().runs;
        let mut runs = Vec::new();
        for path in self.folders()? {
            let run_folder = RunFolder(&path);
            let folder = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let settings = run_folder.settings()?;
            let bytes = run_folder.bytes();
            let is_same = |run: &StoredRun| {
                run.folder == folder && run.bytes == bytes && run.settings == settings
            };
            let run = match known.iter().position(is_same) {
                Some(index) => known.swap_remove(index),
                None => {
                    let (totals, sha256) = run_folder.totals()?;
                    StoredRun { folder, bytes, sha256, totals, settings }
                }
            };
            runs.push(run);
        }
        runs.sort_by_key(|run| run.settings.run);
        let index = Index { runs };
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        write_toml(&index_path, &index)?;
        Ok(index.runs)
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
    use koel_eval::Evaluation;

    use super::*;
    use crate::phase_values::PhaseValues;
    use crate::selfplay::{GAMES_FILE, SelfplayGoal, selfplay};
    use crate::testing::Scratch;

    fn quick(run: u64) -> SelfplaySettings {
        let soft_nodes = PhaseValues::Uniform(15);
        SelfplaySettings { run, soft_nodes, hash_mebibytes: 1, ..SelfplaySettings::default() }
    }

    fn play(store: &RunStore, run: u64, games: u32) -> SelfplayTotals {
        let (folder, goal) = (store.run_folder(run), SelfplayGoal::games(games));
        selfplay(&folder, &quick(run), &Evaluation::default(), goal, 1, &mut |_| ()).unwrap()
    }

    #[test]
    fn the_index_follows_the_runs() {
        let scratch = Scratch::new("store-index");
        let store = RunStore::new(scratch.0.join("not/yet/there"));
        assert_eq!(store.runs().unwrap(), []);
        let totals = [play(&store, 3, 4), play(&store, 12, 2)];
        let runs = store.runs().unwrap();
        let found: Vec<_> = runs.iter().map(|run| (run.settings.run, run.totals)).collect();
        assert_eq!(found, [(3, totals[0]), (12, totals[1])]);
        assert_eq!(runs[1].folder, "run-12");

        // The content of a run whose size is that of the index is not read again.
        let games = store.run_folder(12).join(GAMES_FILE);
        let bytes = fs::read(&games).unwrap();
        fs::write(&games, vec![0xff; bytes.len()]).unwrap();
        assert_eq!(store.runs().unwrap(), runs);
        fs::write(&games, bytes).unwrap();

        // A run that goes on is.
        let more = play(&store, 3, 7);
        let later = store.runs().unwrap();
        assert_eq!((later[0].totals, &later[1]), (more, &runs[1]));
        assert_ne!(later[0].sha256, runs[0].sha256);

        // So is every run if the index is lost.
        fs::remove_file(store.folder().join(INDEX_FILE)).unwrap();
        assert_eq!(store.runs().unwrap(), later);
    }

    #[test]
    fn the_newest_run_with_the_same_settings_is_continued() {
        let scratch = Scratch::new("store-seed");
        let store = RunStore::new(scratch.0.clone());
        let seed = |settings| store.seed_for(&settings).unwrap();
        assert_eq!(seed(quick(0)), 1);
        for run in [1, 7] {
            play(&store, run, 1);
        }
        assert_eq!(seed(quick(0)), 7);
        let other_commit = SelfplaySettings { commit: "another".to_owned(), ..quick(0) };
        assert_eq!(seed(other_commit), 8);
        fs::write(store.run_folder(7).join(SETTINGS_FILE), "run = 7").unwrap();
        let error = format!("{:#}", store.seed_for(&quick(0)).unwrap_err());
        assert!(error.contains("run-7") && error.contains("missing field"), "{error}");
    }
}
