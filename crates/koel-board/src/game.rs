//! A game as it was given: where it began and what was played.

use thiserror::Error;

use crate::key::Key;
use crate::moves::Move;
use crate::position::Position;

/// A start position and the moves from there, for notation, for the session, and for whoever
/// needs the keys of the past.
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

/// What the game remembers of a ply: the move and the key of the position before it.
#[derive(Clone, Copy, Debug)]
struct GamePly {
    played: Move,
    key_before: Key,
}

/// A move that is not legal where it was to be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{found} is not a legal move in {position}")]
pub struct IllegalMove {
    /// The move.
    pub found: Move,
    /// The FEN of the position.
    pub position: String,
}

impl Game {
    /// A game without moves.
    #[must_use]
    pub fn new(start: Position) -> Game {
        Game { position: start.clone(), start, plies: Vec::new() }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is not legal; the game stays as it was.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove { found: m, position: self.position.to_string() });
        }
        self.plies.push(GamePly { played: m, key_before: self.position.key() });
        self.position.play(m);
        Ok(())
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.plies.iter().map(|ply| ply.played)
    }

    /// The keys of all positions, from the start to the present one: one more than there are
    /// moves.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = Key> {
        self.plies.iter().map(|ply| ply.key_before).chain([self.position.key()])
    }

    /// All positions in order, from the start to the present one, played anew.
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
    /// The starting position of standard chess.
    fn default() -> Game {
        Game::new(Position::start())
    }
}
