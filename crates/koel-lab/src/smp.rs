//! `koel-lab smp`: the SMP modes compared by time and nodes to a fixed depth.

use std::fmt;

use anyhow::Result;
use clap::Args;
use koel_board::{Game, Position};
use koel_search::{SmpCounts, SmpMode};

use crate::bench_pool::{BenchPool, SearchCost};

/// Positions of the benchmark that are searched.
const POSITIONS: usize = 40;
const HASH_MEBIBYTES: usize = 64;
/// The values of the UCI option `SMP Mode`, in the order of [`SmpMode::ALL`].
const MODE_NAMES: [&str; SmpMode::ALL.len()] = ["lazy", "defer", "breadcrumbs"];

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Smp {
    /// Search threads
    #[arg(default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Depth in plies
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Searches of each position in each mode
    #[arg(default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The measurements of one mode.
struct ModeRow {
    name: &'static str,
    total: SearchCost,
    counts: SmpCounts,
    /// For each search, the logarithm of its time over that of the first mode.
    log_times: Vec<f64>,
    /// For each search, the logarithm of its nodes over those of the first mode.
    log_nodes: Vec<f64>,
}

impl Smp {
    /// Searches each position in all modes before the next one, so that other load on the machine
    /// affects all modes alike; prints a row for each mode.
    pub(crate) fn run(self) -> Result<()> {
        let (threads, depth, runs) = (self.threads as usize, self.depth as i32, self.runs as usize);
        let positions = koel::bench_positions().filter(Position::has_legal_moves);
        let games: Vec<_> = positions.take(POSITIONS).map(Game::new).collect();
        println!(
            "{} positions to depth {depth}, {runs} times, {threads} threads, hash {HASH_MEBIBYTES} MiB",
            games.len()
        );
        let mut pool = BenchPool::new(threads, HASH_MEBIBYTES)?;
        let mut rows = MODE_NAMES.map(ModeRow::new);
        for run in 0..runs {
            for game in &games {
                let mut costs = [SearchCost::default(); SmpMode::ALL.len()];
                for turn in 0..rows.len() {
                    // Each mode is the first in as many runs as the others.
                    let index = (turn + run) % rows.len();
                    pool.set_mode(SmpMode::ALL[index]);
                    costs[index] = pool.search(game, depth)?;
                    rows[index].counts += pool.smp_counts();
                }
                for (row, cost) in rows.iter_mut().zip(costs) {
                    row.add(cost, costs[0]);
                }
            }
        }
        println!("{HEAD}");
        rows.iter().for_each(|row| println!("{row}"));
        Ok(())
    }
}

const HEAD: &str = "\
Mode         Time to depth  against lazy      nodes   shared nodes  deferred  cutoffs  raised";

impl ModeRow {
    fn new(name: &'static str) -> ModeRow {
        let (total, counts) = (SearchCost::default(), SmpCounts::default());
        ModeRow { name, total, counts, log_times: Vec::new(), log_nodes: Vec::new() }
    }

    fn add(&mut self, cost: SearchCost, first: SearchCost) {
        self.total.elapsed += cost.elapsed;
        self.total.nodes += cost.nodes;
        let seconds = |cost: SearchCost| cost.elapsed.as_secs_f64().max(1e-6);
        self.log_times.push((seconds(cost) / seconds(first)).ln());
        self.log_nodes.push((cost.nodes.max(1) as f64 / first.nodes.max(1) as f64).ln());
    }
}

impl fmt::Display for ModeRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, counts) = (self.name, &self.counts);
        write!(
            f,
            "{name:<12} {:>11.2} s  {}  {} {:>7.2} % {:>9} {:>8} {:>7}",
            self.total.elapsed.as_secs_f64(),
            in_percent(&self.log_times),
            in_percent(&self.log_nodes),
            100.0 * counts.duplicate_share(),
            counts.deferred,
            counts.cutoffs,
            counts.raised,
        )
    }
}

/// The geometric mean of ratios given by their logarithms, as a change in percent, with the
/// half-width of its 95 % confidence interval.
fn in_percent(logarithms: &[f64]) -> String {
    let count = logarithms.len().max(1) as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares = logarithms.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let error = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
    format!("{:+6.1} ±{:4.1} %", 100.0 * mean.exp_m1(), 100.0 * error.exp_m1())
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
