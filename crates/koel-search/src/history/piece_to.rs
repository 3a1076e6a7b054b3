//! A move as piece and destination, the index of most histories.

use koel_board::{Color, Move, Position};

/// A piece and its destination square: 1 bit for the color, 3 for the role, 6 for the square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The number of different values, a power of two.
    pub(crate) const COUNT: usize = 2 * 8 * 64;

    /// The value for no move, at the start of the game and for a null move: no role, to a1.
    pub(crate) const NONE: PieceTo = PieceTo(0);

    /// The values of all moves of a side.
    #[inline]
    pub(crate) fn range_of(color: Color) -> std::ops::Range<usize> {
        let first = 8 * 64 * color as usize;
        first + 64..first + 7 * 64
    }

    /// The value of a legal move.
    #[inline]
    pub(crate) fn new(position: &Position, m: Move) -> PieceTo {
        let role = position.role_at(m.from()).map_or(0, |role| role as u16);
        PieceTo((position.turn() as u16) << 9 | role << 6 | m.to() as u16)
    }

    /// The index, below [`PieceTo::COUNT`].
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) & (PieceTo::COUNT - 1)
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}
