//! Reports of a search: its events as UCI output, sent to the session in bundles.

use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use koel_board::{CastlingNotation, Move};
use koel_engine::{Event, Line, Outcome, WinDrawLoss};
use koel_search::{Bound, Depth, Score};
use koel_uci::{Info, Reply, ScoreReport, Wdl};

use crate::session::job;
use crate::uci_values::{move_text, nodes_per_second, uci_score};

/// The minimum time between two messages to the session. The first iterations take microseconds,
/// and waking the session and the GUI for each of them would take longer than searching them.
const MIN_INTERVAL: Duration = Duration::from_millis(3);

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportSettings {
    pub(crate) castling: CastlingNotation,
    /// True if scores are printed with win, draw and loss probabilities (`UCI_ShowWDL`).
    pub(crate) shows_wdl: bool,
    /// Only the final report is printed.
    pub(crate) is_minimal: bool,
}

pub(crate) struct Reporter {
    settings: ReportSettings,
    session: Sender<job::Event>,
    /// The lines of the last complete iteration.
    lines: Vec<Line>,
    /// Reports that have not been sent to the session yet.
    pending: Vec<Reply>,
    last_flush: Instant,
}

impl Reporter {
    pub(crate) fn new(session: Sender<job::Event>) -> Reporter {
        let castling = CastlingNotation::Standard;
        Reporter {
            settings: ReportSettings { castling, shows_wdl: false, is_minimal: false },
            session,
            lines: Vec::new(),
            pending: Vec::new(),
            last_flush: Instant::now(),
        }
    }

    /// Prepares for the next search.
    pub(crate) fn start(&mut self, settings: ReportSettings) {
        self.settings = settings;
        self.lines.clear();
        self.pending.clear();
        self.last_flush = Instant::now();
    }

    /// Changes the notation of castling during a search.
    pub(crate) fn set_castling(&mut self, castling: CastlingNotation) {
        self.settings.castling = castling;
    }

    pub(crate) fn handle(&mut self, event: Event) {
        match event {
            Event::Iteration(line) => {
                if line.multi_pv == 1 {
                    self.lines.clear();
                }
                self.push(&line);
                self.lines.push(line);
            }
            Event::Bound(line) if !self.settings.is_minimal => self.push(&line),
            Event::RootMove(depth, m, number) if !self.settings.is_minimal => {
                self.pending.push(root_move(depth, m, number, self.settings.castling).into());
            }
            Event::Finished(outcome) => return self.finish(outcome),
            Event::Waiting => return self.flush(),
            _ => {}
        }
        if self.last_flush.elapsed() >= MIN_INTERVAL {
            self.flush();
        }
    }

    /// Sends the pending reports to the session, unless only the last one is to be printed.
    fn flush(&mut self) {
        if self.pending.is_empty() || self.settings.is_minimal {
            return;
        }
        // A session that has ended needs no reports.
        let _ = self.session.send(job::Event::Output(std::mem::take(&mut self.pending)));
        self.last_flush = Instant::now();
    }

    /// Sends the final reports and the best move.
    fn finish(&mut self, outcome: Outcome) {
        match outcome.line {
            None => self.pending.push(game_over(outcome.score).into()),
            Some(line) if !outcome.is_reported => self.put_first(line),
            Some(_) => {}
        }
        let moves = outcome.best_move.into_iter().chain(outcome.ponder);
        let mut texts = moves.map(|m| move_text(m, self.settings.castling));
        let result = Reply::BestMove { best: texts.next(), ponder: texts.next() };
        let replies = std::mem::take(&mut self.pending);
        // A session that has ended needs no reports.
        let _ = self.session.send(job::Event::Finished { replies, result: Ok(result) });
    }

    /// Reports a new best line, and the others of the last iteration after it, so that MultiPV
    /// output stays complete.
    fn put_first(&mut self, best: Line) {
        let mut others = std::mem::take(&mut self.lines);
        // As many lines as before, without that of the new best move.
        let count = others.len().saturating_sub(1);
        others.retain(|line| line.pv.first() != best.pv.first());
        let mut best = best;
        best.multi_pv = 1;
        self.push(&best);
        for (number, mut line) in (2..).zip(others).take(count) {
            line.copy_totals(&best);
            line.multi_pv = number;
            self.push(&line);
        }
    }

