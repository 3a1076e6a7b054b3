//! Accumulators kept for views that may come back (Finny tables).
//!
//! When a king's move changes a side's view, everything it sees is another input. Rather than add
//! up all pieces, take the accumulator last computed in this view and apply what differs.

use std::array::from_fn;

use koel_board::{Bitboard, Color, Piece, Position, Role};

use super::features::{PieceSquare, View};
use super::layer::Row;
use super::weights::Network;

/// For each side and view the last accumulator that was computed from it.
#[derive(Clone, Debug)]
pub(super) struct Cache<const K: usize, const N: usize> {
    /// By colour, bucket of the king, and whether it is mirrored.
    entries: Box<[[[Entry<N>; 2]; K]; 2]>,
}

/// An accumulator, and the pieces that it is the sum of, by colour and role.
#[derive(Clone, Debug)]
struct Entry<const N: usize> {
    row: Row<N>,
    pieces: [[Bitboard; 6]; 2],
}

impl<const K: usize, const N: usize> Cache<K, N> {
    /// Empty boards for all views.
    pub(super) fn new(network: &Network<K, N>) -> Cache<K, N> {
        let empty = Entry { row: network.start.clone(), pieces: [[Bitboard::EMPTY; 6]; 2] };
        let views = from_fn(|_| from_fn(|_| from_fn(|_| empty.clone())));
        Cache { entries: Box::new(views) }
    }

    /// The accumulator of a side in a position, from the last one in the same view.
    #[inline(always)]
    pub(super) fn refresh(
        &mut self,
        network: &Network<K, N>,
        position: &Position,
        color: Color,
    ) -> &Row<N> {
        let view = View::of::<K>(position, color);
        let entry = &mut self.entries[color as usize][view.bucket()][view.is_mirrored() as usize];
        for piece_color in [Color::Black, Color::White] {
            for role in Role::ALL {
                let piece = Piece { color: piece_color, role };
                let now = position.pieces(piece_color, role);
                let before = &mut entry.pieces[piece_color as usize][role as usize - 1];
                let feature = |square| view.feature(PieceSquare::new(piece, square));
                for square in now & !*before {
                    entry.row.add(network.input(feature(square)));
                }
                for square in *before & !now {
                    entry.row.subtract(network.input(feature(square)));
                }
                *before = now;
            }
        }
        &entry.row
    }
}
