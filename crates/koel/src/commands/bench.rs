//! The benchmark: fixed positions to a fixed depth, with the same node count on every machine.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use koel_board::{Game, Position};
use koel_search::{
    CycleCounts, Limits, OutOfMemory, Progress, STACK_BYTES, Shared, Supervisor, Worker,
};

use crate::uci_values::nodes_per_second;

/// The default depth in plies, which takes two seconds: on a loaded machine many benches run at
/// once.
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

/// The settings of a benchmark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BenchSettings {
    pub(crate) hash_mebibytes: usize,
    /// The number of threads; with more than one the node count is another each time.
    pub(crate) threads: usize,
    /// The depth in plies.
    pub(crate) depth: u32,
    /// The time for each position; `None` for no limit.
    pub(crate) time: Option<Duration>,
}

impl BenchSettings {
    /// The settings of the bench signature.
    pub(crate) const DEFAULT: BenchSettings = BenchSettings {
        hash_mebibytes: HASH_MEBIBYTES,
        threads: 1,
        depth: BENCH_DEPTH,
        time: None,
    };
}

/// Searches every position to this depth with one thread. The table and the worker are reset before
/// each position, so that the node count depends on nothing else. Returns `None` if it was stopped.
///
/// `report_line` gets a line of text for each position.
///
/// # Panics
/// Panics if there is no memory for a table of 16 MiB.
pub fn bench(depth: u32, stop: &AtomicBool, report_line: impl FnMut(&str)) -> Option<BenchResult> {
    let settings = BenchSettings { depth, ..BenchSettings::DEFAULT };
    bench_with(&settings, stop, report_line).expect("there are 16 MiB")
}

/// Runs a benchmark with these settings, as [`bench`].
///
/// # Errors
/// There is no memory for the table.
pub(crate) fn bench_with(
    settings: &BenchSettings,
    stop: &AtomicBool,
    mut report_line: impl FnMut(&str),
) -> Result<Option<BenchResult>, OutOfMemory> {
    let depth = i32::try_from(settings.depth).unwrap_or(i32::MAX).clamp(1, 200);
    let limits = Limits::to_depth(depth);
    let mut shared = Shared::new(settings.hash_mebibytes, settings.threads)?;
    let mut workers: Vec<_> = (0..settings.threads.max(1)).map(Worker::new).collect();
    let mut bench =
        BenchResult { nodes: 0, elapsed: Duration::ZERO, cycles: CycleCounts::default() };
    for (number, position) in (1..).zip(bench_positions()) {
        workers.iter_mut().for_each(Worker::reset);
        shared.clear(settings.threads);
        shared.new_search();
        let game = Game::new(position);
        let start = Instant::now();
        let supervisor = StopOnFlag { stop, deadline: settings.time.map(|time| start + time) };
        let nodes = search(&mut workers, &shared, &game, &limits, supervisor);
        bench.elapsed += start.elapsed();
        if stop.load(Relaxed) {
            return Ok(None);
        }
        bench.nodes += nodes;
        bench.cycles += workers[0].cycle_counts();
        report_line(&format!("{number:>2} {nodes:>9} nodes  {}", game.position()));
    }
    Ok(Some(bench))
}

/// Searches a position with all workers until the first has ended. Returns their nodes.
fn search(
    workers: &mut [Worker],
    shared: &Shared,
    game: &Game,
    limits: &Limits,
    mut supervisor: StopOnFlag<'_>,
) -> u64 {
    let Some((main, helpers)) = workers.split_first_mut() else { return 0 };
    if helpers.is_empty() {
        return main.search(shared, game, limits, &mut supervisor).nodes;
    }
    thread::scope(|scope| {
        for helper in helpers {
            let builder = Builder::new().stack_size(STACK_BYTES);
            // With fewer threads the bench is slower, which is what it then shows.
            let _ = builder.spawn_scoped(scope, || {
                helper.search(
                    shared,
                    game,
                    limits,
                    &mut StopOnFlag { deadline: None, ..supervisor },
                );
            });
        }
        main.search(shared, game, limits, &mut supervisor.clone());
        shared.stop();
    });
    shared.nodes()
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

/// A supervisor that stops the search on a flag, or at a time.
#[derive(Clone, Copy)]
struct StopOnFlag<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
}

impl Supervisor for StopOnFlag<'_> {
    fn must_stop(&mut self, _: &Progress) -> bool {
        self.stop.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
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
    fn several_threads_search_every_position() {
        let settings = BenchSettings { threads: 3, depth: 3, ..BenchSettings::DEFAULT };
        let mut lines = 0;
        let bench = bench_with(&settings, &AtomicBool::new(false), |_| lines += 1);
        assert!(bench.unwrap().unwrap().nodes > 1000);
        assert_eq!(lines, bench_positions().count());
    }

    #[test]
    fn a_bench_is_repeatable_and_stoppable() {
        let go_on = AtomicBool::new(false);
        let nodes = || bench(2, &go_on, |_| {}).unwrap().nodes;
        assert_eq!(nodes(), nodes());
        assert!(bench(200, &AtomicBool::new(true), |_| {}).is_none());
    }
}
