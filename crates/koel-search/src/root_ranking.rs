//! The ranking of the root moves by the endgame tables.

use koel_board::{FIFTY_MOVE_PLIES, Game, Move, Position};

use crate::repetition_detector::RepetitionDetector;
use crate::score::Score;
use crate::tablebase::{Tablebases, Wdl};

/// A bound beyond every distance to zeroing.
const MAX_DTZ: i32 = 2000;

/// The score of a cursed win in centipawns: the opponent may err.
const CURSED_WIN_SCORE: i32 = 20;

/// The moves of a position, ranked by the endgame tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootRanking {
    /// All legal moves.
    pub moves: Vec<RankedMove>,
    /// True if the ranking uses DTZ tables, so that following it makes progress.
    pub uses_dtz: bool,
}

/// A move with its rank and score by the endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The rank, the higher the better. All certain wins have the same rank, unless a position
    /// has been repeated: then the shortest way ranks highest, so that nothing is repeated again.
    pub rank: i32,
    /// The score of the move.
    pub score: Score,
}

impl RootRanking {
    /// Returns true if a search with this ranking need not probe the tables at inner nodes: the
    /// ranking keeps the result, and the search is to find mates.
    pub(crate) fn needs_no_probing(&self) -> bool {
        self.uses_dtz || !self.moves.iter().any(|ranked| ranked.score.is_win())
    }
}

impl Tablebases {
    /// Ranks the moves of the game's current position, if the tables contain all of them.
    /// A move that completes a third occurrence is a draw, and so is one after which the
    /// fifty-move rule comes before the win.
    #[must_use]
    pub fn rank_root_moves(&self, game: &Game) -> Option<RootRanking> {
        let position = game.position();
        if !self.may_contain(position) {
            return None;
        }
        let moves = position.legal_moves();
        let mut history = GameHistory::new(game);
        let by_dtz = moves.iter().map(|&m| self.rank_by_dtz(&mut history, position, m));
        let (moves, uses_dtz) = match by_dtz.collect::<Option<Vec<_>>>() {
            Some(ranked) => (ranked, true),
            None => {
                let by_wdl = moves.iter().map(|&m| self.rank_by_wdl(&mut history, position, m));
                (by_wdl.collect::<Option<Vec<_>>>()?, false)
            }
        };
        Some(RootRanking { moves, uses_dtz })
    }

    fn rank_by_dtz(
        &self,
        history: &mut GameHistory,
        position: &Position,
        m: Move,
    ) -> Option<RankedMove> {
        let dtz = self.dtz_after(history, position, m)?;
        let clock = i32::from(position.halfmove_clock());
        // Distances may be rounded down by one, except that of a move that captures or mates.
        let is_in_time =
            !self.fifty_move_rule || dtz.abs() + clock < FIFTY_MOVE_PLIES.into() || dtz == 1;
        let repetition_penalty = if history.has_repetition { dtz } else { 0 };
        let (rank, score) = match dtz {
            0 => (0, Score::DRAW),
            1.. if is_in_time => (2 * MAX_DTZ - repetition_penalty, Score::tablebase_win_at(1)),
            1.. => (MAX_DTZ - dtz - clock, Score::from_centipawns(CURSED_WIN_SCORE)),
            // Twice, as the winner may not take the shortest way.
            _ if !self.fifty_move_rule || clock - 2 * dtz < FIFTY_MOVE_PLIES.into() => {
                (-2 * MAX_DTZ, -Score::tablebase_win_at(1))
            }
            _ => {
                let score = if is_in_time {
                    -Score::tablebase_win_at(1)
                } else {
                    Score::from_centipawns(-CURSED_WIN_SCORE)
                };
                (-MAX_DTZ - dtz + clock, score)
            }
        };
        Some(RankedMove { m, rank, score })
    }

    /// The distance to zeroing of a move, the move itself included, as in
    /// [`Tablebase::probe_dtz`](crate::Tablebase::probe_dtz).
    fn dtz_after(&self, history: &mut GameHistory, position: &Position, m: Move) -> Option<i32> {
        let after = position.after(m);
        let has_moves = after.has_legal_moves();
        if !has_moves {
            return Some(i32::from(after.is_check()));
        }
        if after.is_insufficient_material() {
            return Some(0);
        }
        if after.halfmove_clock() == 0 {
            return Some(match self.source.probe_wdl(&after)? {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => 101,
                Wdl::Draw => 0,
                Wdl::CursedWin => -101,
                Wdl::Win => -1,
            });
        }
        if history.draws(&after) {
            return Some(0);
        }
        let dtz = -self.source.probe_dtz(&after)?;
        Some(dtz + dtz.signum())
    }

    fn rank_by_wdl(
        &self,
        history: &mut GameHistory,
        position: &Position,
        m: Move,
    ) -> Option<RankedMove> {
        let after = position.after(m);
        let wdl = match after.has_legal_moves() {
            false if after.is_check() => Wdl::Loss,
            false => Wdl::Draw,
            true if history.draws(&after) => Wdl::Draw,
            true => self.effective_wdl(self.source.probe_wdl(&after)?),
        };
        let (rank, score) = match wdl {
            Wdl::Loss => (2, Score::tablebase_win_at(1)),
            Wdl::BlessedLoss => (1, Score::from_centipawns(CURSED_WIN_SCORE)),
            Wdl::Draw => (0, Score::DRAW),
            Wdl::CursedWin => (-1, Score::from_centipawns(-CURSED_WIN_SCORE)),
            Wdl::Win => (-2, -Score::tablebase_win_at(1)),
        };
        Some(RankedMove { m, rank, score })
    }
}

/// The history of the game before the ranked moves.
struct GameHistory {
    repetitions: RepetitionDetector,
    /// True if a position since the last capture or pawn move is a repetition.
    has_repetition: bool,
}

impl GameHistory {
    fn new(game: &Game) -> GameHistory {
        let repetitions = RepetitionDetector::new(game, 1);
        let reach = repetitions.keys().reversible_plies();
        let has_repetition = (0..=reach).any(|plies| repetitions.keys().is_repeated(plies));
        GameHistory { repetitions, has_repetition }
    }

    /// Returns true if the game is drawn by a move to this position.
    fn draws(&mut self, after: &Position) -> bool {
        self.repetitions.push(after);
        let is_third = self.repetitions.keys().occurrences() >= 3;
        self.repetitions.pop();
        is_third || after.halfmove_clock() >= FIFTY_MOVE_PLIES
    }
}