    fn push(&mut self, line: &Line) {
        if self.settings.is_minimal && line.multi_pv == 1 {
            // Only the last report is printed, with the other lines of its iteration.
            self.pending.clear();
        }
        self.pending.push(info(line, &self.settings).into());
    }
}

/// Returns `info depth ... pv ...`.
fn info(line: &Line, settings: &ReportSettings) -> Info {
    let WinDrawLoss { win, draw, loss } = line.wdl;
    Info {
        depth: Some(line.depth.0.unsigned_abs()),
        seldepth: Some(saturate(line.selective_depth)),
        multipv: Some(saturate(line.multi_pv)),
        score: Some(ScoreReport { score: uci_score(line), bound: uci_bound(line.bound) }),
        wdl: settings.shows_wdl.then_some(Wdl { win, draw, loss }),
        nodes: Some(line.nodes),
        nps: Some(nodes_per_second(line.nodes, line.elapsed)),
        hashfull: Some(saturate(line.hashfull)),
        tbhits: Some(line.tablebase_hits),
        time: Some(line.elapsed.into()),
        pv: line.pv.iter().map(|&m| move_text(m, settings.castling)).collect(),
        ..Info::default()
    }
}

fn uci_bound(bound: Bound) -> koel_uci::Bound {
    match bound {
        Bound::Exact => koel_uci::Bound::Exact,
        Bound::Lower => koel_uci::Bound::Lower,
        Bound::Upper => koel_uci::Bound::Upper,
    }
}

/// Returns `info depth ... currmove ...`.
fn root_move(depth: Depth, m: Move, number: usize, castling: CastlingNotation) -> Info {
    Info {
        depth: Some(depth.0.unsigned_abs()),
        currmove: Some(move_text(m, castling)),
        currmovenumber: Some(saturate(number)),
        ..Info::default()
    }
}

/// Returns the `info` of a position without legal moves: mate or stalemate.
fn game_over(score: Score) -> Info {
    let score = score.moves_to_mate().map_or(koel_uci::Score::Centipawns(0), koel_uci::Score::Mate);
    Info { depth: Some(0), score: Some(score.into()), ..Info::default() }
}

/// Converts a count to 32 bits, with saturation.
fn saturate(count: usize) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;
    use koel_board::{Game, Position};
    use koel_engine::{Engine, Request};

    use super::*;

    fn three_lines() -> Vec<Line> {
        let (sender, events) = unbounded();
        let mut engine = Engine::new(move |event| drop(sender.send(event))).unwrap();
        engine.go(Request { multi_pv: 3, ..Request::new(Game::default()).depth(1) });
        engine.wait();
        let lines = events.try_iter().filter_map(|event| match event {
            Event::Iteration(line) => Some(line),
            _ => None,
        });
        lines.collect()
    }

    #[test]
    fn a_new_best_line_comes_first_and_every_move_once() {
        let all = three_lines();
        let m = |index: usize| all[index].pv[0];
        let new = Position::start().parse_uci("a2a3").unwrap();
        for (lines, best, expected) in [
            (3, m(2), &[m(2), m(0), m(1)][..]),
            (3, new, &[new, m(0), m(1)]),
            (2, m(0), &[m(0), m(1)]),
            (1, m(1), &[m(1)]),
        ] {
            let mut reporter = Reporter::new(unbounded().0);
            reporter.lines = all[..lines].to_vec();
            let mut line = all[0].clone();
            (line.pv, line.nodes) = (vec![best], 77);
            reporter.put_first(line);
            let infos: Vec<Info> = reporter
                .pending
                .into_iter()
                .map(|reply| match reply {
                    Reply::Info(info) => *info,
                    other => panic!("{other}"),
                })
                .collect();
            let moves: Vec<_> = infos.iter().map(|info| info.pv[0].to_string()).collect();
            let expected: Vec<_> = expected.iter().map(ToString::to_string).collect();
            assert_eq!(moves, expected);
            for (number, info) in (1..).zip(&infos) {
                assert_eq!((info.multipv, info.nodes), (Some(number), Some(77)));
            }
        }
    }
}
