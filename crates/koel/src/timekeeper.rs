//! Who ends a search: the leader's timekeeper, and what the other workers have instead.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use koel_board::Move;
use koel_search::{Outcome, Progress, Report, Shared, Supervisor};
use koel_uci::Reply;

use crate::clock::Budget;
use crate::event::Event;
use crate::report::Reporter;

/// Results outside the aspiration window are only shown after this time, to spare short searches
/// the output.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// The reasons to end a search.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) budget: Budget,
    /// Of all workers together.
    pub(crate) nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub(crate) mate: Option<u32>,
    /// The opponent's clock is running, and no time counts yet.
    pub(crate) is_pondering: Arc<AtomicBool>,
}

/// Watches the first worker: keeps the time for all and reports.
pub(crate) struct Timekeeper<'a> {
    rules: Rules,
    reporter: Reporter,
    shared: &'a Shared,
    session: &'a Sender<Event>,
    /// When our clock started: with the search, or with `ponderhit`.
    clock_start: Instant,
    was_pondering: bool,
    /// While pondering: the time for a new iteration would be over.
    is_soft_time_over: bool,
    is_only_move: bool,
    stability: Stability,
    nodes_of_others: u64,
    reported: Vec<Move>,
}

impl<'a> Timekeeper<'a> {
    pub(crate) fn new(
        rules: Rules,
        reporter: Reporter,
        shared: &'a Shared,
        session: &'a Sender<Event>,
    ) -> Timekeeper<'a> {
        Timekeeper {
            clock_start: reporter.start,
            was_pondering: rules.is_pondering.load(Relaxed),
            is_soft_time_over: false,
            is_only_move: reporter.root.count_legal_moves() == 1,
            stability: Stability::default(),
            nodes_of_others: 0,
            reported: Vec::new(),
            rules,
            reporter,
            shared,
            session,
        }
    }

    /// Says what came out, as far as it has not been said.
    ///
    /// A search that was broken off may have found a better move than its last report shows.
    pub(crate) fn conclude(self, outcome: &Outcome) -> Reply {
        if outcome.best_move.is_none() {
            self.say(Reporter::game_over(outcome).into());
        } else if outcome.pv != self.reported {
            let report = Report {
                multi_pv: 1,
                depth: outcome.depth,
                selective_depth: outcome.selective_depth,
                score: outcome.score,
                bound: outcome.bound,
                pv: &outcome.pv,
                nodes: outcome.nodes,
                move_nodes: outcome.move_nodes,
            };
            self.say(self.reporter.info(&report, self.shared).into());
        }
        self.reporter.best_move(outcome)
    }

    fn say(&self, reply: Reply) {
        // A session that has ended needs no reports.
        let _ = self.session.send(Event::Say(reply));
    }

    /// Whether time counts; notes the moment from which it does.
    fn is_clock_running(&mut self) -> bool {
        if self.was_pondering && !self.rules.is_pondering.load(Relaxed) {
            self.was_pondering = false;
            self.clock_start = Instant::now();
        }
        !self.was_pondering
    }

    /// Whether the search, pondering included, has had the time for which it may begin iterations.
    fn soft_time_is_over(&self) -> bool {
        let Some(soft) = self.rules.budget.soft else { return false };
        self.is_only_move || self.reporter.start.elapsed() >= soft.mul_f64(self.stability.factor())
    }

    fn has_found_the_mate(&self, report: &Report<'_>) -> bool {
        let sought = self.rules.mate.map_or(0, i64::from);
        report.score.moves_to_mate().is_some_and(|moves| (1..=sought).contains(&i64::from(moves)))
    }
}

impl Supervisor for Timekeeper<'_> {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        self.nodes_of_others = self.shared.nodes().saturating_sub(progress.nodes);
        if !self.is_clock_running() {
            return false;
        }
        let is_hard_time_over =
            self.rules.budget.hard.is_some_and(|hard| self.clock_start.elapsed() >= hard);
        is_hard_time_over || self.is_soft_time_over
    }

    fn node_limit(&self) -> u64 {
        self.rules.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes_of_others).max(1))
    }

    fn iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        self.say(self.reporter.info(report, self.shared).into());
        if report.multi_pv > 1 {
            return ControlFlow::Continue(());
        }
        self.reported = report.pv.to_vec();
        self.stability.note(report.pv.first().copied());
        let is_enough = self.soft_time_is_over();
        if self.has_found_the_mate(report) || (is_enough && self.is_clock_running()) {
            return ControlFlow::Break(());
        }
        self.is_soft_time_over = is_enough;
        ControlFlow::Continue(())
    }

    fn outside_window(&mut self, report: &Report<'_>) {
        if self.reporter.start.elapsed() >= QUIET_TIME {
            self.say(self.reporter.info(report, self.shared).into());
        }
    }
}

/// For how many iterations the best move has been the same.
#[derive(Clone, Copy, Debug, Default)]
struct Stability {
    best: Option<Move>,
    iterations: u32,
}

impl Stability {
    fn note(&mut self, best: Option<Move>) {
        self.iterations = if best == self.best { self.iterations + 1 } else { 0 };
        self.best = best;
    }

    /// Stretches the time while the best move changes, and saves some when it does not.
    fn factor(&self) -> f64 {
        const FACTORS: [f64; 7] = [1.8, 1.4, 1.15, 1.0, 0.9, 0.8, 0.75];
        FACTORS[(self.iterations as usize).min(FACTORS.len() - 1)]
    }
}

/// Watches the other workers, which go on until the leader stops them all.
pub(crate) struct Follower;

impl Supervisor for Follower {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stable_move_takes_less_time() {
        let mut stability = Stability::default();
        stability.note(Some(Move::from_bits(1)));
        let unstable = stability.factor();
        for _ in 0..20 {
            let before = stability.factor();
            stability.note(Some(Move::from_bits(1)));
            assert!(stability.factor() <= before);
        }
        assert!(stability.factor() < 1.0 && unstable > 1.0);
        stability.note(Some(Move::from_bits(2)));
        assert_eq!(stability.factor(), unstable);
    }
}
