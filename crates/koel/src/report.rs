//! Conversion of search results to UCI output.

use std::time::{Duration, Instant};

use koel_board::{CastlingNotation, Move, Position};
use koel_eval::material;
use koel_search::{Bound, MAX_PLY, Report, Score, SearchResult, Shared};
use koel_uci::{Info, MoveText, Reply, ScoreReport};
use shakmaty::Role;

use crate::wdl::{normalise, win_draw_loss};

/// Converts results of one search to UCI output.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    /// The root position.
    pub(crate) root: Position,
    pub(crate) castling: CastlingNotation,
    /// True if scores are printed with win, draw and loss probabilities (`UCI_ShowWDL`).
    pub(crate) shows_wdl: bool,
    /// The number of root moves that were looked up in the tablebases.
    pub(crate) root_hits: u64,
    /// The start of the search.
    pub(crate) start: Instant,
}

impl Reporter {
    /// Returns `info depth ... pv ...`; `hashfull` is in permille.
    pub(crate) fn info(&self, report: &Report<'_>, shared: &Shared, hashfull: usize) -> Info {
        let elapsed = self.start.elapsed();
        // The shared counters lag; the count of the report is exact for its own thread.
        let nodes = shared.nodes().max(report.nodes);
        Info {
            depth: Some(report.depth.0.unsigned_abs()),
            seldepth: Some(saturate(report.selective_depth)),
            multipv: Some(saturate(report.multi_pv)),
            score: Some(score_report(self.normalised(report.score), report.bound)),
            wdl: self.shows_wdl.then(|| win_draw_loss(report.score, material(&self.root))),
            nodes: Some(nodes),
            nps: Some(nodes_per_second(nodes, elapsed)),
            hashfull: Some(saturate(hashfull)),
            tbhits: Some(shared.tablebase_hits() + self.root_hits),
            time: Some(elapsed.into()),
            pv: self.move_texts(report.pv),
            ..Info::default()
        }
    }

    /// Returns the `info` of a position without legal moves: mate or stalemate.
    pub(crate) fn game_over(result: &SearchResult) -> Info {
        Info {
            depth: Some(0),
            score: Some(score_report(result.score, Bound::Exact)),
            ..Info::default()
        }
    }

    /// Returns `bestmove ... ponder ...`.
    pub(crate) fn best_move(&self, result: &SearchResult) -> Reply {
        let moves = result.best_move.into_iter().chain(result.ponder);
        let mut texts = self.move_texts(&moves.collect::<Vec<_>>()).into_iter();
        Reply::BestMove { best: texts.next(), ponder: texts.next() }
    }

    /// Returns a score with its centipawns normalised; wins and losses do not change.
    fn normalised(&self, score: Score) -> Score {
        if score.is_win() || score.is_loss() {
            return score;
        }
        Score::from_centipawns(normalise(score.centipawns(), material(&self.root)))
    }

    /// Returns a legal move in UCI notation.
    pub(crate) fn move_text(&self, m: Move) -> MoveText {
        move_text(m, self.castling)
    }

    /// Returns a line of legal moves in UCI notation.
    fn move_texts(&self, moves: &[Move]) -> Vec<MoveText> {
        moves.iter().map(|&m| self.move_text(m)).collect()
    }
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
            let (root, start) = (root.clone(), Instant::now());
            let reporter = Reporter { root, castling, shows_wdl: false, root_hits: 0, start };
            let line = reporter.move_texts(&[first, second]);
            assert_eq!(line.iter().map(MoveText::as_str).collect::<Vec<_>>(), expected);
        }
    }
}
