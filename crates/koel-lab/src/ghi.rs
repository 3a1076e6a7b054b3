//! `koel-lab ghi`: the policies for path-dependent draws compared (graph history interaction).

pub(crate) mod mates;
mod no_progress;
mod policies;
mod positions;
mod random_positions;
pub(crate) mod statistics;
pub(crate) mod truth;
pub(crate) mod wrong_values;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use koel_board::Position;
use serde::Serialize;

use self::mates::MatePlan;
use self::truth::{Plan, WrongValueCounts};
use crate::network::load_evaluation;

#[derive(Args, Debug)]
pub(crate) struct Ghi {
    /// Count the wrong values of a plain alpha-beta search with a transposition table, compared
    /// with a search that is free of the problem, on random positions: for each policy, or with
    /// --no-progress for each setting of that rule
    #[arg(long)]
    truth: bool,
    /// Compare the settings of the no-progress rule: off, on, and with tracked path dependence
    #[arg(long)]
    no_progress: bool,
    /// Count the mates found under each setting of the no-progress rule, on random positions
    #[arg(long, conflicts_with_all = ["truth", "no_progress", "depth", "positions"])]
    mates: bool,
    /// Depth in plies [default: 16; with --truth 15]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search the positions of this file, one FEN per line, instead of the built-in sets
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Evaluate with the network of this file instead of the embedded one
    #[arg(long, value_name = "FILE", conflicts_with = "truth")]
    network: Option<PathBuf>,
    /// With --truth, search so many positions of a line of play from each position, every second
    /// one, with the table kept from one to the next
    #[arg(long, default_value_t = 1, conflicts_with = "no_progress",
        value_parser = clap::value_parser!(u32).range(1..=100))]
    moves: u32,
    /// Number of random positions of each kind
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    random: u32,
    /// Seed of the random positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of each search with --mates; with --truth the nodes to which the truth is searched
    /// [default: 1000000; 10000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Also write the results as JSON (--mates or --truth)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Deep enough for cycles to matter, and done in minutes.
const SEARCH_DEPTH: u32 = 16;
const TRUTH_DEPTH: u32 = 15;
const TRUTH_NODES: u64 = 10_000;
const MATE_NODES: u64 = 1_000_000;

impl Ghi {
    pub(crate) fn run(&self) -> Result<()> {
        let mut output = io::stdout().lock();
        if self.mates {
            let (seed, positions) = (self.seed, self.random as usize);
            let plan = MatePlan { seed, positions, nodes: self.nodes.unwrap_or(MATE_NODES) };
            let evaluation = load_evaluation(self.network.as_deref())?;
            return self.write_json(&mates::run(plan, &evaluation, &mut output)?);
        }
        if self.truth {
            return self.count_wrong_values(&mut output);
        }
        self.compare_policies(&mut output)
    }

    fn count_wrong_values(&self, output: &mut impl Write) -> Result<()> {
        let design = if self.no_progress { &truth::RULES } else { &truth::POLICIES };
        let given = self.given_positions()?;
        let plan = Plan {
            seed: self.seed,
            positions: given.as_ref().map_or(self.random as usize, Vec::len),
            depth: self.depth.unwrap_or(TRUTH_DEPTH),
            nodes: self.nodes.unwrap_or(TRUTH_NODES),
            moves: self.moves,
        };
        let counts = match given {
            None => truth::run(design, plan, output)?,
            Some(positions) => {
                let set = truth::run_set(design, ("given", &positions), &plan, output)?;
                WrongValueCounts { plan, sets: vec![set] }
            }
        };
        self.write_json(&counts)
    }

    fn given_positions(&self) -> Result<Option<Vec<Position>>> {
        self.positions.as_deref().map(positions::read).transpose()
    }

    fn write_json(&self, results: &impl Serialize) -> Result<()> {
        let Some(path) = &self.json else { return Ok(()) };
        let text = serde_json::to_string_pretty(results)? + "\n";
        fs::write(path, text).with_context(|| path.display().to_string())
    }

    fn compare_policies(&self, output: &mut impl Write) -> Result<()> {
        let depth = self.depth.unwrap_or(SEARCH_DEPTH);
        let evaluation = load_evaluation(self.network.as_deref())?;
        let sets = match self.given_positions()? {
            Some(positions) => vec![("given", positions)],
            None => positions::sets(),
        };
        for (name, positions) in &sets {
            writeln!(output, "{} positions, {name}, to depth {depth}", positions.len())?;
            if self.no_progress {
                no_progress::report(positions, depth, &evaluation, output)?;
            } else {
                policies::report(positions, depth, &evaluation, output)?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}
