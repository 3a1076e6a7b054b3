//! Supervision of a search: time management and reports.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use koel_board::Move;
use koel_search::{Progress, Report, SearchResult, Shared, Supervisor};
use koel_uci::{Info, Reply};

use crate::clock::TimeBudget;
use crate::event::Event;
use crate::report::Reporter;
use crate::strength::Strength;
use crate::time_factors::TimeFactors;
use crate::timer::{Timer, Timestamp};

/// Fail-high and fail-low results of an aspiration window are reported only after this time, so
/// that short searches do not flood the output.
const BOUND_REPORT_DELAY: Duration = Duration::from_secs(1);

/// The minimum time between two messages to the session. The first iterations take microseconds,
/// and waking the session and the GUI for each of them would take longer than searching them.
/// `hashfull` is sampled no more often either: sampling takes as long as searching hundreds of
/// nodes.
const MIN_REPORT_INTERVAL: Duration = Duration::from_millis(3);

/// The limits of a search beside those of [`koel_search::Limits`], and its output settings.
#[derive(Clone, Debug)]
pub(crate) struct SearchControls {
    pub(crate) budget: TimeBudget,
    /// The measure of time: real time or nodes.
    pub(crate) timer: Timer,
    /// The node limit, for all workers together.
    pub(crate) nodes: Option<u64>,
    /// The search ends when it has found a mate in at most this many moves.
    pub(crate) mate: Option<u32>,
    /// True while the opponent's clock is running: our time does not count yet.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// Only the final report is printed.
    pub(crate) is_minimal: bool,
    /// The number of lines to report, the best first; more may be searched.
    pub(crate) reported_lines: usize,
    /// The limit of playing strength, if one is set.
    pub(crate) strength: Option<Strength>,
}

/// The supervisor of the main thread: manages the time for all threads and reports.
pub(crate) struct TimeManager<'a> {
    controls: SearchControls,
    reporter: Reporter,
    shared: &'a Shared,
    session: &'a Sender<Event>,
    /// The start of our clock: that of the search, or `ponderhit`.
    clock_start: Timestamp,
    search_start: Timestamp,
    was_pondering: bool,
    /// True if pondering has lasted longer than the soft limit.
    is_soft_limit_over: bool,
    has_single_move: bool,
    factors: TimeFactors,
    reported_pv: Vec<Move>,
    /// The node count of the last report.
    reported_nodes: u64,
    /// The lines of the last complete iteration, as they were reported.
    lines: Vec<Info>,
    /// Reports that have not been sent to the session yet.
    pending: Vec<Reply>,
    last_flush: Instant,
    /// The last sample of the use of the transposition table, in permille.
    hashfull: usize,
}

