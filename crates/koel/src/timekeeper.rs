//! Who ends a search: the leader's timekeeper, and what the other workers have instead.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use koel_board::Move;
use koel_search::{Progress, Report, SearchResult, Shared, Supervisor};
use koel_uci::{Info, Reply};

use crate::clock::Budget;
use crate::confidence::Confidence;
use crate::event::Event;
use crate::report::Reporter;
use crate::stopwatch::{Moment, Stopwatch};
use crate::strength::Strength;

/// Results outside the aspiration window are only shown after this time, to spare short searches
/// the output.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// So long a report may wait for others. The first iterations take microseconds, and to wake the
/// session and the GUI for each of them would take longer than they do. The table is looked at as
/// seldom: to see how full it is takes as long as hundreds of nodes.
const PAUSE: Duration = Duration::from_millis(3);

/// The reasons to end a search.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) budget: Budget,
    /// In what time is measured.
    pub(crate) stopwatch: Stopwatch,
    /// Of all workers together.
    pub(crate) nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub(crate) mate: Option<u32>,
    /// The opponent's clock is running, and no time counts yet.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// Nothing is said before the end.
    pub(crate) is_minimal: bool,
    /// How many lines to tell of, the best first; more may be searched.
    pub(crate) told_lines: usize,
    /// Where not the best line is to be played.
    pub(crate) strength: Option<Strength>,
}

/// Watches the first worker: keeps the time for all and reports.
pub(crate) struct Timekeeper<'a> {
    rules: Rules,
    reporter: Reporter,
    shared: &'a Shared,
    session: &'a Sender<Event>,
    /// When our clock started: with the search, or with `ponderhit`.
    clock_start: Moment,
    search_start: Moment,
    was_pondering: bool,
    /// While pondering: the time for a new iteration would be over.
    is_soft_time_over: bool,
    is_only_move: bool,
    confidence: Confidence,
    nodes_of_others: u64,
    reported: Vec<Move>,
    /// The nodes of the last report.
    reported_nodes: u64,
    /// The last complete iteration, as it was reported.
    lines: Vec<Info>,
    untold: Vec<Reply>,
    last_told: Instant,
    /// How full the table was when that was looked at, in permille.
    hashfull: usize,
}

