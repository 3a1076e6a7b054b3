//! Reports of a search: its results as UCI output, sent to the session in bundles.

use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use koel_board::{CastlingNotation, Move, Position};
use koel_eval::material;
use koel_search::{Bound, Depth, MAX_PLY, Report, Score, SearchResult, Shared};
use koel_uci::{Info, MoveText, Reply, ScoreReport, UciWdl};
use shakmaty::Role;

use crate::search::win_draw_loss::{normalise, win_draw_loss};
use crate::session::job::Event;

/// The minimum time between two messages to the session. The first iterations take microseconds,
/// and waking the session and the GUI for each of them would take longer than searching them.
/// `hashfull` is sampled no more often either: sampling takes as long as searching hundreds of
/// nodes.
const MIN_INTERVAL: Duration = Duration::from_millis(3);

/// Fail-high and fail-low results of an aspiration window are reported only after this time, so
/// that short searches do not flood the output.
const BOUND_DELAY: Duration = Duration::from_secs(1);

/// The root move being searched is reported only after this time.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// The root of a search, and the settings of its output.
#[derive(Clone, Debug)]
pub(crate) struct ReportSettings {
    /// The root position.
    pub(crate) root: Position,
    pub(crate) castling: CastlingNotation,
    /// True if scores are printed with win, draw and loss probabilities (`UCI_ShowWDL`).
    pub(crate) shows_wdl: bool,
    /// Only the final report is printed.
    pub(crate) is_minimal: bool,
    /// The number of lines to report, the best first; more may be searched.
    pub(crate) lines: usize,
    /// The centipawns that the search subtracts from the value of a draw.
    pub(crate) contempt: i32,
    /// The number of root moves that were looked up in the tablebases.
    pub(crate) root_hits: u64,
    /// The start of the search.
    pub(crate) start: Instant,
}

