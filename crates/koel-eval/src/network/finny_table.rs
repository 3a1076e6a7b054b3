//! Accumulators of earlier positions, from which others are refreshed. (Finny tables.)
//!
//! When a move of a king changes a side's perspective, all pieces become other features. Instead of
//! adding them all up, the refresh starts from the last accumulator of the new perspective and
//! applies the difference between the two positions.

use std::array::from_fn;

use koel_board::{Bitboard, Color, Piece, Position, Role, role_index};

use super::features::{Perspective, PieceSquare};
use super::row::AccumulatorRow;
use super::weights::Network;

/// The last refreshed accumulator of each perspective.
#[derive(Clone, Debug)]
pub(super) struct FinnyTable<const K: usize, const N: usize> {
    /// By colour, king bucket, and mirroring.
    entries: Box<[[[Entry<N>; 2]; K]; 2]>,
}

/// An accumulator, and the pieces that it is the sum of, by colour and role.
#[derive(Clone, Debug)]
struct Entry<const N: usize> {
    row: AccumulatorRow<N>,
    pieces: [[Bitboard; 6]; 2],
}

impl<const K: usize, const N: usize> FinnyTable<K, N> {
    /// Creates a table in which every entry is that of an empty board.
    pub(super) fn new(network: &Network<K, N>) -> FinnyTable<K, N> {
        let empty =
            Entry { row: network.feature_biases.clone(), pieces: [[Bitboard::EMPTY; 6]; 2] };
        let entries = from_fn(|_| from_fn(|_| from_fn(|_| empty.clone())));
        FinnyTable { entries: Box::new(entries) }
    }

    /// Refreshes and returns the accumulator of a side in a position.
    #[inline(always)]
    pub(super) fn refresh(
        &mut self,
        network: &Network<K, N>,
        position: &Position,
        color: Color,
    ) -> &AccumulatorRow<N> {
        let perspective = Perspective::of::<K>(position, color);
        let entry = &mut self.entries[color as usize][perspective.king_bucket()]
            [usize::from(perspective.is_mirrored())];
        for piece_color in [Color::Black, Color::White] {
            for role in Role::ALL {
                let piece = Piece { color: piece_color, role };
                let now = position.pieces(piece_color, role);
                let before = &mut entry.pieces[piece_color as usize][role_index(role)];
                let feature = |square| perspective.feature(PieceSquare::new(piece, square));
                for square in now & !*before {
                    entry.row.add(network.feature_row(feature(square)));
                }
                for square in *before & !now {
                    entry.row.subtract(network.feature_row(feature(square)));
                }
                *before = now;
            }
        }
        &entry.row
    }
}
