//! The data of the report, read from a folder. Any file may be missing.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::archived_match::ArchivedMatch;
use super::group::Group;
use crate::ghi::truth::WrongValueCounts;
use crate::json_file::read;
use crate::trial::ablation::AblationResults;

/// All measurements.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) about: About,
    /// Sorted by the names of their files.
    pub(crate) matches: Vec<ArchivedMatch>,
    /// `ablation.json`.
    pub(crate) ablation: Option<AblationResults>,
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

impl Data {
    pub(crate) fn read(folder: &Path) -> Result<Data> {
        let mut matches = Vec::new();
        for path in files(&folder.join("matches"))? {
            matches.extend(read(&path)?);
        }
        Ok(Data {
            about: read(&folder.join("about.json"))?.unwrap_or_default(),
            matches,
            ablation: read(&folder.join("ablation.json"))?,
            no_progress: read(&folder.join("no-progress.json"))?,
            wrong_values: read(&folder.join("wrong-values.json"))?,
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
    }

    /// The time of all matches, as far as it is known.
    pub(crate) fn seconds(&self) -> u64 {
        self.matches.iter().filter_map(|archived| archived.seconds).sum()
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