/// The reporter of one search.
pub(crate) struct Reporter<'a> {
    settings: ReportSettings,
    shared: &'a Shared,
    session: &'a Sender<Event>,
    reported_pv: Vec<Move>,
    /// The node count of the last report.
    reported_nodes: u64,
    /// The lines of the last complete iteration.
    lines: Vec<Info>,
    /// Reports that have not been sent to the session yet.
    pending: Vec<Reply>,
    last_flush: Instant,
    /// The last sample of the use of the transposition table, in permille.
    hashfull: usize,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(
        settings: ReportSettings,
        shared: &'a Shared,
        session: &'a Sender<Event>,
    ) -> Reporter<'a> {
        Reporter {
            last_flush: settings.start,
            settings,
            shared,
            session,
            reported_pv: Vec::new(),
            reported_nodes: 0,
            lines: Vec::new(),
            pending: Vec::new(),
            hashfull: 0,
        }
    }

    /// The lines of the last complete iteration, the best first.
    pub(crate) fn lines(&self) -> &[Info] {
        &self.lines
    }

    /// Reports a line of a complete iteration.
    pub(crate) fn report_iteration(&mut self, report: &Report<'_>) {
        let mut info = self.info(report);
        if report.multi_pv == 1 {
            self.lines.clear();
            self.reported_pv = report.pv.to_vec();
        } else if let Some(first) = self.lines.first() {
            copy_totals(first, &mut info);
        }
        self.lines.push(info.clone());
        self.push(report.multi_pv, info);
        self.flush();
    }

    /// Reports a bound of the score, unless the search has only begun.
    pub(crate) fn report_bound(&mut self, report: &Report<'_>) {
        if !self.settings.is_minimal && self.settings.start.elapsed() >= BOUND_DELAY {
            let info = self.info(report);
            self.push(report.multi_pv, info);
            self.flush();
        }
    }

    /// Reports the root move being searched, unless the search has only begun; `number` counts from
    /// 1.
    pub(crate) fn report_root_move(&mut self, depth: Depth, m: Move, number: usize) {
        if !self.settings.is_minimal && self.settings.start.elapsed() >= CURRENT_MOVE_DELAY {
            let info = Info {
                depth: Some(depth.0.unsigned_abs()),
                currmove: Some(move_text(m, self.settings.castling)),
                currmovenumber: Some(saturate(number)),
                ..Info::default()
            };
            self.pending.push(info.into());
            self.flush();
        }
    }

    /// Sends the pending reports to the session, unless the last ones were sent just before.
    pub(crate) fn flush(&mut self) {
        let is_early = self.settings.is_minimal || self.last_flush.elapsed() < MIN_INTERVAL;
        if self.pending.is_empty() || is_early {
            return;
        }
        // A session that has ended needs no reports.
        let _ = self.session.send(Event::Output(std::mem::take(&mut self.pending)));
        self.last_flush = Instant::now();
    }

    /// Returns the final reports and the best move: that of the line that limited strength has
    /// chosen, or that of the result.
    ///
    /// A search that was interrupted may have found a better move than its last report shows, and
    /// has searched more nodes: the result is then reported once more.
    pub(crate) fn finish(mut self, result: &SearchResult, chosen: Option<Info>) -> Event {
        let best_move = match chosen {
            Some(line) => {
                let mut moves = line.pv.iter().copied();
                let best_move = Reply::BestMove { best: moves.next(), ponder: moves.next() };
                if self.lines.first() != Some(&line) {
                    self.put_first(line);
                }
                best_move
            }
            None => {
                if result.best_move.is_none() {
                    self.pending.push(game_over(result).into());
                } else if self.has_unreported(result) {
                    let info = self.info(&result.report());
                    self.put_first(info);
                }
                let moves = result.best_move.into_iter().chain(result.ponder);
                let mut texts = moves.map(|m| move_text(m, self.settings.castling));
                Reply::BestMove { best: texts.next(), ponder: texts.next() }
            }
        };
        Event::Finished { replies: self.pending, result: best_move }
    }

    /// Returns true if the result differs from the last report.
    fn has_unreported(&self, result: &SearchResult) -> bool {
        let nodes = self.shared.nodes().max(result.nodes);
        result.pv != self.reported_pv || nodes > self.reported_nodes
    }

    /// Reports a new best line, and the others of the last iteration after it, so that MultiPV
    /// output stays complete.
    fn put_first(&mut self, best: Info) {
        let best = Info { multipv: Some(1), ..best };
        let mut others = std::mem::take(&mut self.lines);
        // As many lines as before, without that of the new best move.
        let count = others.len().min(self.settings.lines).saturating_sub(1);
        others.retain(|line| line.pv.first() != best.pv.first());
        self.push(1, best.clone());
        for (number, mut line) in (2..).zip(others).take(count) {
            copy_totals(&best, &mut line);
            self.push(number, Info { multipv: Some(saturate(number)), ..line });
        }
    }

    /// Adds a report to the pending ones.
    fn push(&mut self, multi_pv: usize, info: Info) {
        if self.settings.is_minimal && multi_pv == 1 {
            // Only the last report is printed, with the other lines of its iteration.
            self.pending.clear();
        }
        if multi_pv <= self.settings.lines {
            self.pending.push(info.into());
        }
    }

    /// Returns `info depth ... pv ...`.
    fn info(&mut self, report: &Report<'_>) -> Info {
        let elapsed = self.settings.start.elapsed();
        if self.last_flush.elapsed() >= MIN_INTERVAL {
            self.hashfull = self.shared.hashfull();
        }
        // The shared counters lag; the count of the report is exact for its own thread.
        let nodes = self.shared.nodes().max(report.nodes);
        self.reported_nodes = nodes;
        let ReportSettings { root, castling, root_hits, .. } = &self.settings;
        let score = if root.is_insufficient_material() { Score::DRAW } else { report.score };
        Info {
            // A search that ends within its first iteration has a result, too.
            depth: Some(report.depth.0.unsigned_abs().max(1)),
            seldepth: Some(saturate(report.selective_depth.max(1))),
            multipv: Some(saturate(report.multi_pv)),
            score: Some(score_report(normalised(score, root), report.bound)),
            wdl: self.settings.shows_wdl.then(|| self.settings.wdl(score)),
            nodes: Some(nodes),
            nps: Some(nodes_per_second(nodes, elapsed)),
            hashfull: Some(saturate(self.hashfull)),
            tbhits: Some(self.shared.tablebase_hits() + root_hits),
            time: Some(elapsed.into()),
            pv: report.pv.iter().map(|&m| move_text(m, *castling)).collect(),
            ..Info::default()
        }
    }
}

