//! The benchmark: fixed positions to a fixed depth, the same nodes on every machine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use koel_board::{Game, Position};
use koel_search::{CycleCounts, Limits, Progress, Shared, Supervisor, Worker};

use crate::report::nodes_per_second;

/// The depth in plies that takes a few seconds.
pub const BENCH_DEPTH: u32 = 16;

const HASH_MEBIBYTES: usize = 16;

/// One FEN a line, and comments behind `#`.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// What a benchmark measured. It prints as the line `N nodes M nps`.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Nodes searched in all positions together: the signature of how Koel plays.
    pub nodes: u64,
    /// The time that all searches took.
    pub elapsed: Duration,
    /// What was asked about cycles, and what was learnt.
    pub cycles: CycleCounts,
}

/// Searches every position to this depth with one thread, each as if it were the first, so that
/// its nodes depend on nothing else. `None` if it was told to stop.
///
/// `tell` gets a line of text for each position.
///
/// # Panics
/// There is no memory for a table of 16 MiB.
pub fn bench(depth: u32, stop: &AtomicBool, mut tell: impl FnMut(&str)) -> Option<Bench> {
    let limits = Limits::to_depth(i32::try_from(depth).unwrap_or(i32::MAX).clamp(1, 200));
    let mut shared = Shared::new(HASH_MEBIBYTES, 1).expect("there are 16 MiB");
    let mut worker = Worker::new(0);
    let mut bench = Bench { nodes: 0, elapsed: Duration::ZERO, cycles: CycleCounts::default() };
    for (number, position) in (1..).zip(bench_positions()) {
        worker.reset();
        shared.clear(1);
        shared.new_search();
        let game = Game::new(position);
        let start = Instant::now();
        let outcome = worker.search(&shared, &game, &limits, &mut Watcher { stop });
        bench.elapsed += start.elapsed();
        if stop.load(Relaxed) {
            return None;
        }
        bench.nodes += outcome.nodes;
        bench.cycles += worker.cycle_counts();
        tell(&format!("{number:>2} {:>9} nodes  {}", outcome.nodes, game.position()));
    }
    Some(bench)
}

/// The positions of the benchmark.
///
/// # Panics
/// Never: the positions are part of the program, and legal.
pub fn bench_positions() -> impl Iterator<Item = Position> {
    let fens = POSITIONS.lines().filter_map(|line| line.split('#').next()).map(str::trim);
    fens.filter(|fen| !fen.is_empty())
        .map(|fen| Position::from_fen(fen).expect("the positions of the benchmark are legal"))
}

/// Ends the search when told to.
struct Watcher<'a> {
    stop: &'a AtomicBool,
}

impl Supervisor for Watcher<'_> {
    fn must_stop(&mut self, _: &Progress) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Bench {
    /// Nodes in a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.elapsed)
    }

    /// Some lines about it: the totals in the form that test frameworks read, and the cycles.
    #[must_use]
    pub fn details(&self) -> String {
        let CycleCounts { upcoming_probes, upcoming_hits, filter } = self.cycles;
        let milliseconds = self.elapsed.as_millis();
        format!(
            "Total time (ms) : {milliseconds}\n\
             Nodes searched  : {}\n\
             Nodes/second    : {}\n\
             Upcoming repetition: asked at {upcoming_probes} nodes, found at {upcoming_hits}\n\
             Repetition filter: consulted {} times, {} passed on to a scan, {} of them repeated; \
             {:.4} % of the others exited early\n",
            self.nodes,
            self.nodes_per_second(),
            filter.lookups,
            filter.positives,
            filter.true_positives,
            100.0 * filter.early_exit_share(),
        )
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_many_and_legal() {
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
