//! `koel-lab smp`: changes of the search compared by time and nodes to a fixed depth, with several
//! threads.

use std::fmt;

use anyhow::Result;
use clap::Args;
use koel_arena::EngineSpec;
use koel_board::Position;

use crate::depth_search::{DepthSearch, SearchCost};
use crate::ghi::statistics::NodeRatio;
use crate::switches::{self, options_of};
use crate::workspace::Workspace;

/// Positions of the benchmark that are searched.
const POSITIONS: usize = 40;
const HASH_MEBIBYTES: u32 = 64;

#[derive(Args, Clone, Debug)]
pub(crate) struct Smp {
    /// Changes, each compared with the search without it: features to be switched, by their names in
    /// features.rs, and options, as in `aspiration_margin=14`; with commas between those that belong
    /// together
    #[arg(value_name = "CHANGE")]
    changes: Vec<String>,
    /// Search threads
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Depth in plies
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Searches of each position with each change
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// A program built with `--features tune,ablate` [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
}

/// The measurements of one change.
struct Row {
    name: String,
    engine: DepthSearch,
    total: SearchCost,
    /// For each search, the logarithm of its time over that without a change.
    log_times: Vec<f64>,
    /// For each search, the logarithm of its nodes over those without a change.
    log_nodes: Vec<f64>,
}

impl Smp {
    /// Searches each position with all changes before the next one, so that other load on the machine
    /// affects all alike; prints a row for each.
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let engine = workspace.engine_with_switches(self.engine.as_deref())?;
        let switches = switches::read(workspace, &engine)?;
        let mut rows = vec![self.row("none", engine.clone())?];
        for text in &self.changes {
            let mut engine = engine.clone();
            engine.options.extend(options_of(text, &switches)?);
            rows.push(self.row(text, engine)?);
        }
        let positions = koel::bench_positions().filter(Position::has_legal_moves);
        let positions: Vec<_> = positions.take(POSITIONS).collect();
        println!(
            "{} positions to depth {}, {} times, {} threads, hash {HASH_MEBIBYTES} MiB",
            positions.len(),
            self.depth,
            self.runs,
            self.threads
        );
        for run in 0..self.runs as usize {
            for position in &positions {
                let mut costs = vec![SearchCost::default(); rows.len()];
                for turn in 0..rows.len() {
                    // Each row is the first in as many runs as the others.
                    let index = (turn + run) % rows.len();
                    costs[index] = rows[index].engine.cost_of(position, self.depth)?;
                }
                let first = costs[0];
                for (row, cost) in rows.iter_mut().zip(costs) {
                    row.add(cost, first);
                }
            }
        }
        println!("{HEAD}");
        rows.iter().for_each(|row| println!("{row}"));
        Ok(())
    }

    fn row(&self, name: &str, engine: EngineSpec) -> Result<Row> {
        Ok(Row {
            name: name.to_owned(),
            engine: DepthSearch::start(engine, self.threads, HASH_MEBIBYTES)?,
            total: SearchCost::default(),
            log_times: Vec::new(),
            log_nodes: Vec::new(),
        })
    }
}

const HEAD: &str = "Change                   Time to depth  against none      nodes";

impl Row {
    fn add(&mut self, cost: SearchCost, first: SearchCost) {
        self.total += cost;
        self.log_times.push((cost.seconds / first.seconds).ln());
        self.log_nodes.push((cost.nodes.max(1) as f64 / first.nodes.max(1) as f64).ln());
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<24} {:>11.2} s  {}  {}",
            self.name,
            self.total.seconds,
            in_percent(&self.log_times),
            in_percent(&self.log_nodes),
        )
    }
}

/// The geometric mean of ratios given by their logarithms, as a change in percent, with the
/// half-width of its 95 % confidence interval.
fn in_percent(logarithms: &[f64]) -> String {
    let NodeRatio { mean, high, .. } = NodeRatio::of_logarithms(logarithms);
    format!("{:+6.1} ±{:4.1} %", 100.0 * (mean - 1.0), 100.0 * (high / mean - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_printed_with_its_interval() {
        assert_eq!(in_percent(&[0.0; 4]), "  +0.0 ± 0.0 %");
        let halved = [0.5_f64.ln() - 0.1, 0.5_f64.ln() + 0.1];
        assert_eq!(in_percent(&halved), " -50.0 ±21.7 %");
    }
}