impl ReportSettings {
    /// Returns the win, draw and loss probabilities of a score, in permille. The score of a line
    /// that ends in a draw contains the contempt, which says nothing about the result.
    fn wdl(&self, score: Score) -> UciWdl {
        if self.root.is_insufficient_material() {
            return UciWdl { win: 0, draw: 1000, loss: 0 };
        }
        // The search varies the value of a draw by one centipawn.
        let is_draw = (score.centipawns() + self.contempt).abs() <= 1;
        win_draw_loss(if is_draw { Score::DRAW } else { score }, material(&self.root))
    }
}

/// Gives a line the node count and time of another line of the iteration, of which all lines are
/// the result.
fn copy_totals(from: &Info, to: &mut Info) {
    (to.nodes, to.nps, to.time) = (from.nodes, from.nps, from.time);
    (to.hashfull, to.tbhits) = (from.hashfull, from.tbhits);
}

/// Returns the `info` of a position without legal moves: mate or stalemate.
fn game_over(result: &SearchResult) -> Info {
    let score = Some(score_report(result.score, Bound::Exact));
    Info { depth: Some(0), score, ..Info::default() }
}

/// Returns a score with its centipawns normalised; wins and losses do not change.
fn normalised(score: Score, root: &Position) -> Score {
    if score.is_win() || score.is_loss() {
        return score;
    }
    Score::from_centipawns(normalise(score.centipawns(), material(root)))
}

/// Returns a legal move in UCI notation.
pub(crate) fn move_text(m: Move, castling: CastlingNotation) -> MoveText {
    let promotion = m.promotion().map(Role::char);
    let text = MoveText::between(m.from().into(), m.uci_to(castling).into(), promotion);
    text.expect("squares are on the board")
}

/// Returns nodes per second, for an elapsed time of at least a microsecond.
pub(crate) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    per_second.try_into().unwrap_or(u64::MAX)
}

/// The reported centipawns of a tablebase win, less the plies to the position that was looked up.
const TABLEBASE_WIN: i32 = 20_000;
/// The largest reported centipawns of an evaluation, below all tablebase wins.
const MAX_REPORTED_EVAL: i32 = TABLEBASE_WIN - MAX_PLY as i32 - 1;

/// Converts a score and its bound.
fn score_report(score: Score, bound: Bound) -> ScoreReport {
    let tablebase_centipawns = |plies| (TABLEBASE_WIN - plies as i32) * score.centipawns().signum();
    ScoreReport {
        score: match (score.moves_to_mate(), score.plies_to_tablebase()) {
            (Some(moves), _) => koel_uci::UciScore::Mate(moves),
            (_, Some(plies)) => koel_uci::UciScore::Centipawns(tablebase_centipawns(plies)),
            _ => koel_uci::UciScore::Centipawns(
                score.centipawns().clamp(-MAX_REPORTED_EVAL, MAX_REPORTED_EVAL),
            ),
        },
        bound: match bound {
            Bound::Exact => koel_uci::ScoreBound::Exact,
            Bound::Lower => koel_uci::ScoreBound::Lower,
            Bound::Upper => koel_uci::ScoreBound::Upper,
        },
    }
}

