//! `koel ghi`: what draws that depend on the path do to a search, under each policy (graph history
//! interaction).

mod no_progress;
mod policies;
mod set;
mod truth;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

/// What is to be told.
#[derive(Debug, Args)]
pub(crate) struct Ghi {
    /// Count the wrong values of a search with nothing in it but a table, against the truth
    #[arg(long, conflicts_with = "no_progress")]
    truth: bool,
    /// Try the no-progress rule: off, on, and with path dependence
    #[arg(long)]
    no_progress: bool,
    /// Plies to search
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search the positions of this file instead, a FEN in each line
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

/// Deep enough that cycles matter, and done in minutes.
const SEARCH_DEPTH: u32 = 16;
const TRUTH_DEPTH: u32 = 15;

impl Ghi {
    pub(crate) fn execute(&self) -> Result<(), Box<dyn std::error::Error>> {
        let mut output = io::stdout().lock();
        let given = self.positions.as_deref().map(set::read).transpose()?;
        if self.truth {
            let positions = given.unwrap_or_else(set::truth);
            truth::report(&positions, self.depth.unwrap_or(TRUTH_DEPTH), &mut output)?;
            return Ok(());
        }
        let depth = self.depth.unwrap_or(SEARCH_DEPTH);
        let sets = match given {
            Some(positions) => vec![("given", positions)],
            None => set::all(),
        };
        for (name, positions) in &sets {
            writeln!(output, "{} positions, {name}, to depth {depth}", positions.len())?;
            if self.no_progress {
                no_progress::report(positions, depth, &mut output)?;
            } else {
                policies::report(positions, depth, &mut output)?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}
