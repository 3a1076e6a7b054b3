//! The list of moves that the generator fills.

use std::ops::Deref;

use arrayvec::ArrayVec;

use crate::moves::Move;

/// The capacity of a [`MoveList`]. No position has more than 218 legal moves (Petrović, 1964).
/// Positions that no game reaches stay below the capacity as well.
pub const MAX_MOVES: usize = 256;

/// A list of moves with room for [`MAX_MOVES`], stored on the stack. It reads as a slice.
///
/// [`Position::legal_moves`](crate::Position::legal_moves) returns all moves; what begins with
/// `push_` adds some of them to a list, for a search that generates them in stages.
///
/// ```
/// use koel_board::{MoveList, Position};
///
/// let mut moves = MoveList::new();
/// Position::start().push_quiet_moves(&mut moves);
/// assert_eq!(moves.len(), 20);
/// let pushes = moves.iter().filter(|m| m.from().file() == m.to().file()).count();
/// assert_eq!(pushes, 16);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline]
    #[must_use]
    pub fn new() -> MoveList {
        MoveList(ArrayVec::new_const())
    }

    /// Appends a move; a full list stays as it is, which the moves of one position never fill.
    // A push that panics would cost a branch to the panic for each move of the generator.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        let _ = self.0.try_push(m);
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl FromIterator<Move> for MoveList {
    /// Collects the first [`MAX_MOVES`] moves.
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        MoveList(moves.into_iter().take(MAX_MOVES).collect())
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MAX_MOVES>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'list> IntoIterator for &'list MoveList {
    type Item = &'list Move;
    type IntoIter = std::slice::Iter<'list, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