/// Converts a count to 32 bits, with saturation.
fn saturate(count: usize) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_never_divided_by_zero() {
        assert_eq!(nodes_per_second(1000, Duration::from_millis(500)), 2000);
        assert_eq!(nodes_per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }

    #[test]
    fn tablebase_scores_lie_beyond_all_evaluations() {
        let reported = |score: Score| score_report(score, Bound::Exact).score;
        assert_eq!(reported(Score::tablebase_win_at(3)), koel_uci::UciScore::Centipawns(19_997));
        assert_eq!(reported(-Score::tablebase_win_at(3)), koel_uci::UciScore::Centipawns(-19_997));
        let koel_uci::UciScore::Centipawns(max_eval) = reported(Score::MAX_EVAL) else { panic!() };
        let koel_uci::UciScore::Centipawns(min_tablebase) =
            reported(Score::tablebase_win_at(MAX_PLY))
        else {
            panic!()
        };
        assert!(max_eval < min_tablebase, "{max_eval} {min_tablebase}");
    }

    #[test]
    fn castling_is_written_as_the_option_says_also_deep_in_a_line() {
        let root = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let first = root.parse_uci("e1g1").unwrap();
        let second = root.after(first).parse_uci("e8c8").unwrap();
        for (castling, expected) in [
            (CastlingNotation::Standard, ["e1g1", "e8c8"]),
            (CastlingNotation::Chess960, ["e1h1", "e8a8"]),
        ] {
            let line = [first, second].map(|m| move_text(m, castling));
            assert_eq!(line.map(|text| text.to_string()), expected);
        }
    }

    fn settings(fen: &str, contempt: i32) -> ReportSettings {
        ReportSettings {
            root: Position::from_fen(fen).unwrap(),
            castling: CastlingNotation::Standard,
            shows_wdl: true,
            is_minimal: false,
            lines: 1,
            contempt,
            root_hits: 0,
            start: Instant::now(),
        }
    }

    #[test]
    fn contempt_and_dead_positions_are_draws_in_win_draw_loss() {
        let settings_with = |contempt| settings(koel_board::START_FEN, contempt);
        let draw = settings_with(0).wdl(Score::DRAW);
        assert_eq!(draw.win, draw.loss);
        assert_eq!(settings_with(40).wdl(Score::from_centipawns(-40)), draw);
        assert_eq!(settings_with(-300).wdl(Score::from_centipawns(301)), draw);
        assert_ne!(settings_with(40).wdl(Score::from_centipawns(40)), draw);
        let dead = settings("3k4/8/8/8/8/3KN3/8/8 w - - 0 1", 0);
        assert_eq!(dead.wdl(Score::from_centipawns(200)), UciWdl { win: 0, draw: 1000, loss: 0 });
    }

    fn line(multi_pv: u32, m: &str, nodes: u64) -> Info {
        Info {
            multipv: Some(multi_pv),
            pv: vec![m.parse().unwrap()],
            nodes: Some(nodes),
            ..Info::default()
        }
    }

    #[test]
    fn a_new_best_line_comes_first_and_every_move_once() {
        let (sender, _events) = crossbeam::channel::unbounded();
        let shared = Shared::new(1, 1).unwrap();
        for (lines, best, expected) in [
            (3, "g1f3", &["g1f3", "e2e4", "d2d4"][..]),
            (3, "a2a3", &["a2a3", "e2e4", "d2d4"]),
            (2, "e2e4", &["e2e4", "d2d4"]),
            (1, "d2d4", &["d2d4"]),
        ] {
            let settings = ReportSettings { lines, ..settings(koel_board::START_FEN, 0) };
            let mut reporter = Reporter::new(settings, &shared, &sender);
            reporter.lines =
                (1..).zip(["e2e4", "d2d4", "g1f3"]).map(|(n, m)| line(n, m, 10)).collect();
            reporter.put_first(line(1, best, 20));
            let infos: Vec<Info> = reporter
                .pending
                .into_iter()
                .map(|reply| match reply {
                    Reply::Info(info) => *info,
                    other => panic!("{other}"),
                })
                .collect();
            let moves: Vec<&str> = infos.iter().map(|info| info.pv[0].as_str()).collect();
            assert_eq!(moves, expected);
            for (number, info) in (1..).zip(&infos) {
                assert_eq!((info.multipv, info.nodes), (Some(number), Some(20)));
            }
        }
    }
}
