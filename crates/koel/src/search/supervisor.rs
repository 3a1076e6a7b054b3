//! The supervisors of search threads.

use std::ops::ControlFlow;

use crossbeam::channel::Sender;
use koel_board::{Game, Move};
use koel_search::{Depth, Progress, Report, SearchResult, Shared, Supervisor};

use crate::search::pool::SearchTask;
use crate::search::reporter::Reporter;
use crate::search::strength::Strength;
use crate::session::job::Event;
use crate::time::manager::TimeManager;

/// The supervisor of the main thread: the time manager decides when the search ends, the reporter
/// writes, and limited strength picks the move.
pub(crate) struct MainSupervisor<'a> {
    time: TimeManager,
    reporter: Reporter<'a>,
    strength: Option<Strength>,
    /// The search ends when it has found a mate in at most this many moves.
    mate: Option<u32>,
    game: &'a Game,
    shared: &'a Shared,
}

impl<'a> MainSupervisor<'a> {
    pub(crate) fn new(
        task: &'a SearchTask,
        shared: &'a Shared,
        session: &'a Sender<Event>,
    ) -> MainSupervisor<'a> {
        MainSupervisor {
            time: TimeManager::new(task.time.clone(), task.reports.start),
            reporter: Reporter::new(task.reports.clone(), shared, session),
            strength: task.strength,
            mate: task.mate,
            game: &task.game,
            shared,
        }
    }

    /// Returns the final reports and the best move.
    pub(crate) fn finish(self, result: &SearchResult) -> Event {
        let lines = self.reporter.lines();
        let chosen = self.strength.and_then(|strength| strength.pick_line(lines, self.game));
        let chosen = chosen.cloned();
        self.reporter.finish(result, chosen)
    }

    /// Returns true if the report ends a `go mate` search.
    fn has_found_mate(&self, report: &Report<'_>) -> bool {
        let max_moves = self.mate.map_or(0, i64::from);
        let moves = report.score.moves_to_mate();
        moves.is_some_and(|moves| (1..=max_moves).contains(&i64::from(moves)))
    }
}

impl Supervisor for MainSupervisor<'_> {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        self.reporter.flush();
        // The counters of the other threads are in the caches of other cores: with hundreds of
        // threads their sum would take a tenth of the time between two calls.
        let nodes = match self.time.counts_nodes() {
            true => self.shared.nodes().max(progress.nodes),
            false => progress.nodes,
        };
        self.time.must_stop(nodes)
    }

    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        self.reporter.report_iteration(report);
        if report.multi_pv > 1 {
            return ControlFlow::Continue(());
        }
        let nodes = self.shared.nodes().max(report.nodes);
        let is_time_over = self.time.ends_after(report, nodes);
        if is_time_over || self.has_found_mate(report) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report_bound(&mut self, report: &Report<'_>) {
        self.reporter.report_bound(report);
    }

    fn report_root_move(&mut self, depth: Depth, m: Move, number: usize) {
        self.reporter.report_root_move(depth, m, number);
    }
}