impl<'a> Timekeeper<'a> {
    pub(crate) fn new(
        rules: Rules,
        reporter: Reporter,
        shared: &'a Shared,
        session: &'a Sender<Event>,
    ) -> Timekeeper<'a> {
        Timekeeper {
            clock_start: Moment::start(reporter.start),
            search_start: Moment::start(reporter.start),
            was_pondering: rules.is_pondering.load(Relaxed),
            is_soft_time_over: false,
            is_only_move: reporter.root.count_legal_moves() == 1,
            confidence: Confidence::default(),
            nodes_of_others: 0,
            reported: Vec::new(),
            reported_nodes: 0,
            lines: Vec::new(),
            untold: Vec::new(),
            last_told: reporter.start,
            hashfull: 0,
            rules,
            reporter,
            shared,
            session,
        }
    }

    /// Says what came out, as far as it has not been said.
    ///
    /// A search that was broken off may have found a better move than its last report shows, and
    /// has searched more nodes.
    pub(crate) fn conclude(mut self, outcome: &SearchResult) -> Event {
        let weaker = self.weaker_move();
        if outcome.best_move.is_none() {
            self.untold.push(Reporter::game_over(outcome).into());
        } else if weaker.is_none() && self.is_news(outcome) {
            self.note(&outcome.report());
            self.repeat_other_lines(outcome.best_move);
        }
        let last = weaker.unwrap_or_else(|| self.reporter.best_move(outcome));
        Event::Done { untold: self.untold, last }
    }

    fn is_news(&self, outcome: &SearchResult) -> bool {
        let nodes = self.shared.nodes().max(outcome.nodes);
        outcome.pv != self.reported || nodes > self.reported_nodes
    }

    /// The move of a limited strength, told of like any other best move.
    fn weaker_move(&mut self) -> Option<Reply> {
        let chosen = self.rules.strength?.choose(&self.lines, self.reporter.root.key())?.clone();
        let mut moves = chosen.pv.iter().copied();
        let reply = Reply::BestMove { best: moves.next(), ponder: moves.next() };
        if self.lines.first() != Some(&chosen) {
            if self.rules.is_minimal {
                self.untold.clear();
            }
            self.untold.push(Info { multipv: Some(1), ..chosen }.into());
        }
        Some(reply)
    }

    fn note(&mut self, report: &Report<'_>) -> Info {
        if self.last_told.elapsed() >= PAUSE {
            self.hashfull = self.shared.hashfull();
        }
        if self.rules.is_minimal && report.multi_pv == 1 {
            // Only the last is wanted, and the lines that come with it.
            self.untold.clear();
        }
        let info = self.reporter.info(report, self.shared, self.hashfull);
        self.reported_nodes = info.nodes.unwrap_or_default();
        if report.multi_pv <= self.rules.told_lines {
            self.untold.push(info.clone().into());
        }
        info
    }

    /// Where several lines are wanted, a new best one is not left alone: the others come again,
    /// as they were.
    fn repeat_other_lines(&mut self, best: Option<Move>) {
        let best = best.map(|m| self.reporter.text(m));
        let others = self.lines.iter().filter(|line| line.pv.first().copied() != best);
        let others = others.take(self.lines.len().saturating_sub(1));
        let numbered = (2..)
            .zip(others)
            .map(|(number, line)| Info { multipv: Some(number), ..line.clone() }.into());
        self.untold.extend(numbered);
    }

    /// Tells the session of what has been reported, unless it has just been told of something.
    fn tell(&mut self) {
        let is_early = self.rules.is_minimal || self.last_told.elapsed() < PAUSE;
        if self.untold.is_empty() || is_early {
            return;
        }
        // A session that has ended needs no reports.
        let _ = self.session.send(Event::Say(std::mem::take(&mut self.untold)));
        self.last_told = Instant::now();
    }

    /// Whether time counts; notes the moment from which it does.
    fn is_clock_running(&mut self, nodes: u64) -> bool {
        if self.was_pondering && !self.rules.is_pondering.load(Relaxed) {
            self.was_pondering = false;
            self.clock_start = Moment::now(nodes);
        }
        !self.was_pondering
    }

    /// Whether the search, pondering included, has had the time for which it may begin iterations.
    fn soft_time_is_over(&self, nodes: u64) -> bool {
        let Some(soft) = self.rules.budget.soft else { return false };
        let elapsed = self.rules.stopwatch.since(self.search_start, nodes);
        self.is_only_move || elapsed >= soft.mul_f64(self.confidence.factor())
    }

    fn has_found_the_mate(&self, report: &Report<'_>) -> bool {
        let sought = self.rules.mate.map_or(0, i64::from);
        report.score.moves_to_mate().is_some_and(|moves| (1..=sought).contains(&i64::from(moves)))
    }
}

impl Supervisor for Timekeeper<'_> {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        self.tell();
        self.nodes_of_others = self.shared.nodes().saturating_sub(progress.nodes);
        let nodes = progress.nodes + self.nodes_of_others;
        if !self.is_clock_running(nodes) {
            return false;
        }
        let elapsed = self.rules.stopwatch.since(self.clock_start, nodes);
        let is_hard_time_over = self.rules.budget.hard.is_some_and(|hard| elapsed >= hard);
        is_hard_time_over || self.is_soft_time_over
    }

    fn node_limit(&self) -> u64 {
        self.rules.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes_of_others).max(1))
    }

    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        let line = self.note(report);
        self.tell();
        if report.multi_pv == 1 {
            self.lines.clear();
        }
        self.lines.push(line);
        if report.multi_pv > 1 {
            return ControlFlow::Continue(());
        }
        self.reported = report.pv.to_vec();
        self.confidence.note(report);
        let nodes = self.shared.nodes().max(report.nodes);
        let is_enough = self.soft_time_is_over(nodes);
        if self.has_found_the_mate(report) || (is_enough && self.is_clock_running(nodes)) {
            return ControlFlow::Break(());
        }
        self.is_soft_time_over = is_enough;
        ControlFlow::Continue(())
    }

    fn report_bound(&mut self, report: &Report<'_>) {
        if !self.rules.is_minimal && self.reporter.start.elapsed() >= QUIET_TIME {
            self.note(report);
            self.tell();
        }
    }
}

/// Watches the other workers, which go on until the leader stops them all.
pub(crate) struct Follower;

impl Supervisor for Follower {}
