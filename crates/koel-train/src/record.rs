//! A game as training wants it: moves, what they were thought to be worth, and who won.

use koel_board::{Color, Move, Position};

use crate::viriformat::ViriformatError;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Nobody won.
    Nobody,
    /// This side won.
    Side(Color),
}

impl Winner {
    /// 1 for a win of White, 1/2 for a draw, 0 for a loss.
    #[must_use]
    pub fn white_points(self) -> f32 {
        match self {
            Winner::Nobody => 0.5,
            Winner::Side(Color::White) => 1.0,
            Winner::Side(Color::Black) => 0.0,
        }
    }
}

/// A move played, and the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub played: Move,
    /// What the position before the move is worth, in centipawns from White's view;
    /// [`Ply::NO_SCORE`] if the search was too short to tell.
    pub white_score: i16,
}

impl Ply {
    /// No score: beyond every score that a search gives.
    pub const NO_SCORE: i16 = i16::MAX;
}

/// A game from its first searched position to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Where the searches began.
    pub start: Position,
    /// The moves from there.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub winner: Winner,
}

impl GameRecord {
    /// Visits every position from which a move was played, with that ply, in order.
    ///
    /// # Errors
    /// A move is not legal where it was played: the number of the ply and the move. A record that
    /// was read or played has none.
    pub fn visit(&self, mut see: impl FnMut(&Position, &Ply)) -> Result<(), ViriformatError> {
        let mut position = self.start.clone();
        for (index, ply) in self.plies.iter().enumerate() {
            if !position.is_legal(ply.played) {
                let illegal = ViriformatError::IllegalMove { ply: index, found: ply.played };
                return Err(illegal);
            }
            see(&position, ply);
            position.play(ply.played);
        }
        Ok(())
    }
}
