//! A move as most histories see it: which piece goes where.

use koel_board::{Color, Move, Position, Role};

/// A piece and the square it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// How many there are.
    pub(crate) const COUNT: usize = 12 * 64;

    /// Room for pairs of them, a power of two.
    pub(crate) const PAIRS: usize = (PieceTo::COUNT * PieceTo::COUNT).next_power_of_two();

    /// Instead of a move, before the game began and after a null move: a white pawn goes to a1,
    /// which it never does.
    pub(crate) const NONE: PieceTo = PieceTo(64 * 6 * Color::White as u16);

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

    /// The index of the two together, below [`PieceTo::PAIRS`].
    #[inline]
    pub(crate) fn followed_by(self, m: PieceTo) -> usize {
        self.index() * PieceTo::COUNT + m.index()
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}
