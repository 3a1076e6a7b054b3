//! What a network says of a position, for people.

use std::fmt;
use std::sync::Arc;

use koel_board::{Position, Role, Square};

use crate::evaluation::{Evaluation, SearchNetwork};
use crate::evaluator::Centipawns;
use crate::network::{OUTPUT_BUCKETS, output_bucket};

/// The worth of a position by every output bucket, and what each piece adds to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkBreakdown {
    /// For each number of the weightings that are chosen by the number of pieces, in centipawns
    /// for White.
    pub buckets: [i32; OUTPUT_BUCKETS],
    /// The one that counts here.
    pub bucket: usize,
    /// By how many centipawns the position is better for White than it would be without the piece
    /// on each square, from a1 to h8. There is no board without a king.
    pub pieces: [Option<i32>; 64],
    /// What the search takes it for, from White's view.
    pub worth: Centipawns,
    board: String,
}

impl NetworkBreakdown {
    /// Takes the evaluation of a position apart.
    #[must_use]
    pub fn new(network: &Arc<SearchNetwork>, position: &Position) -> NetworkBreakdown {
        let for_white = |worth: i32| position.turn().fold_wb(worth, -worth);
        let bucket = output_bucket(position.occupied().count());
        let buckets = network.ask(position, None).map(for_white);
        let rest = position.occupied() & !position.role(Role::King);
        let mut pieces = [None; 64];
        for square in rest {
            let without = for_white(network.ask(position, Some(square))[bucket]);
            pieces[square.to_usize()] = Some(buckets[bucket] - without);
        }
        let worth = Evaluation::Network(network.clone()).once(position).0;
        let letter = |square: Square| position.piece_at(square).map_or('.', |piece| piece.char());
        let board = (0..64).map(|square| letter(Square::new(square))).collect();
        NetworkBreakdown { buckets, bucket, pieces, worth: Centipawns(for_white(worth)), board }
    }
}

impl fmt::Display for NetworkBreakdown {
    /// The board with what each piece adds, in pawns, then the worth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        for rank in (0..8).rev() {
            for (letter, square) in self.board.chars().zip(0..64).skip(8 * rank).take(8) {
                match self.pieces[square] {
                    Some(worth) => write!(f, "{letter}{:<+8.2}", pawns(worth))?,
                    None => write!(f, "{letter:<9}")?,
                }
            }
            writeln!(f)?;
        }
        for (number, &worth) in self.buckets.iter().enumerate() {
            let mark = if number == self.bucket { "  <- counts here" } else { "" };
            let (least, most) = (4 * number + 2, (4 * number + 5).min(32));
            writeln!(f, "By {least:>2} to {most:>2} pieces {:>+8.2}{mark}", pawns(worth))?;
        }
        write!(f, "As the search takes it, for White: {:+.2}", pawns(self.worth.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_is_what_the_network_says() {
        let network = Arc::new(SearchNetwork::zero());
        let breakdown = NetworkBreakdown::new(&network, &Position::start());
        assert_eq!((breakdown.bucket, breakdown.worth), (7, Centipawns(0)));
        assert_eq!(breakdown.pieces.iter().flatten().count(), 30);
        assert_eq!(breakdown.to_string().lines().count(), 8 + OUTPUT_BUCKETS + 1);
    }
}
