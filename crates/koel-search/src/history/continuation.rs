//! The history of pairs of moves.

use koel_board::Color;

use super::entry::HistoryTable;
use super::piece_to::PieceTo;

/// The limit of an entry.
pub(crate) const CONTINUATION_LIMIT: i32 = 16384;

/// The continuation history: indexed by an earlier move and a quiet move, each as piece and
/// destination. It covers replies to the opponent's moves and follow-ups to one's own. (Countermove
/// and follow-up history; continuation history.)
#[derive(Clone, Debug)]
pub(crate) struct ContinuationHistory {
    table: HistoryTable<CONTINUATION_LIMIT, { PieceTo::PAIRS }>,
}

impl ContinuationHistory {
    pub(crate) fn new() -> ContinuationHistory {
        ContinuationHistory { table: HistoryTable::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of a move after an earlier one, -[`CONTINUATION_LIMIT`] to
    /// [`CONTINUATION_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, earlier: PieceTo, m: PieceTo) -> i32 {
        self.table.score(earlier.pair_index(m))
    }

    /// Prefetches the scores of all moves of a side after an earlier one.
    #[inline]
    pub(crate) fn prefetch(&self, earlier: PieceTo, turn: Color) {
        let first = earlier.pair_index(PieceTo::first_of(turn));
        self.table.prefetch_row(first, PieceTo::COUNT_OF_SIDE);
    }

    /// Applies a bonus or malus to a move after an earlier one, if there is an earlier one.
    #[inline]
    pub(crate) fn update(&mut self, earlier: PieceTo, m: PieceTo, bonus: i32) {
        if !earlier.is_none() {
            self.table.update(earlier.pair_index(m), bonus);
        }
    }
}
