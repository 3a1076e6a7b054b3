//! The correction histories of the static evaluation.

use koel_board::{Color, Key, Position};

use super::entry::{HistoryTable, PieceToTable};
use super::piece_to::PieceTo;

declare! {
    correction_history = true;
    /// Correction histories: weights in centipawns for an entry at its limit.
    correction {
        /// The weight of the pawns.
        pawn = 31 in 0..=100;
        /// The weight of the minor pieces.
        minor = 21 in 0..=100;
        /// The weight of the non-pawns of each side.
        non_pawn = 35 in 0..=100;
        /// The weight of the last two moves.
        continuation = 38 in 0..=100;
        /// The largest bonus of one update.
        max_bonus = 252 in 64..=512;
    }
}

const LIMIT: i32 = 1024;

/// A power of two.
const SLOTS: usize = 16384;

/// The correction histories: running differences between search score and static evaluation,
/// indexed by pawns, by minor pieces, by the non-pawns of each side, and by the last two moves.
/// (Correction history, Caissa and Stockfish 2023-24.)
#[derive(Clone, Debug)]
pub(crate) struct CorrectionHistory {
    pawn: KeyedTable,
    minor: KeyedTable,
    non_pawn: [KeyedTable; 2],
    continuation: PieceToTable<LIMIT>,
}

/// The last two moves before a position, the latest first.
pub(crate) type LastMoves = [PieceTo; 2];

impl CorrectionHistory {
    pub(crate) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawn: HistoryTable::new(),
            minor: HistoryTable::new(),
            non_pawn: [HistoryTable::new(), HistoryTable::new()],
            continuation: PieceToTable::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        let [one, other] = &mut self.non_pawn;
        for keyed in [&mut self.pawn, &mut self.minor, one, other] {
            keyed.clear();
        }
        self.continuation.clear();
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position, [last, before]: LastMoves) {
        let (keys, turn) = (position.keys(), position.turn());
        self.pawn.prefetch(keyed_slot(keys.pawn, turn));
        self.minor.prefetch(keyed_slot(keys.minor, turn));
        for (table, key) in self.non_pawn.iter().zip(keys.non_pawn) {
            table.prefetch(keyed_slot(key, turn));
        }
        self.continuation.prefetch(before.index(), last);
    }

    /// The correction to add to the static evaluation in centipawns, from the view of the side
    /// to move.
    #[inline]
    pub(crate) fn score(&self, position: &Position, [last, before]: LastMoves) -> i32 {
        if !correction_history() {
            return 0;
        }
        let (keys, turn) = (position.keys(), position.turn());
        let mut sum = correction::pawn() * self.pawn.score(keyed_slot(keys.pawn, turn));
        sum += correction::minor() * self.minor.score(keyed_slot(keys.minor, turn));
        for (table, key) in self.non_pawn.iter().zip(keys.non_pawn) {
            sum += correction::non_pawn() * table.score(keyed_slot(key, turn));
        }
        sum += correction::continuation() * self.continuation.score(before.index(), last);
        sum / LIMIT
    }

    /// Applies a bonus or malus: the weighted difference between search score and static
    /// evaluation.
    pub(crate) fn update(&mut self, position: &Position, [last, before]: LastMoves, bonus: i32) {
        let (keys, turn) = (position.keys(), position.turn());
        let bonus = bonus.clamp(-correction::max_bonus(), correction::max_bonus());
        self.pawn.update(keyed_slot(keys.pawn, turn), bonus);
        self.minor.update(keyed_slot(keys.minor, turn), bonus);
        for (table, key) in self.non_pawn.iter_mut().zip(keys.non_pawn) {
            table.update(keyed_slot(key, turn), bonus);
        }
        self.continuation.update(before.index(), last, bonus);
    }
}

/// A table indexed by a Zobrist key and the side to move.
type KeyedTable = HistoryTable<LIMIT, { 2 * SLOTS }>;

#[inline]
fn keyed_slot(key: Key, turn: Color) -> usize {
    2 * (key.0 as usize & (SLOTS - 1)) + turn as usize
}
