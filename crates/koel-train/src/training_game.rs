//! A game of self-play: its moves, the score of each search, and the result.

use koel_board::{Color, Move, Position};
use thiserror::Error;

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

/// A move of a game that is not legal where it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("ply {ply}: {found:?} is not legal")]
pub struct IllegalPly {
    /// The number of plies before it.
    pub ply: usize,
    /// The move as it was read.
    pub found: Move,
}

impl TrainingGame {
    /// Calls `visit` with every position from which a move was played and with that move, in order.
    ///
    /// # Errors
    /// A move is not legal where it was played. Games that were read from a file or played by
    /// self-play contain no such move.
    pub fn for_each_position(
        &self,
        mut visit: impl FnMut(&Position, &ScoredMove),
    ) -> Result<(), IllegalPly> {
        let mut position = self.start.clone();
        for (ply, scored) in self.moves.iter().enumerate() {
            if !position.is_legal(scored.played) {
                return Err(IllegalPly { ply, found: scored.played });
            }
            visit(&position, scored);
            position.play(scored.played);
        }
        Ok(())
    }
}
