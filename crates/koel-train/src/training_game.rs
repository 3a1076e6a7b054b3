//! A game of self-play: its moves, the score of each search, and the result.

use koel_board::{Color, Move, Position};
use koel_search::{Depth, Score};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// A draw.
    Draw,
    /// A win of this side.
    Win(Color),
}

impl GameResult {
    /// Returns White's points: 1 for a win, 1/2 for a draw, 0 for a loss.
    #[must_use]
    pub fn white_points(self) -> f32 {
        match self {
            GameResult::Draw => 0.5,
            GameResult::Win(Color::White) => 1.0,
            GameResult::Win(Color::Black) => 0.0,
        }
    }
}

/// A move played, with the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move played.
    pub played: Move,
    /// The score of the position before the move, in centipawns from White's view;
    /// [`ScoredMove::NO_SCORE`] if the search completed no iteration.
    pub white_score: i16,
}

impl ScoredMove {
    /// Marks a missing score; it is beyond every score of a search.
    pub const NO_SCORE: i16 = i16::MAX;

    /// Returns the score as it is stored: 16 bits, or no score if no iteration was completed.
    pub(crate) fn stored_score(white_score: Score, depth: Depth) -> i16 {
        if depth == Depth(0) {
            return ScoredMove::NO_SCORE;
        }
        i16::try_from(white_score.centipawns()).unwrap_or(ScoredMove::NO_SCORE)
    }
}

/// A game from its first searched position to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    /// The first searched position.
    pub start: Position,
    /// The moves from there, one for each ply.
    pub moves: Vec<ScoredMove>,
    /// The result.
    pub result: GameResult,
}

impl TrainingGame {
    /// Calls `visit` with every position from which a move was played and with that move, in order.
    /// The moves must be legal, as those of games that were read or played are.
    pub fn for_each_position(&self, mut visit: impl FnMut(&Position, &ScoredMove)) {
        let mut position = self.start.clone();
        for scored in &self.moves {
            debug_assert!(position.is_legal(scored.played), "{:?}", scored.played);
            visit(&position, scored);
            position.play(scored.played);
        }
    }
}
