//! The histories of moves: tables that differ in how they find the entry of a move.

use koel_board::{Bitboard, Color, Move, Position, Role};

use super::entry::{HistoryTable, PieceToTable};
use super::piece_to::PieceTo;

/// The limit of an entry of each history.
pub(crate) const QUIET_LIMIT: i32 = 8192;
pub(crate) const PAWN_LIMIT: i32 = 8192;
pub(crate) const CAPTURE_LIMIT: i32 = 8192;
pub(crate) const CONTINUATION_LIMIT: i32 = 16384;

const SQUARE_PAIRS: usize = 4096;

/// The quiet history: indexed by side, origin, destination, and whether the opponent attacks
/// each of the two squares. (Butterfly boards; the threats after Koivisto and Caissa.)
pub(crate) type QuietHistory = HistoryTable<QUIET_LIMIT, { 2 * 4 * SQUARE_PAIRS }>;

/// The pawn history: indexed by pawn structure and move, as plans belong to structures. (Pawn
/// history, Stockfish 2023.)
pub(crate) type PawnHistory = PieceToTable<PAWN_LIMIT>;

/// The capture history, of promotions too: indexed by moving piece, destination and captured role.
/// (Capture history, Stockfish 2016.)
pub(crate) type CaptureHistory = HistoryTable<CAPTURE_LIMIT, 8192>;

/// The continuation history: indexed by an earlier move and a quiet move, each as piece and
/// destination. It covers replies to the opponent's moves and follow-ups to one's own. (Countermove
/// and follow-up history; continuation history.)
pub(crate) type ContinuationHistory = PieceToTable<CONTINUATION_LIMIT>;

/// The index of a quiet move in the quiet history. It stays valid after the position is gone.
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

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// The row of a position in the pawn history.
#[inline]
pub(crate) fn pawn_row(position: &Position) -> usize {
    position.keys().pawn.0 as usize
}

/// The index of a move in the capture history. Moves to an empty square, by promotion or en
/// passant, have slots of their own.
#[inline]
pub(crate) fn capture_slot(position: &Position, m: Move) -> usize {
    let victim = position.role_at(m.to()).map_or(0, |role: Role| role as usize);
    8 * PieceTo::new(position, m).index() + victim
}
