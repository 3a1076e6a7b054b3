//! The evaluator of one thread, which follows the moves of the search.

use std::sync::Arc;

use koel_board::{Move, Position};

use crate::centipawns::Centipawns;
use crate::evaluation::{Evaluation, SearchAccumulators};
use crate::ply_stack::MAX_PLIES;
use crate::{evaluation, mop_up, piece_square};

/// The evaluator of one thread: it follows the line that the search is in.
///
/// Every move of the line is made through [`play`](Self::play) and unmade by [`pop`](Self::pop), so
/// that the accumulators of the network are updated incrementally. A null move changes no piece and
/// needs neither.
///
/// A line has at most [`MAX_PLIES`](Self::MAX_PLIES) moves; making them allocates nothing.
///
/// ```
/// use koel_board::Position;
/// use koel_eval::{Evaluation, Evaluator};
///
/// let mut position = Position::start();
/// let mut evaluator = Evaluator::new(&Evaluation::default(), &position);
/// let before = evaluator.evaluate(&position);
/// let mut child = position.clone();
/// evaluator.play(&mut child, position.parse_uci("e2e4")?);
/// let for_black = evaluator.evaluate(&child);
/// evaluator.pop();
/// assert_eq!(evaluator.evaluate(&position), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Evaluator {
    accumulators: SearchAccumulators,
    /// False for piece-square tables. The accumulators then follow the moves as well, and are
    /// never evaluated: so `play` and `pop` do not depend on the choice.
    uses_network: bool,
}

impl Evaluator {
    /// The maximum number of moves in a line. Debug builds panic on a longer one.
    pub const MAX_PLIES: usize = MAX_PLIES;

    /// Creates an evaluator for a line that begins with this position.
    #[must_use]
    pub fn new(evaluation: &Evaluation, position: &Position) -> Evaluator {
        let (network, uses_network) = match evaluation {
            Evaluation::Network(network) => (Arc::clone(network), true),
            Evaluation::PieceSquareTables => (evaluation::built_in(), false),
        };
        Evaluator { accumulators: SearchAccumulators::new(network, position), uses_network }
    }

    /// Begins a new line, possibly with another evaluation.
    pub fn restart(&mut self, evaluation: &Evaluation, position: &Position) {
        let is_same = match evaluation {
            Evaluation::Network(network) => {
                self.uses_network && Arc::ptr_eq(self.accumulators.network(), network)
            }
            Evaluation::PieceSquareTables => !self.uses_network,
        };
        if is_same {
            self.accumulators.restart(position);
        } else {
            *self = Evaluator::new(evaluation, position);
        }
    }

    /// Makes a legal move in the current position of the line.
    #[inline(always)]
    pub fn play(&mut self, position: &mut Position, m: Move) {
        position.play_observed(m, self.accumulators.push());
    }

    /// Unmakes the last move.
    ///
    /// # Panics
    /// Debug builds, if there is none.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// Returns the static evaluation of the current position, for the side to move.
    ///
    /// The position must be the one that the moves of the line lead to.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, position: &Position) -> Centipawns {
        if !self.uses_network {
            return piece_square::evaluate(position);
        }
        mop_up::evaluate(position).unwrap_or_else(|| self.accumulators.evaluate(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{KING_BUCKETS, NEURONS, SearchNetwork};
    use crate::network::testing::random_weights;
    use crate::testing::random_games;

    #[test]
    fn a_line_is_evaluated_like_its_positions_alone() {
        let weights = random_weights::<KING_BUCKETS, NEURONS>(5);
        let network = Arc::new(SearchNetwork::from_raw_weights(&weights).unwrap());
        for evaluation in [Evaluation::Network(network), Evaluation::PieceSquareTables] {
            let start = Position::start();
            let mut evaluator = Evaluator::new(&Evaluation::default(), &start);
            for mut game in random_games(20) {
                evaluator.restart(&evaluation, &game.position);
                let mut line = vec![game.position.clone()];
                while let Some(m) = game.next_move() {
                    evaluator.play(&mut game.position, m);
                    line.push(game.position.clone());
                }
                while let Some(position) = line.pop() {
                    assert_eq!(evaluator.evaluate(&position), evaluation.evaluate(&position));
                    if !line.is_empty() {
                        evaluator.pop();
                    }
                }
            }
        }
    }
}
