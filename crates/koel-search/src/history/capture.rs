//! The history of captures and promotions.

use koel_board::{Move, Position, Role};

use super::entry::HistoryTable;
use super::piece_to::PieceTo;

/// The limit of an entry.
pub(crate) const CAPTURE_LIMIT: i32 = 8192;

/// The capture history: indexed by moving piece, destination and captured role. (Capture
/// history, Stockfish 2016.)
#[derive(Clone, Debug)]
pub(crate) struct CaptureHistory {
    table: HistoryTable<CAPTURE_LIMIT, 8192>,
}

impl CaptureHistory {
    pub(crate) fn new() -> CaptureHistory {
        CaptureHistory { table: HistoryTable::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of a capture or promotion, -[`CAPTURE_LIMIT`] to [`CAPTURE_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, position: &Position, m: Move) -> i32 {
        self.table.score(slot(position, m))
    }

    /// Applies a bonus or malus to a capture or promotion.
    #[inline]
    pub(crate) fn update(&mut self, position: &Position, m: Move, bonus: i32) {
        self.table.update(slot(position, m), bonus);
    }
}

/// The index of a move. Moves to an empty square, by promotion or en passant, have slots of
/// their own.
#[inline]
fn slot(position: &Position, m: Move) -> usize {
    let victim = position.role_at(m.to()).map_or(0, |role: Role| role as usize);
    8 * PieceTo::new(position, m).index() + victim
}
