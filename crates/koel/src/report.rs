//! What a search says of itself, in the words of the protocol.

use std::time::{Duration, Instant};

use koel_board::{CastlingNotation, Move, Position};
use koel_eval::material;
use koel_search::{Bound, MAX_PLY, Report, Score, SearchResult, Shared};
use koel_uci::{Info, MoveText, Reply, ScoreReport};
use shakmaty::Role;

use crate::chances::{chances, normalised};

/// Puts results into words.
#[derive(Clone, Debug)]
pub(crate) struct Reporter {
    /// The position that is searched.
    pub(crate) root: Position,
    pub(crate) castling: CastlingNotation,
    /// Whether a score comes with the chances to win, draw and lose.
    pub(crate) shows_wdl: bool,
    /// How many root moves the endgame tables have been asked about.
    pub(crate) root_hits: u64,
    /// When the search began.
    pub(crate) start: Instant,
}

impl Reporter {
    /// `info depth ... pv ...`; `hashfull` in permille.
    pub(crate) fn info(&self, report: &Report<'_>, shared: &Shared, hashfull: usize) -> Info {
        let elapsed = self.start.elapsed();
        // The counters lag behind, all but this one.
        let nodes = shared.nodes().max(report.nodes);
        Info {
            depth: Some(report.depth.0.unsigned_abs()),
            seldepth: Some(narrow(report.selective_depth)),
            multipv: Some(narrow(report.multi_pv)),
            score: Some(score(self.shown(report.score), report.bound)),
            wdl: self.shows_wdl.then(|| chances(report.score, material(&self.root))),
            nodes: Some(nodes),
            nps: Some(nodes_per_second(nodes, elapsed)),
            hashfull: Some(narrow(hashfull)),
            tbhits: Some(shared.tablebase_hits() + self.root_hits),
            time: Some(elapsed.into()),
            pv: self.line(report.pv),
            ..Info::default()
        }
    }

    /// Why there is nothing to search: mate or stalemate is on the board.
    pub(crate) fn game_over(outcome: &SearchResult) -> Info {
        Info { depth: Some(0), score: Some(score(outcome.score, Bound::Exact)), ..Info::default() }
    }

    /// `bestmove ... ponder ...`.
    pub(crate) fn best_move(&self, outcome: &SearchResult) -> Reply {
        let moves = outcome.best_move.into_iter().chain(outcome.ponder);
        let mut texts = self.line(&moves.collect::<Vec<_>>()).into_iter();
        Reply::BestMove { best: texts.next(), ponder: texts.next() }
    }

    /// A score in centipawns for users; mates stay what they are.
    fn shown(&self, score: Score) -> Score {
        if score.is_win() || score.is_loss() {
            return score;
        }
        Score::from_centipawns(normalised(score.centipawns(), material(&self.root)))
    }

    /// A legal move.
    pub(crate) fn text(&self, m: Move) -> MoveText {
        move_text(m, self.castling)
    }

    /// A line of legal moves.
    fn line(&self, moves: &[Move]) -> Vec<MoveText> {
        moves.iter().map(|&m| self.text(m)).collect()
    }
}

/// A legal move in the protocol's notation.
pub(crate) fn move_text(m: Move, castling: CastlingNotation) -> MoveText {
    let promotion = m.promotion().map(Role::char);
    let text = MoveText::between(m.from().into(), m.uci_to(castling).into(), promotion);
    text.expect("squares are on the board")
}

/// Nodes in a second; at least a microsecond is taken to have passed.
pub(crate) fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    per_second.try_into().unwrap_or(u64::MAX)
}

/// What a win by the endgame tables is told as, less the plies to where they know it.
const TABLEBASE_WIN: i32 = 20_000;
/// Evaluations are told as less.
const MOST_TOLD: i32 = TABLEBASE_WIN - MAX_PLY as i32 - 1;

fn score(score: Score, bound: Bound) -> ScoreReport {
    let by_tables = |plies| (TABLEBASE_WIN - plies as i32) * score.centipawns().signum();
    ScoreReport {
        score: match (score.moves_to_mate(), score.plies_to_tablebase()) {
            (Some(moves), _) => koel_uci::UciScore::Mate(moves),
            (_, Some(plies)) => koel_uci::UciScore::Centipawns(by_tables(plies)),
            _ => koel_uci::UciScore::Centipawns(score.centipawns().clamp(-MOST_TOLD, MOST_TOLD)),
        },
        bound: match bound {
            Bound::Exact => koel_uci::ScoreBound::Exact,
            Bound::Lower => koel_uci::ScoreBound::Lower,
            Bound::Upper => koel_uci::ScoreBound::Upper,
        },
    }
}

fn narrow(count: usize) -> u32 {
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
    fn what_tables_decide_is_told_apart() {
        let told = |worth: Score| score(worth, Bound::Exact).score;
        assert_eq!(told(Score::tablebase_win_at(3)), koel_uci::UciScore::Centipawns(19_997));
        assert_eq!(told(-Score::tablebase_win_at(3)), koel_uci::UciScore::Centipawns(-19_997));
        let koel_uci::UciScore::Centipawns(most) = told(Score::MAX_EVAL) else { panic!() };
        let koel_uci::UciScore::Centipawns(least) = told(Score::tablebase_win_at(MAX_PLY)) else {
            panic!()
        };
        assert!(most < least, "{most} {least}");
    }

    #[test]
    fn castling_is_written_as_asked_also_deep_in_a_line() {
        let root = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let first = root.parse_uci("e1g1").unwrap();
        let second = root.after(first).parse_uci("e8c8").unwrap();
        for (castling, expected) in [
            (CastlingNotation::Standard, ["e1g1", "e8c8"]),
            (CastlingNotation::Chess960, ["e1h1", "e8a8"]),
        ] {
            let (root, start) = (root.clone(), Instant::now());
            let reporter = Reporter { root, castling, shows_wdl: false, root_hits: 0, start };
            let line = reporter.line(&[first, second]);
            assert_eq!(line.iter().map(MoveText::as_str).collect::<Vec<_>>(), expected);
        }
    }
}
