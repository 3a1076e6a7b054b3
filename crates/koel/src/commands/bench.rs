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

/// One FEN per line; comments begin with `#`.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The result of the benchmark. Its `Display` is the line `N nodes M nps`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BenchResult {
    /// The number of nodes searched in all positions: the bench signature.
    nodes: u64,
    elapsed: Duration,
    cycles: CycleCounts,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BenchSettings {
    pub(crate) hash_mebibytes: usize,
    /// The number of threads; with more than one the node count is another each time.
    pub(crate) threads: usize,
    pub(crate) depth: u32,
    /// The time for each position; `None` for no limit.
    pub(crate) time: Option<Duration>,
}

impl BenchSettings {
    /// The settings of the bench signature, which take two seconds: on a loaded machine many
    /// benches run at once.
    pub(crate) const DEFAULT: BenchSettings =
        BenchSettings { hash_mebibytes: 16, threads: 1, depth: 14, time: None };
}

/// Searches every position. The table and the workers are reset before each position, so that the
/// node count of a single thread depends on nothing else. Returns `None` if it was stopped.
///
/// `report_line` gets a line of text for each position.
///
/// # Errors
/// There is no memory for the table.
pub(crate) fn bench(
    settings: &BenchSettings,
    stop: &AtomicBool,
    mut report_line: impl FnMut(&str),
) -> Result<Option<BenchResult>, OutOfMemory> {
    let depth = i32::try_from(settings.depth).unwrap_or(i32::MAX).clamp(1, 200);
    let limits = Limits::to_depth(depth);
    let mut shared = Shared::new(settings.hash_mebibytes, settings.threads)?;
    let mut workers: Vec<_> = (0..settings.threads.max(1)).map(Worker::new).collect();
    let mut bench = BenchResult::default();
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
            let mut supervisor = StopOnFlag { deadline: None, ..supervisor };
            let work = move || drop(helper.search(shared, game, limits, &mut supervisor));
            // With fewer threads the bench is slower, which is what it then shows.
            let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        }
        main.search(shared, game, limits, &mut supervisor);
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
    /// Returns the totals in the form that test frameworks read, and the repetition statistics.
    pub(crate) fn details(&self) -> String {
        let CycleCounts { upcoming_probes, upcoming_hits, filter } = self.cycles;
        format!(
            "Total time (ms) : {}\n\
             Nodes searched  : {}\n\
             Nodes/second    : {}\n\
             Upcoming repetition: tested at {upcoming_probes} nodes, found at {upcoming_hits}\n\
             Repetition filter: probed {} times, {} history scans, {} repetitions found; \
             {:.4} % of the probes without a repetition exited early\n",
            self.elapsed.as_millis(),
            self.nodes,
            nodes_per_second(self.nodes, self.elapsed),
            filter.lookups,
            filter.positives,
            filter.true_positives,
            100.0 * filter.early_exit_share(),
        )
    }
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, nodes_per_second(self.nodes, self.elapsed))
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
        let result = bench(&settings, &AtomicBool::new(false), |_| lines += 1);
        assert!(result.unwrap().unwrap().nodes > 1000);
        assert_eq!(lines, bench_positions().count());
    }

    #[test]
    fn a_bench_is_repeatable_and_stoppable() {
        let bench = |stop: bool| {
            let settings = BenchSettings { depth: 2, ..BenchSettings::DEFAULT };
            bench(&settings, &AtomicBool::new(stop), |_| {}).unwrap().map(|result| result.nodes)
        };
        assert!(bench(false).is_some() && bench(false) == bench(false));
        assert!(bench(true).is_none());
    }
}
