//! What a move changed on the board, noted for later.

use koel_board::{Color, Observer, Piece, Position, Role, Square};

use super::features::PieceSquare;

/// The pieces that one move took from and put on the board, and where the kings then stand.
///
/// It is filled by [`Position::play_observed`]. A move changes at most two pieces either way
/// (castling); should more be noted, the accumulator is computed anew.
#[derive(Clone, Copy, Debug)]
pub struct Deltas {
    added: Changes,
    removed: Changes,
    kings: [Square; 2],
}

/// Up to [`MOST`] changes, and how many there were in truth.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    seen: [PieceSquare; MOST],
    count: u8,
}

const MOST: usize = 2;

impl Changes {
    #[inline(always)]
    fn push(&mut self, seen: PieceSquare) {
        if let Some(slot) = self.seen.get_mut(usize::from(self.count)) {
            *slot = seen;
        }
        self.count = self.count.saturating_add(1);
    }

    #[inline(always)]
    fn get(&self) -> Option<&[PieceSquare]> {
        self.seen.get(..usize::from(self.count))
    }
}

impl Deltas {
    /// Nothing changed, and the kings stand where they stand in this position.
    #[must_use]
    pub fn none(position: &Position) -> Deltas {
        Deltas::of_kings([position.king(Color::Black), position.king(Color::White)])
    }

    #[inline(always)]
    fn of_kings(kings: [Square; 2]) -> Deltas {
        Deltas { added: Changes::default(), removed: Changes::default(), kings }
    }

    /// Nothing changed yet after these.
    #[inline(always)]
    pub(super) fn following(&self) -> Deltas {
        Deltas::of_kings(self.kings)
    }

    /// Where a king stands after the move.
    #[inline(always)]
    pub(super) fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// What was added and what was removed, or `None` if it was too much to note.
    #[inline(always)]
    pub(super) fn changes(&self) -> Option<(&[PieceSquare], &[PieceSquare])> {
        Some((self.added.get()?, self.removed.get()?))
    }
}

impl Observer for Deltas {
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
