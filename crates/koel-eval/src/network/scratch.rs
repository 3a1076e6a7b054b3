//! A network asked about a single position, with nothing kept: for people, and as the twin of the
//! accumulators.

use koel_board::{Color, Position, Square};

use super::features::{PieceSquare, View};
use super::layer::Row;
use super::simd::Level;
use super::weights::{Network, OUTPUT_BUCKETS};

impl<const K: usize, const N: usize> Network<K, N> {
    /// What every output bucket says of a position, in centipawns for the side to move, as if the
    /// piece on `without` were not there. (A king cannot be left out: the view is his.)
    #[must_use]
    pub fn ask(&self, position: &Position, without: Option<Square>) -> [i32; OUTPUT_BUCKETS] {
        let row = |color: Color| {
            let view = View::of::<K>(position, color);
            let mut row: Row<N> = self.start.clone();
            for square in position.occupied().into_iter().filter(|&square| Some(square) != without)
            {
                if let Some(piece) = position.piece_at(square) {
                    row.add(self.input(view.feature(PieceSquare::new(piece, square))));
                }
            }
            row
        };
        let [ours, theirs] = [position.turn(), !position.turn()].map(row);
        std::array::from_fn(|bucket| {
            self.output_of_bucket(Level::BASELINE, [&ours, &theirs], bucket)
        })
    }
}
