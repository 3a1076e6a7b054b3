//! `koel-lab ghi`: the policies for path-dependent draws compared (graph history
//! interaction).

mod random_positions;
mod statistics;
mod truth;
mod wrong_values;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_board::Position;
use koel_files::IN_MEMORY;
use serde_json::Value;

use self::truth::Plan;
use crate::json_file;

#[derive(Args, Debug)]
pub(crate) struct Ghi {
    /// Compare the settings of the no-progress rule: off, on, and with tracked path dependence
    #[arg(long)]
    no_progress: bool,
    /// Greatest depth in plies
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Search the positions of this file, one FEN per line, instead of random ones
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Search so many positions of a line of play from each position, every second one, with the
    /// table kept from one to the next
    #[arg(long, default_value_t = 1, conflicts_with = "no_progress",
        value_parser = clap::value_parser!(u32).range(1..=100))]
    moves: u32,
    /// Number of random positions of each kind
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    random: u32,
    /// Seed of the random positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes to which the truth is searched
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Also write the results as JSON, to a new file or one with results of this command
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Ghi {
    pub(crate) fn run(&self) -> Result<()> {
        self.json.as_deref().map_or(Ok(()), check_replaceable)?;
        let mut output = io::stdout().lock();
        let design = if self.no_progress { &truth::RULES } else { &truth::POLICIES };
        let given = self.positions.as_deref().map(read_positions).transpose()?;
        let plan = Plan {
            seed: self.seed,
            positions: given.as_ref().map_or(self.random as usize, Vec::len),
            depth: self.depth,
            nodes: self.nodes,
            moves: self.moves,
        };
        let counts = truth::run(design, plan, given, &mut output)?;
        self.json.as_ref().map_or(Ok(()), |path| json_file::write_pretty(path, &counts))
    }
}

/// Checks that a file holds results of this command, or is missing.
fn check_replaceable(path: &Path) -> Result<()> {
    let is_own = |found: &Value| ["plan", "sets"].iter().all(|key| found.get(key).is_some());
    let found = json_file::read::<Value>(path);
    let is_free = found.is_ok_and(|found| found.is_none_or(|found| is_own(&found)));
    ensure!(is_free, "{} holds something else: name another file", path.display());
    Ok(())
}

/// Reads one FEN per line; lines that begin with `#` are comments.
fn read_positions(path: &Path) -> Result<Vec<Position>> {
    let name = || path.display().to_string();
    let text = koel_files::read_to_string(path, IN_MEMORY).with_context(name)?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let read = |(number, line)| {
        Position::from_fen(line).with_context(|| format!("{}, line {number}", name()))
    };
    lines.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_results_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        assert!(check_replaceable(&path).is_ok());
        for (text, is_own) in [
            (r#"{"plan": {}, "sets": []}"#, true),
            (r#"{"plan": {}}"#, false),
            ("[1]", false),
            ("notes", false),
            ("", false),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(check_replaceable(&path).is_ok(), is_own, "{text}");
        }
    }
}
