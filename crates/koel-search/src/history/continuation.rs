//! How well quiet moves did after certain other moves.

use super::entry::HistoryTable;
use super::piece_to::PieceTo;

/// The limit of this history.
pub(crate) const CONTINUATION_LIMIT: i32 = 16384;

/// By an earlier move and this one, each a piece and where it went: replies to the opponent's last
/// move, and follow-ups to our own. (Countermove and follow-up history; continuation history.)
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

    /// How well a move did after another, -[`CONTINUATION_LIMIT`] to [`CONTINUATION_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, earlier: PieceTo, m: PieceTo) -> i32 {
        self.table.score(earlier.followed_by(m))
    }

    /// Says how well a move has done after another; after nothing it learns nothing.
    #[inline]
    pub(crate) fn update(&mut self, earlier: PieceTo, m: PieceTo, bonus: i32) {
        if !earlier.is_none() {
            self.table.update(earlier.followed_by(m), bonus);
        }
    }
}
