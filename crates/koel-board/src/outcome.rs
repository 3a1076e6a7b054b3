//! The end of a game by rule.

use crate::{Color, Game, Position};

/// The plies of the fifty-move rule: fifty moves of each side.
pub const FIFTY_MOVE_PLIES: u16 = 100;

/// The outcome of a game that has ended by rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A win of this side: checkmate.
    Win(Color),
    /// A draw.
    Draw(DrawReason),
}

/// The rule that draws a game.
///
/// ```
/// use koel_board::{DrawReason, Outcome, Position};
///
/// let bare = Position::from_fen("4k3/8/8/8/8/8/8/4KB2 w - - 0 1")?;
/// assert_eq!(bare.outcome(), Some(Outcome::Draw(DrawReason::InsufficientMaterial)));
/// # Ok::<(), koel_board::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has mating material: see [`Position::is_insufficient_material`].
    InsufficientMaterial,
    /// The position has occurred three times.
    ThreefoldRepetition,
    /// A hundred plies without a capture or a pawn move.
    FiftyMoves,
}

impl Position {
    /// Returns the outcome if the game has ended here, whatever was played before: checkmate,
    /// stalemate or insufficient material.
    ///
    /// # Examples
    /// ```
    /// use koel_board::{Color, Outcome, Position};
    ///
    /// let mated = Position::from_fen("k1R5/8/1K6/8/8/8/8/8 b - - 0 1")?;
    /// assert_eq!(mated.outcome(), Some(Outcome::Win(Color::White)));
    /// assert_eq!(Position::default().outcome(), None);
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_moves() {
            return Some(match self.is_check() {
                true => Outcome::Win(!self.turn()),
                false => Outcome::Draw(DrawReason::Stalemate),
            });
        }
        self.is_insufficient_material().then_some(Outcome::Draw(DrawReason::InsufficientMaterial))
    }
}

impl Game {
    /// Returns the outcome if the game has ended by rule. A threefold repetition and the fifty-move
    /// rule need no claim; a mate with the hundredth ply counts.
    ///
    /// ```
    /// use koel_board::{DrawReason, Game, Outcome, Position};
    ///
    /// let mut game = Game::new(Position::start());
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     assert_eq!(game.outcome(), None);
    ///     game.play(game.position().parse_uci(text)?)?;
    /// }
    /// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::ThreefoldRepetition)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        position.outcome().or_else(|| {
            let reversible = usize::from(position.halfmove_clock());
            let here = position.key();
            let occurrences =
                self.keys().rev().take(reversible + 1).filter(|&key| key == here).count();
            if occurrences >= 3 {
                return Some(Outcome::Draw(DrawReason::ThreefoldRepetition));
            }
            (reversible >= usize::from(FIFTY_MOVE_PLIES))
                .then_some(Outcome::Draw(DrawReason::FiftyMoves))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::START_FEN;

    #[test]
    fn the_rules_end_games() {
        let outcome = |fen: &str, moves: &str| {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            for text in moves.split_whitespace() {
                game.play(game.position().parse_uci(text).unwrap()).unwrap();
            }
            game.outcome()
        };
        let draw = |reason| Some(Outcome::Draw(reason));
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        assert_eq!(outcome(START_FEN, shuffle), None);
        let thrice = format!("{shuffle} f6g8");
        assert_eq!(outcome(START_FEN, &thrice), draw(DrawReason::ThreefoldRepetition));
        let mate = Some(Outcome::Win(Color::Black));
        assert_eq!(outcome(START_FEN, "f2f3 e7e5 g2g4 d8h4"), mate);
        let last_move = "8/8/8/8/8/5k2/8/5K1R w - - 99 80";
        assert_eq!(outcome(last_move, "h1h2"), draw(DrawReason::FiftyMoves));
        assert_eq!(
            outcome("k7/8/1K6/8/8/8/8/2R5 w - - 99 80", "c1c8"),
            Some(Outcome::Win(Color::White))
        );
        let bare = "8/8/8/8/8/5k2/8/5K1N w - - 0 80";
        assert_eq!(outcome(bare, ""), draw(DrawReason::InsufficientMaterial));
        assert_eq!(outcome("8/8/8/8/8/5kq1/8/7K w - - 0 80", ""), draw(DrawReason::Stalemate));
    }
}
