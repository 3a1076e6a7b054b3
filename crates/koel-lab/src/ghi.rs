//! `koel-lab ghi`: the policies for path-dependent draws compared (graph history
//! interaction).

mod random_positions;
mod statistics;
mod truth;
mod wrong_values;

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use koel_board::Position;
use koel_files::IN_MEMORY;

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
    /// Also write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Ghi {
    pub(crate) fn run(&self) -> Result<()> {
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
