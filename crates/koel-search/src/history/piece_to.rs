//! A move as piece and destination, the index of most histories.

use koel_board::{Color, Move, Position, Role};

/// A piece and its destination square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// The number of different values.
    pub(crate) const COUNT: usize = 12 * 64;

    /// The number of different values of a side; those of black come first.
    pub(crate) const COUNT_OF_SIDE: usize = PieceTo::COUNT / 2;

    /// The size of a table indexed by pairs, a power of two.
    pub(crate) const PAIRS: usize = (PieceTo::COUNT * PieceTo::COUNT).next_power_of_two();

    /// The value for no move, at the start of the game and for a null move: a white pawn to a1,
    /// which is never legal.
    pub(crate) const NONE: PieceTo = PieceTo(64 * 6 * Color::White as u16);

    /// The first value of a side.
    #[inline]
    pub(crate) fn first_of(color: Color) -> PieceTo {
        PieceTo((PieceTo::COUNT_OF_SIDE * color as usize) as u16)
    }

    /// The value of a legal move.
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

    /// The index of a pair of moves, below [`PieceTo::PAIRS`].
    #[inline]
    pub(crate) fn pair_index(self, m: PieceTo) -> usize {
        self.index() * PieceTo::COUNT + m.index()
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}
