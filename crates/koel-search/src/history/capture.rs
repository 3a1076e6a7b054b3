//! How well captures did.

use koel_board::{Move, Position, Role};

use super::entry::HistoryTable;
use super::piece_to::PieceTo;

/// The limit of this history.
pub(crate) const CAPTURE_LIMIT: i32 = 8192;

/// By the piece that moves, its square, and what it takes. (Capture history, Stockfish 2016.)
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

    /// How well a capture or promotion did, -[`CAPTURE_LIMIT`] to [`CAPTURE_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, position: &Position, m: Move) -> i32 {
        self.table.score(slot(position, m))
    }

    /// Says how well a capture or promotion has done.
    #[inline]
    pub(crate) fn update(&mut self, position: &Position, m: Move, bonus: i32) {
        self.table.update(slot(position, m), bonus);
    }
}

/// What takes nothing where it goes, a promotion straight ahead or en passant, has a slot of its own.
#[inline]
fn slot(position: &Position, m: Move) -> usize {
    let victim = position.role_at(m.to()).map_or(0, |role: Role| role as usize);
    8 * PieceTo::new(position, m).index() + victim
}
