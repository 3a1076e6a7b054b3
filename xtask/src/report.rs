//! `cargo xtask report`: one page with all that was measured, from the data in `docs/data`.
//!
//! The state of a match has a line for each game and is not for keeping; `--keep` condenses one
//! into a few kilobytes that are.

mod ablation;
mod data;
mod group;
mod html;
mod kept;
mod matches;
mod page;
mod threads;
mod tuning;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::read_state;
use xshell::Shell;

use crate::engines;
use data::Data;
use kept::{Kept, Story};

#[derive(Args)]
pub(crate) struct Report {
    /// Where the page goes [default: report.html in the target folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where the data are
    #[arg(long, value_name = "FOLDER", default_value = "docs/data")]
    data: PathBuf,
    /// Write the plot of the ablation, ablation.svg, to this folder instead of the page
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    svg: Option<PathBuf>,
    /// Condense the state of a match into the data instead of writing the page
    #[arg(long, value_name = "STATE", requires_all = ["name", "group", "title"])]
    keep: Option<PathBuf>,
    /// What the file of that match is called in the data; matches of a group stand in the order
    /// of these names
    #[arg(long, requires = "keep")]
    name: Option<String>,
    #[command(flatten)]
    story: Story,
}

impl Report {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let folder = shell.current_dir().join(&self.data);
        if let (Some(state), Some(name)) = (&self.keep, &self.name) {
            return keep(&shell.current_dir().join(state), &folder, name, &self.story);
        }
        let data = Data::read(&folder)?;
        let (path, text) = match self.svg {
            Some(folder) => {
                let ablation = data.ablation.as_ref().context("there is no ablation.json")?;
                let chart = ablation::chart(ablation, koel_chart::USUAL_WIDTH);
                (folder.join("ablation.svg"), chart.draw().standalone())
            }
            None => {
                let path = match self.output {
                    Some(path) => path,
                    None => engines::target_folder(shell)?.join("report.html"),
                };
                (path, page::page(&data))
            }
        };
        let path = shell.current_dir().join(path);
        shell.write_file(&path, text)?;
        println!("{}", path.display());
        Ok(())
    }
}

/// Condenses the state of a match into a file of its name.
fn keep(state: &Path, folder: &Path, name: &str, story: &Story) -> Result<()> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    ensure!(
        !name.is_empty() && name.chars().all(is_plain),
        "`{name}`: letters, digits and `-` only"
    );
    let games = read_state(state)?;
    let games = games.with_context(|| format!("{}: no such file", state.display()))?;
    let kept = Kept::of(&games, story)?;
    let path = kept.write(folder, name)?;
    println!("{}: {}", path.display(), kept.line());
    Ok(())
}

#[cfg(test)]
mod tests;
