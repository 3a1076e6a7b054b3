//! `koel-lab speedtest`: time and nodes to a fixed depth by number of threads, without and with
//! changes of the search.

use std::fmt;
use std::thread;

use anyhow::Result;
use clap::Args;
use koel_arena::cli::CommandContext;
use koel_board::Position;

use crate::depth_search::{DepthSearch, SearchCost};
use crate::ghi::statistics::NodeRatio;
use crate::switches::{self, options_of};
use crate::workspace::Workspace;

/// Positions of the benchmark that are searched.
const POSITIONS: usize = 40;

#[derive(Args, Clone, Debug)]
pub(crate) struct Speedtest {
    /// Changes, each measured beside the search without it: switches to be turned, and
    /// options, as in `aspiration_margin=14`; with commas between those that belong
    /// together
    #[arg(value_name = "CHANGE")]
    changes: Vec<String>,
    /// Numbers of threads, with commas [default: powers of two up to as many as the machine runs at
    /// once, and that number]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Vec<u32>,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Depth in plies
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Searches of each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// `koel` for a release build of the working tree, a program, or a git revision. Changes need a
    /// program built with `--features tune,switches` [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
}

/// The measurements of one change with one number of threads.
struct Row {
    threads: u32,
    change: String,
    engine: DepthSearch,
    total: SearchCost,
    /// For each search, the logarithm of its time over that of the first row.
    log_times: Vec<f64>,
    /// For each search, the logarithm of its nodes over those of the first row.
    log_nodes: Vec<f64>,
}

impl Speedtest {
    /// Searches each position for all rows before the next one, so that other load on the machine
    /// affects all alike; prints the rows.
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let mut rows = self.rows(workspace)?;
        let positions = positions();
        println!(
            "{} positions to depth {}, hash {} MiB, runs: {}",
            positions.len(),
            self.depth,
            self.hash,
            self.runs
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

    /// For each number of threads, the search without a change and that with each.
    fn rows(&self, workspace: &Workspace) -> Result<Vec<Row>> {
        let program = self.engine.as_deref();
        let mut specs = Vec::new();
        if self.changes.is_empty() {
            specs.push(("none", workspace.resolve(program.unwrap_or("koel"))?));
        } else {
            if program.is_none() {
                switches::check_names(&self.changes)?;
            }
            let engine = workspace.engine_with_switches(program)?;
            let switches = switches::read(workspace, &engine)?;
            specs.push(("none", engine.clone()));
            for text in &self.changes {
                let mut engine = engine.clone();
                engine.options.extend(options_of(text, &switches)?);
                specs.push((text, engine));
            }
        }
        let mut rows = Vec::new();
        for threads in self.threads() {
            for (change, engine) in &specs {
                let engine = DepthSearch::start(engine.clone(), threads, self.hash)?;
                rows.push(Row::new(threads, change, engine));
            }
        }
        Ok(rows)
    }

    fn threads(&self) -> Vec<u32> {
        let cores = || thread::available_parallelism().map_or(1, |count| count.get() as u32);
        if self.threads.is_empty() { up_to(cores()) } else { self.threads.clone() }
    }
}

/// The powers of two below the largest number of threads, and that number.
fn up_to(most: u32) -> Vec<u32> {
    let powers = (0..).map(|power| 1 << power);
    powers.take_while(|&threads| threads < most).chain([most]).collect()
}

/// The positions that are searched. An engine visits no node of a mate.
fn positions() -> Vec<Position> {
    koel::bench_positions().filter(Position::has_legal_moves).take(POSITIONS).collect()
}

const HEAD: &str =
    "Threads  Change                   Time to depth  against first   nodes         nodes/second";

impl Row {
    fn new(threads: u32, change: &str, engine: DepthSearch) -> Row {
        let (log_times, log_nodes) = (Vec::new(), Vec::new());
        let change = change.to_owned();
        Row { threads, change, engine, total: SearchCost::default(), log_times, log_nodes }
    }

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
            "{:>7}  {:<24} {:>11.2} s  {}  {} {:>12.0}",
            self.threads,
            self.change,
            self.total.seconds,
            in_percent(&self.log_times),
            in_percent(&self.log_nodes),
            self.total.nodes as f64 / self.total.seconds,
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
    fn threads_double_up_to_the_largest_number() {
        assert_eq!(up_to(1), [1]);
        assert_eq!(up_to(2), [1, 2]);
        assert_eq!(up_to(6), [1, 2, 4, 6]);
    }

    #[test]
    fn no_position_is_a_mate() {
        let positions = positions();
        assert!(positions.len() == POSITIONS && positions.iter().all(Position::has_legal_moves));
        assert!(koel::bench_positions().any(|position| !position.has_legal_moves()));
    }

    #[test]
    fn a_ratio_is_printed_with_its_interval() {
        assert_eq!(in_percent(&[0.0; 4]), "  +0.0 ± 0.0 %");
        let halved = [0.5_f64.ln() - 0.1, 0.5_f64.ln() + 0.1];
        assert_eq!(in_percent(&halved), " -50.0 ±21.7 %");
    }
}
