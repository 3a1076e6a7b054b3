//! The pieces that a move changes, recorded for a later update of the accumulators.

use koel_board::{Color, Observer, Piece, Position, Role, Square};

use super::features::PieceSquare;

/// The pieces that one move adds to and removes from the board, and the kings' squares after it.
///
/// [`Position::play_observed`] records them. A move changes at most two pieces either way
/// (castling); if more are recorded, the accumulator is refreshed.
#[derive(Clone, Copy, Debug)]
pub struct DirtyPieces {
    added: PieceList,
    removed: PieceList,
    kings: [Square; 2],
}

/// The maximum number of pieces that a move adds or removes.
const CAPACITY: usize = 2;

/// A list of up to [`CAPACITY`] pieces that counts those beyond as well.
#[derive(Clone, Copy, Debug, Default)]
struct PieceList {
    pieces: [PieceSquare; CAPACITY],
    count: u8,
}

impl PieceList {
    #[inline(always)]
    fn push(&mut self, piece: PieceSquare) {
        if let Some(slot) = self.pieces.get_mut(usize::from(self.count)) {
            *slot = piece;
        }
        self.count = self.count.saturating_add(1);
    }

    /// Returns `None` if there were too many.
    #[inline(always)]
    fn get(&self) -> Option<&[PieceSquare]> {
        self.pieces.get(..usize::from(self.count))
    }
}

impl DirtyPieces {
    /// Returns an empty record for the first position of a line.
    #[must_use]
    pub(super) fn none(position: &Position) -> DirtyPieces {
        DirtyPieces::with_kings([position.king(Color::Black), position.king(Color::White)])
    }

    #[inline(always)]
    fn with_kings(kings: [Square; 2]) -> DirtyPieces {
        DirtyPieces { added: PieceList::default(), removed: PieceList::default(), kings }
    }

    /// Returns an empty record for the next move.
    #[inline(always)]
    pub(super) fn next(&self) -> DirtyPieces {
        DirtyPieces::with_kings(self.kings)
    }

    /// Returns the square of a king after the move.
    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// Returns the pieces added and those removed, or `None` if they exceeded the capacity.
    #[inline(always)]
    pub(super) fn changes(&self) -> Option<(&[PieceSquare], &[PieceSquare])> {
        Some((self.added.get()?, self.removed.get()?))
    }
}

impl Observer for DirtyPieces {
    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        if piece.role == Role::King {
            self.kings[piece.color as usize] = square;
        }
        self.added.push(PieceSquare::new(piece, square));
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(PieceSquare::new(piece, square));
    }
}
