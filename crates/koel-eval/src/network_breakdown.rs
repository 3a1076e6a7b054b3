//! The output of a network for a position, in detail and for display.

use std::fmt;
use std::sync::Arc;

use koel_board::{Position, Role, Square};

use crate::centipawns::Centipawns;
use crate::evaluation::{Evaluation, SearchNetwork};
use crate::network::{OUTPUT_BUCKETS, output_bucket};

/// The output of every output bucket for a position, and the value of each piece.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NetworkBreakdown {
    /// The output of each bucket, in centipawns for White.
    pub buckets: [i32; OUTPUT_BUCKETS],
    /// The bucket of this number of pieces.
    pub bucket: usize,
    /// The value of the piece on each square, from a1 to h8: the output less that without the
    /// piece, in centipawns for White. `None` for empty squares and kings.
    pub pieces: [Option<i32>; 64],
    /// The static evaluation of the search, for White.
    pub evaluation: Centipawns,
    board: String,
}

impl NetworkBreakdown {
    /// Evaluates a position in detail.
    #[must_use]
    pub fn new(network: &Arc<SearchNetwork>, position: &Position) -> NetworkBreakdown {
        let for_white = |eval: i32| position.turn().fold_wb(eval, -eval);
        let bucket = output_bucket(position.occupied().count());
        let buckets = network.evaluate_buckets(position, None).map(for_white);
        let rest = position.occupied() & !position.role(Role::King);
        let mut pieces = [None; 64];
        for square in rest {
            let without = for_white(network.evaluate_buckets(position, Some(square))[bucket]);
            pieces[square.to_usize()] = Some(buckets[bucket] - without);
        }
        let eval = Evaluation::Network(network.clone()).evaluate(position).0;
        let letter = |square: Square| position.piece_at(square).map_or('.', |piece| piece.char());
        let board = (0..64).map(|square| letter(Square::new(square))).collect();
        NetworkBreakdown { buckets, bucket, pieces, evaluation: Centipawns(for_white(eval)), board }
    }
}

impl fmt::Display for NetworkBreakdown {
    /// Writes the board with the value of each piece in pawns, the buckets, then the evaluation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        for rank in (0..8).rev() {
            for (letter, square) in self.board.chars().zip(0..64).skip(8 * rank).take(8) {
                match self.pieces[square] {
                    Some(value) => write!(f, "{letter}{:<+8.2}", pawns(value))?,
                    None => write!(f, "{letter:<9}")?,
                }
            }
            writeln!(f)?;
        }
        for (number, &output) in self.buckets.iter().enumerate() {
            let mark = if number == self.bucket { "  <- used here" } else { "" };
            let (least, most) = (4 * number + 2, (4 * number + 5).min(32));
            writeln!(f, "Bucket of {least:>2} to {most:>2} pieces {:>+8.2}{mark}", pawns(output))?;
        }
        write!(f, "Evaluation for White: {:+.2}", pawns(self.evaluation.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_but_the_kings_has_a_value() {
        let network = Arc::new(SearchNetwork::zero());
        let breakdown = NetworkBreakdown::new(&network, &Position::start());
        assert_eq!((breakdown.bucket, breakdown.evaluation), (7, Centipawns(0)));
        assert_eq!(breakdown.pieces.iter().flatten().count(), 30);
        assert_eq!(breakdown.to_string().lines().count(), 8 + OUTPUT_BUCKETS + 1);
    }
}
