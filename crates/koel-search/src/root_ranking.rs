//! The root moves by the word of the endgame tables.

use koel_board::{Game, Move, Position};

use crate::repetition_history::RepetitionHistory;
use crate::score::Score;
use crate::tablebase::{Tablebases, Wdl};

/// Beyond every distance to a capture or a pawn move that there is.
const MAX_DTZ: i32 = 2000;

/// What is won or lost but for the fifty-move rule is worth so many centipawns: somebody may err.
const CURSED_WIN_SCORE: i32 = 20;

/// What the endgame tables say of the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootRanking {
    /// All legal moves.
    pub moves: Vec<RankedMove>,
    /// Whether it was made from distances to captures and pawn moves, so that to follow it is to
    /// come forward.
    pub uses_dtz: bool,
}

/// A move of a position that the endgame tables know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The higher, the better. Moves that win for certain have the same rank, unless something in
    /// the game has been repeated: then the shortest way is the best, and nothing repeats again.
    pub rank: i32,
    /// What it is worth.
    pub score: Score,
}

impl RootRanking {
    /// Whether a search need not ask the tables any more: it keeps what it has, and is to find
    /// mates.
    pub(crate) fn decides_all_moves(&self) -> bool {
        self.uses_dtz || !self.moves.iter().any(|known| known.score.is_win())
    }
}

impl Tablebases {
    /// Ranks the moves of the game's present position, if the tables know all of them.
    ///
    /// A move that brings a position about for the third time is a draw, and so is one that lets
    /// the fifty-move rule come before the win.
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
        // Distances may be rounded down by one; that of a move that captures or mates is not.
        let is_in_time = !self.fifty_move_rule || dtz.abs() + clock <= 99 || dtz == 1;
        let haste = if history.has_repetition { dtz } else { 0 };
        let (rank, score) = match dtz {
            0 => (0, Score::DRAW),
            1.. if is_in_time => (2 * MAX_DTZ - haste, Score::tablebase_win_at(1)),
            1.. => (MAX_DTZ - dtz - clock, Score::from_centipawns(CURSED_WIN_SCORE)),
            // Twice, as the winner may not take the shortest way.
            _ if !self.fifty_move_rule || clock - 2 * dtz < 100 => {
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

    /// Plies to the next capture or pawn move behind this move, itself included, as in
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

/// What has been on the board.
struct GameHistory {
    repetitions: RepetitionHistory,
    /// Whether a position since the last capture or pawn move has been there before.
    has_repetition: bool,
}

impl GameHistory {
    fn new(game: &Game) -> GameHistory {
        let repetitions = RepetitionHistory::new(game, 1);
        let reach = repetitions.keys().reversible_plies();
        let has_repetition = (0..=reach).any(|plies| repetitions.keys().is_repeated(plies));
        GameHistory { repetitions, has_repetition }
    }

    /// Whether this position, which follows the present one, ends the game.
    fn draws(&mut self, after: &Position) -> bool {
        self.repetitions.push(after);
        let is_third = self.repetitions.keys().occurrences() >= 3;
        self.repetitions.pop();
        is_third || after.halfmove_clock() >= 100
    }
}