impl<'a> TimeManager<'a> {
    pub(crate) fn new(
        controls: SearchControls,
        reporter: Reporter,
        shared: &'a Shared,
        session: &'a Sender<Event>,
    ) -> TimeManager<'a> {
        TimeManager {
            clock_start: Timestamp::start(reporter.start),
            search_start: Timestamp::start(reporter.start),
            was_pondering: controls.is_pondering.load(Relaxed),
            is_soft_limit_over: false,
            has_single_move: reporter.root.count_legal_moves() == 1,
            factors: TimeFactors::default(),
            reported_pv: Vec::new(),
            reported_nodes: 0,
            lines: Vec::new(),
            pending: Vec::new(),
            last_flush: reporter.start,
            hashfull: 0,
            controls,
            reporter,
            shared,
            session,
        }
    }

    /// Returns the final reports and the best move.
    ///
    /// A search that was interrupted may have found a better move than its last report shows, and
    /// has searched more nodes: the result is then reported once more.
    pub(crate) fn finish(mut self, result: &SearchResult) -> Event {
        let limited = self.limited_strength_move();
        if result.best_move.is_none() {
            self.pending.push(Reporter::game_over(result).into());
        } else if limited.is_none() && self.has_unreported_result(result) {
            self.add_report(&result.report());
            self.repeat_other_lines(result.best_move);
        }
        let best_move = limited.unwrap_or_else(|| self.reporter.best_move(result));
        Event::Finished { replies: self.pending, result: best_move }
    }

    /// Returns true if the result differs from the last report.
    fn has_unreported_result(&self, result: &SearchResult) -> bool {
        let nodes = self.shared.nodes().max(result.nodes);
        result.pv != self.reported_pv || nodes > self.reported_nodes
    }

    /// Picks the move to play at limited strength and reports its line as the best.
    fn limited_strength_move(&mut self) -> Option<Reply> {
        let chosen =
            self.controls.strength?.pick_line(&self.lines, self.reporter.root.key())?.clone();
        let mut moves = chosen.pv.iter().copied();
        let reply = Reply::BestMove { best: moves.next(), ponder: moves.next() };
        if self.lines.first() != Some(&chosen) {
            if self.controls.is_minimal {
                self.pending.clear();
            }
            self.pending.push(Info { multipv: Some(1), ..chosen }.into());
        }
        Some(reply)
    }

    /// Adds a report to the pending ones.
    fn add_report(&mut self, report: &Report<'_>) -> Info {
        if self.last_flush.elapsed() >= MIN_REPORT_INTERVAL {
            self.hashfull = self.shared.hashfull();
        }
        if self.controls.is_minimal && report.multi_pv == 1 {
            // Only the last report is printed, with the other lines of its iteration.
            self.pending.clear();
        }
        let info = self.reporter.info(report, self.shared, self.hashfull);
        self.reported_nodes = info.nodes.unwrap_or_default();
        if report.multi_pv <= self.controls.reported_lines {
            self.pending.push(info.clone().into());
        }
        info
    }

    /// Repeats the other lines of the last iteration after a new best line, so that MultiPV output
    /// stays complete.
    fn repeat_other_lines(&mut self, best: Option<Move>) {
        let best = best.map(|m| self.reporter.move_text(m));
        let others = self.lines.iter().filter(|line| line.pv.first().copied() != best);
        let others = others.take(self.lines.len().saturating_sub(1));
        let numbered = (2..)
            .zip(others)
            .map(|(number, line)| Info { multipv: Some(number), ..line.clone() }.into());
        self.pending.extend(numbered);
    }

    /// Sends the pending reports to the session, unless the last ones were sent just before.
    fn flush_reports(&mut self) {
        let is_early = self.controls.is_minimal || self.last_flush.elapsed() < MIN_REPORT_INTERVAL;
        if self.pending.is_empty() || is_early {
            return;
        }
        // A session that has ended needs no reports.
        let _ = self.session.send(Event::Output(std::mem::take(&mut self.pending)));
        self.last_flush = Instant::now();
    }

    /// Returns true if our clock is running; a `ponderhit` starts it.
    fn is_clock_running(&mut self, nodes: u64) -> bool {
        if self.was_pondering && !self.controls.is_pondering.load(Relaxed) {
            self.was_pondering = false;
            self.clock_start = Timestamp::now(nodes);
        }
        !self.was_pondering
    }

    /// Returns true if the search, pondering included, has used its soft limit, so that no new
    /// iteration may begin.
    fn is_soft_limit_reached(&self, nodes: u64) -> bool {
        let Some(soft) = self.controls.budget.soft else { return false };
        let elapsed = self.controls.timer.elapsed_since(self.search_start, nodes);
        self.has_single_move || elapsed >= soft.mul_f64(self.factors.factor())
    }

    /// Returns true if the report ends a `go mate` search.
    fn has_found_mate(&self, report: &Report<'_>) -> bool {
        let max_moves = self.controls.mate.map_or(0, i64::from);
        report
            .score
            .moves_to_mate()
            .is_some_and(|moves| (1..=max_moves).contains(&i64::from(moves)))
    }
}

impl Supervisor for TimeManager<'_> {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        self.flush_reports();
        // The counters of the other threads are in the caches of other cores: with hundreds of
        // threads their sum would take a tenth of the time between two calls.
        let nodes = match self.controls.timer.counts_nodes() {
            true => self.shared.nodes().max(progress.nodes),
            false => progress.nodes,
        };
        if !self.is_clock_running(nodes) {
            return false;
        }
        let elapsed = self.controls.timer.elapsed_since(self.clock_start, nodes);
        let is_hard_limit_reached = self.controls.budget.hard.is_some_and(|hard| elapsed >= hard);
        is_hard_limit_reached || self.is_soft_limit_over
    }

    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        let line = self.add_report(report);
        self.flush_reports();
        if report.multi_pv == 1 {
            self.lines.clear();
        }
        self.lines.push(line);
        if report.multi_pv > 1 {
            return ControlFlow::Continue(());
        }
        self.reported_pv = report.pv.to_vec();
        self.factors.update(report);
        let nodes = self.shared.nodes().max(report.nodes);
        let is_soft_limit_reached = self.is_soft_limit_reached(nodes);
        if self.has_found_mate(report) || (is_soft_limit_reached && self.is_clock_running(nodes)) {
            return ControlFlow::Break(());
        }
        self.is_soft_limit_over = is_soft_limit_reached;
        ControlFlow::Continue(())
    }

    fn report_bound(&mut self, report: &Report<'_>) {
        if !self.controls.is_minimal && self.reporter.start.elapsed() >= BOUND_REPORT_DELAY {
            self.add_report(report);
            self.flush_reports();
        }
    }
}

/// The supervisor of helper threads, which search until the main thread stops them.
pub(crate) struct HelperSupervisor;

impl Supervisor for HelperSupervisor {}
