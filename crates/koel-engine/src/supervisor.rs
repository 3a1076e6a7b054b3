//! The supervisor of the main thread of a search.

use std::ops::ControlFlow;
use std::time::Duration;

use koel_board::Move;
use koel_search::{Depth, Progress, Report, SearchResult, Shared, Supervisor};

use crate::event::{Event, Outcome};
use crate::lines::Lines;
use crate::strength::Strength;
use crate::task::{OnEvent, SearchTask};
use crate::time::manager::TimeManager;

/// Fail-high and fail-low results of an aspiration window are reported only after this time, so
/// that short searches do not flood the receiver.
const BOUND_DELAY: Duration = Duration::from_secs(1);

/// The root move being searched is reported only after this time.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// The supervisor of the main thread: the time manager decides when the search ends, the events
/// tell how it goes, and limited strength picks the move.
pub(crate) struct MainSupervisor<'a> {
    time: TimeManager,
    lines: Lines<'a>,
    task: &'a SearchTask,
    shared: &'a Shared,
    on_event: &'a OnEvent,
}

impl<'a> MainSupervisor<'a> {
    pub(crate) fn new(
        task: &'a SearchTask,
        shared: &'a Shared,
        on_event: &'a OnEvent,
    ) -> MainSupervisor<'a> {
        MainSupervisor {
            time: TimeManager::new(task.time.clone(), task.lines.start),
            lines: Lines::new(&task.lines, shared),
            task,
            shared,
            on_event,
        }
    }

    pub(crate) fn finish(mut self, result: &SearchResult) -> Outcome {
        let lines = self.lines.last();
        let pick = |strength: Strength| strength.pick_line(lines, &self.task.game).cloned();
        let chosen = self.task.strength.and_then(pick);
        self.lines.outcome(result, chosen)
    }

    /// Returns true if the report ends a search for a mate.
    fn has_found_mate(&self, report: &Report<'_>) -> bool {
        let max_moves = self.task.mate.map_or(0, |moves| i64::from(moves.get()));
        let moves = report.score.moves_to_mate();
        moves.is_some_and(|moves| (1..=max_moves).contains(&i64::from(moves)))
    }
}

impl Supervisor for MainSupervisor<'_> {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        (self.on_event)(Event::Progress);
        // The counters of the other threads are in the caches of other cores: with hundreds of
        // threads their sum would take a tenth of the time between two calls.
        let nodes = match self.time.counts_nodes() {
            true => self.shared.nodes().max(progress.nodes),
            false => progress.nodes,
        };
        self.time.must_stop(nodes)
    }

    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        let line = self.lines.add(report);
        if line.multi_pv <= self.task.reported_lines {
            (self.on_event)(Event::Iteration(line));
        }
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
        if self.lines.elapsed() >= BOUND_DELAY {
            (self.on_event)(Event::Bound(self.lines.line(report)));
        }
    }

    fn report_root_move(&mut self, depth: Depth, m: Move, number: usize) {
        if self.lines.elapsed() >= CURRENT_MOVE_DELAY {
            (self.on_event)(Event::RootMove(depth, m, number));
        }
    }
}
