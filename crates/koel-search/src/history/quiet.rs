//! How well quiet moves did, wherever they were played.

use koel_board::{Bitboard, Color, Move};

use super::entry::HistoryTable;

/// The limit of this history.
pub(crate) const QUIET_LIMIT: i32 = 8192;

const SQUARE_PAIRS: usize = 4096;

/// By who moves, from where and to where, and which of the two squares the opponent attacks: a
/// flight is not the same as a walk. (Butterfly boards; the threats after Koivisto and Caissa.)
#[derive(Clone, Debug)]
pub(crate) struct QuietHistory {
    table: HistoryTable<QUIET_LIMIT, { 2 * 4 * SQUARE_PAIRS }>,
}

/// Where a quiet move stands in the history. It outlives the position that gave it.
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

    /// How well a move did, -[`QUIET_LIMIT`] to [`QUIET_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, slot: QuietSlot) -> i32 {
        self.table.score(slot.0)
    }

    /// Says how well a move has done.
    #[inline]
    pub(crate) fn update(&mut self, slot: QuietSlot, bonus: i32) {
        self.table.update(slot.0, bonus);
    }
}
