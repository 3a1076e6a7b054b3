//! The history of quiet moves.

use koel_board::{Bitboard, Color, Move};

use super::entry::HistoryTable;

/// The limit of an entry.
pub(crate) const QUIET_LIMIT: i32 = 8192;

const SQUARE_PAIRS: usize = 4096;

/// The quiet history: indexed by side, origin, destination, and whether the opponent attacks
/// each of the two squares. (Butterfly boards; the threats after Koivisto and Caissa.)
#[derive(Clone, Debug)]
pub(crate) struct QuietHistory {
    table: HistoryTable<QUIET_LIMIT, { 2 * 4 * SQUARE_PAIRS }>,
}

/// The index of a quiet move in the history. It stays valid after the position is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QuietSlot(usize);

impl QuietSlot {
    #[inline]
    pub(crate) fn new(turn: Color, threats: Bitboard, m: Move) -> QuietSlot {
        let threatened =
            2 * usize::from(threats.contains(m.from())) + usize::from(threats.contains(m.to()));
        let squares = usize::from(m.bits() & 0xfff);
        QuietSlot((4 * turn as usize + threatened) * SQUARE_PAIRS + squares)
    }
}

impl QuietHistory {
    pub(crate) fn new() -> QuietHistory {
        QuietHistory { table: HistoryTable::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of a quiet move, -[`QUIET_LIMIT`] to [`QUIET_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, slot: QuietSlot) -> i32 {
        self.table.score(slot.0)
    }

    /// Applies a bonus or malus to a quiet move.
    #[inline]
    pub(crate) fn update(&mut self, slot: QuietSlot, bonus: i32) {
        self.table.update(slot.0, bonus);
    }
}
