//! The evaluation of a single position from scratch: for display, and as the reference that the
//! accumulators are tested against.

use koel_board::{Color, Position, Square};

use super::features::{Perspective, PieceSquare};
use super::row::AccumulatorRow;
use super::simd::InstructionSet;
use super::weights::{Network, OUTPUT_BUCKETS, output_bucket};
use crate::centipawns::Centipawns;

impl<const K: usize, const N: usize> Network<K, N> {
    /// Returns the evaluation of a position for the side to move, computed from scratch.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> Centipawns {
        let bucket = output_bucket(position.occupied().count());
        Centipawns(self.evaluate_buckets(position, None)[bucket])
    }

    /// Returns the output of every output bucket, in centipawns for the side to move, with the
    /// piece on `without` left out. (Not a king: the perspective depends on it.)
    #[must_use]
    pub fn evaluate_buckets(
        &self,
        position: &Position,
        without: Option<Square>,
    ) -> [i32; OUTPUT_BUCKETS] {
        let accumulator = |color: Color| {
            let perspective = Perspective::of::<K>(position, color);
            let mut row: AccumulatorRow<N> = self.feature_biases.clone();
            let squares = position.occupied().into_iter();
            for square in squares.filter(|&square| Some(square) != without) {
                if let Some(piece) = position.piece_at(square) {
                    let feature = perspective.feature(PieceSquare::new(piece, square));
                    row.add(self.feature_row(feature));
                }
            }
            row
        };
        let [ours, theirs] = [position.turn(), !position.turn()].map(accumulator);
        std::array::from_fn(|bucket| {
            self.output_of_bucket(InstructionSet::BASELINE, [&ours, &theirs], bucket)
        })
    }
}
