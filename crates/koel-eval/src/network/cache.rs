//! Accumulators kept for views that may come back (Finny tables).
//!
//! When a king's move changes a side's view, everything it sees is another input. Rather than add
//! up all pieces, take the accumulator last computed in this view and apply what differs.

use koel_board::{Bitboard, Color, Piece, Position, Role};

use super::features::{PieceSquare, View};
use super::layer::Row;
use super::weights::Network;

/// For each side and view the last accumulator that was computed from it.
#[derive(Clone, Debug)]
pub(super) struct Cache<const N: usize> {
    entries: Box<[Entry<N>]>,
    views: usize,
}

/// An accumulator, and the pieces that it is the sum of, by colour and role.
#[derive(Clone, Debug)]
struct Entry<const N: usize> {
    row: Row<N>,
    pieces: [[Bitboard; 6]; 2],
}

impl<const N: usize> Cache<N> {
    /// Empty boards for all views.
    pub(super) fn new<const K: usize>(network: &Network<K, N>) -> Cache<N> {
        let empty = Entry { row: network.start.clone(), pieces: [[Bitboard::EMPTY; 6]; 2] };
        let views = 2 * K;
        Cache { entries: vec![empty; 2 * views].into(), views }
    }

    /// The accumulator of a side in a position, from the last one in the same view.
    #[inline(always)]
    pub(super) fn refresh<const K: usize>(
        &mut self,
        network: &Network<K, N>,
        position: &Position,
        color: Color,
    ) -> &Row<N> {
        let view = View::of::<K>(position, color);
        let entry = &mut self.entries[color as usize * self.views + view.number()];
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
