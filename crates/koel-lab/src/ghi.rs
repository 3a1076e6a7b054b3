//! `koel-lab ghi`: the policies for path-dependent draws compared (graph history interaction).

mod no_progress;
mod policies;
mod positions;
mod truth;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::network::load_evaluation;

#[derive(Args, Debug)]
pub(crate) struct Ghi {
    /// Count the wrong values of a plain alpha-beta search with a transposition table, compared
    /// with a search that is free of the problem
    #[arg(long, conflicts_with = "no_progress")]
    truth: bool,
    /// Compare the settings of the no-progress rule: off, on, and with tracked path dependence
    #[arg(long)]
    no_progress: bool,
    /// Depth in plies [default: 16; with --truth 15]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search the positions of this file, one FEN per line, instead of the built-in sets
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Evaluate with the network of this file instead of the embedded one
    #[arg(long, value_name = "FILE", conflicts_with = "truth")]
    network: Option<PathBuf>,
}

/// Deep enough for cycles to matter, and done in minutes.
const SEARCH_DEPTH: u32 = 16;
const TRUTH_DEPTH: u32 = 15;

impl Ghi {
    pub(crate) fn run(&self) -> Result<()> {
        let mut output = io::stdout().lock();
        let given = self.positions.as_deref().map(positions::read).transpose()?;
        if self.truth {
            let positions = given.unwrap_or_else(positions::small_locked_endings);
            truth::report(&positions, self.depth.unwrap_or(TRUTH_DEPTH), &mut output)?;
            return Ok(());
        }
        let depth = self.depth.unwrap_or(SEARCH_DEPTH);
        let evaluation = load_evaluation(self.network.as_deref())?;
        let sets = match given {
            Some(positions) => vec![("given", positions)],
            None => positions::sets(),
        };
        for (name, positions) in &sets {
            writeln!(output, "{} positions, {name}, to depth {depth}", positions.len())?;
            if self.no_progress {
                no_progress::report(positions, depth, &evaluation, &mut output)?;
            } else {
                policies::report(positions, depth, &evaluation, &mut output)?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}
