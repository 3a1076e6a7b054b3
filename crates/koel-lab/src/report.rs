//! `koel-lab report`: an HTML report of all measurements in `docs/data`.
//!
//! The state file of a match has a line for each game and is too large for the repository; `keep`
//! condenses it into a few kilobytes.

mod ablation;
mod archived_match;
mod cycles;
mod data;
mod group;
mod html;
mod matches;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use koel_arena::read_state;

use self::archived_match::ArchivedMatch;
use self::data::Data;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Report {
    #[command(subcommand)]
    action: Option<Action>,
    /// The report to write [default: report.html in the target folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The folder of the data [default: docs/data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Write only the charts of the documentation, ablation.svg and cycles-*.svg, to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    svg: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Action {
    /// Condense the state file of a match into the data instead of writing the report
    Keep {
        /// The state file
        state: PathBuf,
        /// The name of its file in the data; the matches of a group are sorted by these names
        #[arg(long)]
        name: String,
        #[command(flatten)]
        archived: ArchivedMatch,
    },
}

impl Report {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let folder = self.data.unwrap_or_else(|| workspace.path("docs/data"));
        if let Some(Action::Keep { state, name, archived }) = self.action {
            return keep(&state, &folder, &name, archived);
        }
        let data = Data::read(&folder)?;
        if let Some(folder) = &self.svg {
            return write_charts(&data, folder);
        }
        let path = match self.output {
            Some(path) => path,
            None => workspace.target_folder()?.join("report.html"),
        };
        write(&path, &page::page(&data))
    }
}

/// Writes the charts for which there are data.
fn write_charts(data: &Data, folder: &Path) -> Result<()> {
    let mut charts = cycles::charts(data);
    if let Some(ablation) = &data.ablation {
        charts.push(("ablation.svg", ablation::chart(ablation).draw()));
    }
    charts.iter().try_for_each(|(name, chart)| write(&folder.join(name), &chart.standalone()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(path, text).with_context(|| path.display().to_string())?;
    println!("{}", path.display());
    Ok(())
}

/// Condenses the state file of a match into a file of the data.
fn keep(state: &Path, folder: &Path, name: &str, archived: ArchivedMatch) -> Result<()> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    ensure!(
        !name.is_empty() && name.chars().all(is_plain),
        "`{name}`: letters, digits and `-` only"
    );
    let games = read_state(state)?;
    let games = games.with_context(|| format!("{}: no such file", state.display()))?;
    let archived = archived.with_games(&games)?;
    let path = archived.write(folder, name)?;
    println!("{}: {}", path.display(), matches::summary(&archived));
    Ok(())
}

#[cfg(test)]
mod tests;
