//! A game: the start position and the moves played.

use thiserror::Error;

use crate::key::Key;
use crate::moves::Move;
use crate::position::Position;

/// A start position and the moves played from it, with the keys of all positions (for repetition
/// detection).
///
/// # Examples
/// ```
/// use koel_board::{Game, Position};
///
/// let mut game = Game::new(Position::start());
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     game.play(game.position().parse_uci(text)?)?;
/// }
/// let first = game.keys().next();
/// assert_eq!(first, game.keys().last());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    plies: Vec<GamePly>,
}

/// One ply of a game: the move and the key of the position before it.
#[derive(Clone, Copy, Debug)]
struct GamePly {
    played: Move,
    key_before: Key,
}

/// The error for playing a move that is not legal.
///
/// ```
/// use koel_board::{Game, Position};
///
/// let mut game = Game::new(Position::start());
/// let e4 = game.position().parse_uci("e2e4")?;
/// game.play(e4)?;
/// // White has no pawn on e2 any more, and it is Black's turn: nothing is played.
/// assert!(game.play(e4).is_err());
/// assert_eq!(game.moves().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{found} is not a legal move in {position}")]
pub struct IllegalMove {
    /// The move.
    pub found: Move,
    /// The FEN of the position.
    pub position: String,
}

impl Game {
    /// Creates a game without moves.
    #[must_use]
    pub fn new(start: Position) -> Game {
        Game { position: start.clone(), start, plies: Vec::new() }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal; the game is unchanged then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove { found: m, position: self.position.to_string() });
        }
        self.plies.push(GamePly { played: m, key_before: self.position.key() });
        self.position.play(m);
        Ok(())
    }

    /// Returns the start position.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves played, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.plies.iter().map(|ply| ply.played)
    }

    /// Returns the keys of all positions from the start to the current one: one more than there are
    /// moves.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = Key> {
        self.plies.iter().map(|ply| ply.key_before).chain([self.position.key()])
    }

    /// Returns all positions from the start to the current one. They are recomputed by playing the
    /// moves.
    ///
    /// ```
    /// use koel_board::{Game, Position};
    ///
    /// let mut game = Game::new(Position::start());
    /// game.play(game.position().parse_san("e4")?)?;
    /// let sides: Vec<_> = game.positions().map(|position| position.turn().char()).collect();
    /// assert_eq!(sides, ['w', 'b']);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start.clone();
        let following = self.moves().map(move |m| {
            position.play(m);
            position.clone()
        });
        std::iter::once(self.start.clone()).chain(following)
    }
}

impl Default for Game {
    /// Creates a game from the starting position of standard chess.
    fn default() -> Game {
        Game::new(Position::start())
    }
}
