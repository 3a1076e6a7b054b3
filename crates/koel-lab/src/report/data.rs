//! The data of the report, read from a folder. Any file may be missing.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use koel_files::IN_MEMORY;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::archived_match::ArchivedMatch;
use super::group::Group;
use crate::ghi::truth::WrongValueCounts;
use crate::trial::ablation::AblationResults;
use crate::tune::state::TuningRun;

/// All measurements.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) about: About,
    /// Sorted by the names of their files.
    pub(crate) matches: Vec<ArchivedMatch>,
    /// `ablation.json`.
    pub(crate) ablation: Option<AblationResults>,
    /// `tuning.json`.
    pub(crate) tuning: Option<TuningRun>,
    pub(crate) threads: Option<Threads>,
    /// `no-progress.json`.
    pub(crate) no_progress: Option<WrongValueCounts>,
    /// `wrong-values.json`.
    pub(crate) wrong_values: Option<WrongValueCounts>,
}

/// `about.json`: the tested version and the machine.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct About {
    pub(crate) commit: Option<String>,
    pub(crate) bench: Option<u64>,
    /// In words, such as "two cores of a server, shared with other work".
    pub(crate) machine: Option<String>,
}

/// `threads.json`: the output of `cargo xtask speedtest --json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Threads {
    pub(crate) engine: String,
    pub(crate) positions: u64,
    pub(crate) depth: u64,
    pub(crate) hash_mebibytes: u64,
    pub(crate) rows: Vec<ThreadsRow>,
    /// Remarks that were added by hand.
    pub(crate) note: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ThreadsRow {
    pub(crate) threads: u64,
    /// Time to the depth, summed over all positions.
    pub(crate) seconds: f64,
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: f64,
}

impl Data {
    pub(crate) fn read(folder: &Path) -> Result<Data> {
        let mut matches = Vec::new();
        for path in files(&folder.join("matches"))? {
            matches.extend(json(&path)?);
        }
        Ok(Data {
            about: json(&folder.join("about.json"))?.unwrap_or_default(),
            matches,
            ablation: json(&folder.join("ablation.json"))?,
            tuning: json(&folder.join("tuning.json"))?,
            threads: json(&folder.join("threads.json"))?,
            no_progress: json(&folder.join("no-progress.json"))?,
            wrong_values: json(&folder.join("wrong-values.json"))?,
        })
    }

    pub(crate) fn of_group(&self, group: Group) -> Vec<&ArchivedMatch> {
        self.matches.iter().filter(|archived| archived.group == group).collect()
    }

    pub(crate) fn games(&self) -> u64 {
        let rows = self.ablation.iter().flat_map(|ablation| &ablation.rows);
        self.matches.iter().map(ArchivedMatch::games).sum::<u64>()
            // The games of a trial count for all its features.
            + rows
                .filter_map(|row| row.score.filter(|score| score.results.is_some()))
                .map(|score| score.games)
                .sum::<u64>()
            + self.tuning.as_ref().map_or(0, |run| run.wins + run.draws + run.losses)
    }

    /// The time of all matches and tuning runs, as far as it is known.
    pub(crate) fn seconds(&self) -> u64 {
        self.matches.iter().filter_map(|archived| archived.seconds).sum::<u64>()
            + self.tuning.as_ref().map_or(0, |run| run.seconds as u64)
    }
}

/// The contents of a JSON file; `None` if there is no such file.
fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    match koel_files::read_to_string(path, IN_MEMORY) {
        Ok(text) => {
            serde_json::from_str(&text).map(Some).with_context(|| path.display().to_string())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// The JSON files of a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| folder.display().to_string())?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}
