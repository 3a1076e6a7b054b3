//! A move as most histories see it: which piece goes where.

use koel_board::{Move, Position, Role};

/// A piece and the square it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// How many there are, [`PieceTo::NONE`] included.
    pub(crate) const COUNT: usize = 12 * 64 + 1;

    /// Instead of a move: before the game began, and after a null move.
    pub(crate) const NONE: PieceTo = PieceTo(12 * 64);

    /// Of a legal move.
    #[inline]
    pub(crate) fn new(position: &Position, m: Move) -> PieceTo {
        let role = position.role_at(m.from()).unwrap_or(Role::Pawn) as u16 - 1;
        let piece = 6 * position.turn() as u16 + role;
        PieceTo(64 * piece + m.to() as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}
