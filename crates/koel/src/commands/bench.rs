//! The benchmark: fixed positions to a fixed depth, with the same node count on every machine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use koel_board::{Game, Position};
use koel_search::{CycleCounts, Limits, Progress, Shared, Supervisor, Worker};

use crate::search::reporter::nodes_per_second;

/// The default depth in plies, which takes two seconds: on a loaded machine many benches run at once.
pub const BENCH_DEPTH: u32 = 14;

const HASH_MEBIBYTES: usize = 16;

/// One FEN per line; comments begin with `#`.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The result of the benchmark. Its `Display` is the line `N nodes M nps`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BenchResult {
    /// The number of nodes searched in all positions: the bench signature.
    pub nodes: u64,
    /// The time of all searches.
    pub elapsed: Duration,
    /// Statistics of repetition detection.
    pub cycles: CycleCounts,
}

/// Searches every position to this depth with one thread. The table and the worker are reset before
/// each position, so that the node count depends on nothing else. Returns `None` if it was stopped.
///
/// `report_line` gets a line of text for each position.
///
/// # Panics
/// Panics if there is no memory for a table of 16 MiB.
pub fn bench(
    depth: u32,
    stop: &AtomicBool,
    mut report_line: impl FnMut(&str),
) -> Option<BenchResult> {
    let limits = Limits::to_depth(i32::try_from(depth).unwrap_or(i32::MAX).clamp(1, 200));
    let mut shared = Shared::new(HASH_MEBIBYTES, 1).expect("there are 16 MiB");
    let mut worker = Worker::new(0);
    let mut bench =
        BenchResult { nodes: 0, elapsed: Duration::ZERO, cycles: CycleCounts::default() };
    for (number, position) in (1..).zip(bench_positions()) {
        worker.reset();
        shared.clear(1);
        shared.new_search();
        let game = Game::new(position);
        let start = Instant::now();
        let result = worker.search(&shared, &game, &limits, &mut StopOnFlag { stop });
        bench.elapsed += start.elapsed();
        if stop.load(Relaxed) {
            return None;
        }
        bench.nodes += result.nodes;
        bench.cycles += worker.cycle_counts();
        report_line(&format!("{number:>2} {:>9} nodes  {}", result.nodes, game.position()));
    }
    Some(bench)
}

/// Returns the positions of the benchmark.
///
/// # Panics
/// Never: the positions are part of the program and legal.
pub fn bench_positions() -> impl Iterator<Item = Position> {
    let fens = POSITIONS.lines().filter_map(|line| line.split('#').next()).map(str::trim);
    fens.filter(|fen| !fen.is_empty())
        .map(|fen| Position::from_fen(fen).expect("the positions of the benchmark are legal"))
}

/// A supervisor that stops the search on a flag.
struct StopOnFlag<'a> {
    stop: &'a AtomicBool,
}

impl Supervisor for StopOnFlag<'_> {
    fn must_stop(&mut self, _: &Progress) -> bool {
        self.stop.load(Relaxed)
    }
}

impl BenchResult {
    /// The nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }

    /// Returns the totals in the form that test frameworks read, and the repetition statistics.
    #[must_use]
    pub fn details(&self) -> String {
        let CycleCounts { upcoming_probes, upcoming_hits, filter } = self.cycles;
        let milliseconds = self.elapsed.as_millis();
        format!(
            "Total time (ms) : {milliseconds}\n\
             Nodes searched  : {}\n\
             Nodes/second    : {}\n\
             Upcoming repetition: tested at {upcoming_probes} nodes, found at {upcoming_hits}\n\
             Repetition filter: probed {} times, {} history scans, {} repetitions found; \
             {:.4} % of the probes without a repetition exited early\n",
            self.nodes,
            self.nodes_per_second(),
            filter.lookups,
            filter.positives,
            filter.true_positives,
            100.0 * filter.early_exit_share(),
        )
    }
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_positions_and_all_are_legal() {
        assert!(bench_positions().count() >= 40);
        assert!(bench_positions().any(|position| !position.has_legal_moves()));
    }

    #[test]
    fn a_bench_is_repeatable_and_stoppable() {
        let go_on = AtomicBool::new(false);
        let nodes = || bench(2, &go_on, |_| {}).unwrap().nodes;
        assert_eq!(nodes(), nodes());
        assert!(bench(200, &AtomicBool::new(true), |_| {}).is_none());
    }
}
