//! The history by pawn structure.

use koel_board::Position;

use super::entry::HistoryTable;
use super::piece_to::PieceTo;

/// The limit of an entry.
pub(crate) const PAWN_LIMIT: i32 = 8192;

/// A power of two.
const STRUCTURES: usize = 1024;

/// The pawn history: indexed by pawn structure and move, as plans belong to structures. (Pawn
/// history, Stockfish 2023.)
#[derive(Clone, Debug)]
pub(crate) struct PawnHistory {
    table: HistoryTable<PAWN_LIMIT, { 1024 * STRUCTURES }>,
}

impl PawnHistory {
    pub(crate) fn new() -> PawnHistory {
        PawnHistory { table: HistoryTable::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of a quiet move, -[`PAWN_LIMIT`] to [`PAWN_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, position: &Position, m: PieceTo) -> i32 {
        self.table.score(slot(position, m))
    }

    /// Prefetches the scores of all moves of the side to move.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        let first = slot(position, PieceTo::first_of(position.turn()));
        self.table.prefetch_row(first, PieceTo::COUNT_OF_SIDE);
    }

    /// Applies a bonus or malus to a quiet move.
    #[inline]
    pub(crate) fn update(&mut self, position: &Position, m: PieceTo, bonus: i32) {
        self.table.update(slot(position, m), bonus);
    }
}

#[inline]
fn slot(position: &Position, m: PieceTo) -> usize {
    let structure = position.keys().pawn.0 as usize & (STRUCTURES - 1);
    structure * PieceTo::COUNT + m.index()
}
