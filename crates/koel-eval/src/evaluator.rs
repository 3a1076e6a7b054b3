//! The evaluator of one thread, which follows the moves of the search.

use std::sync::Arc;

use koel_board::{Move, Position};

use crate::centipawns::Centipawns;
use crate::custom::{CustomEvaluation, CustomEvaluator};
use crate::evaluation::{Evaluation, SearchAccumulators};
use crate::network::MAX_PLIES;
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
pub struct Evaluator {
    accumulators: SearchAccumulators,
    kind: Kind,
}

/// The kind of evaluation. Unless it is the network its accumulators follow the moves all the same,
/// and are never evaluated: so making a move hardly depends on the choice.
enum Kind {
    Network,
    PieceSquareTables,
    Custom(Arc<dyn CustomEvaluation>, Box<dyn CustomEvaluator>),
}

impl Evaluator {
    /// The maximum number of moves in a line. Debug builds panic on a longer one.
    pub const MAX_PLIES: usize = MAX_PLIES;

    /// Creates an evaluator for a line that begins with this position.
    #[must_use]
    pub fn new(evaluation: &Evaluation, position: &Position) -> Evaluator {
        let (network, kind) = match evaluation {
            Evaluation::Network(network) => (Arc::clone(network), Kind::Network),
            Evaluation::PieceSquareTables => (evaluation::built_in(), Kind::PieceSquareTables),
            Evaluation::Custom(custom) => {
                let mut evaluator = custom.evaluator();
                evaluator.restart(position);
                (evaluation::built_in(), Kind::Custom(Arc::clone(custom), evaluator))
            }
        };
        Evaluator { accumulators: SearchAccumulators::new(network, position), kind }
    }

    /// Begins a new line, possibly with another evaluation.
    pub fn restart(&mut self, evaluation: &Evaluation, position: &Position) {
        let is_same = match (&mut self.kind, evaluation) {
            (Kind::Network, Evaluation::Network(network)) => {
                Arc::ptr_eq(self.accumulators.network(), network)
            }
            (Kind::PieceSquareTables, Evaluation::PieceSquareTables) => true,
            (Kind::Custom(old, evaluator), Evaluation::Custom(new)) if Arc::ptr_eq(old, new) => {
                evaluator.restart(position);
                true
            }
            _ => false,
        };
        if is_same {
            self.accumulators.restart(position);
        } else {
            *self = Evaluator::new(evaluation, position);
        }
    }

    /// Returns true if the evaluation is not Koel's: its values are used as they are.
    #[inline]
    #[must_use]
    pub fn is_custom(&self) -> bool {
        matches!(self.kind, Kind::Custom(..))
    }

    /// Makes a legal move in the current position of the line.
    #[inline(always)]
    pub fn play(&mut self, position: &mut Position, m: Move) {
        position.play_observed(m, self.accumulators.push());
        if let Kind::Custom(_, evaluator) = &mut self.kind {
            evaluator.make(m, position);
        }
    }

    /// Unmakes the last move.
    ///
    /// # Panics
    /// Debug builds, if there is none.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.accumulators.pop();
        if let Kind::Custom(_, evaluator) = &mut self.kind {
            evaluator.unmake();
        }
    }

    /// Returns the static evaluation of the current position, for the side to move.
    ///
    /// The position must be the one that the moves of the line lead to.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, position: &Position) -> Centipawns {
        match &mut self.kind {
            Kind::Network => {
                mop_up::evaluate(position).unwrap_or_else(|| self.accumulators.evaluate(position))
            }
            Kind::PieceSquareTables => piece_square::evaluate(position),
            Kind::Custom(_, evaluator) => evaluator.evaluate(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_board::{Color, Role};

    use super::*;
    use crate::evaluation::{KING_BUCKETS, NEURONS, SearchNetwork};
    use crate::network::testing::random_weights;
    use crate::testing::{random_game, random_move};

    #[test]
    fn a_line_is_evaluated_like_its_positions_alone() {
        let weights = random_weights::<KING_BUCKETS, NEURONS>(5);
        let network = Arc::new(SearchNetwork::from_raw_weights(&weights).unwrap());
        for evaluation in [Evaluation::Network(network), Evaluation::PieceSquareTables] {
            let start = Position::start();
            let mut evaluator = Evaluator::new(&Evaluation::default(), &start);
            follow_random_games(20, &mut evaluator, &evaluation, |position| {
                evaluation.evaluate(position)
            });
        }
    }

    /// Plays random games and takes them back, with a comparison at each position on the way back.
    fn follow_random_games(
        games: usize,
        evaluator: &mut Evaluator,
        evaluation: &Evaluation,
        expected: impl Fn(&Position) -> Centipawns,
    ) {
        for game in 0..games {
            let (mut position, mut rng) = random_game(game);
            evaluator.restart(evaluation, &position);
            let mut line = vec![position.clone()];
            while line.len() < 120
                && let Some(m) = random_move(&mut rng, &position)
            {
                evaluator.play(&mut position, m);
                line.push(position.clone());
            }
            while let Some(position) = line.pop() {
                assert_eq!(evaluator.evaluate(&position), expected(&position));
                if !line.is_empty() {
                    evaluator.pop();
                }
            }
        }
    }

    /// The pieces on the board, counted by following the moves.
    struct PieceCounter(Vec<i32>);

    fn pieces(position: &Position) -> i32 {
        position.occupied().count() as i32
    }

    impl CustomEvaluator for PieceCounter {
        fn restart(&mut self, position: &Position) {
            self.0 = vec![pieces(position)];
        }

        fn make(&mut self, m: Move, _: &Position) {
            let last = self.0.last().copied().unwrap_or_default();
            self.0.push(last - i32::from(m.is_capture()));
        }

        fn unmake(&mut self) {
            self.0.pop();
        }

        fn evaluate(&mut self, _: &Position) -> Centipawns {
            Centipawns(self.0.last().copied().unwrap_or_default())
        }
    }

    struct PieceCount;

    impl CustomEvaluation for PieceCount {
        fn evaluator(&self) -> Box<dyn CustomEvaluator> {
            Box::new(PieceCounter(Vec::new()))
        }
    }

    #[test]
    fn an_evaluation_of_ones_own_follows_the_moves() {
        let evaluation = Evaluation::custom(PieceCount);
        let start = Position::start();
        let mut evaluator = Evaluator::new(&evaluation, &start);
        assert!(evaluator.is_custom());
        follow_random_games(5, &mut evaluator, &evaluation, |position| {
            Centipawns(pieces(position))
        });
        evaluator.restart(&Evaluation::default(), &start);
        assert_eq!(evaluator.evaluate(&start), Evaluation::default().evaluate(&start));
        let queens = |position: &Position| {
            Centipawns(900 * position.pieces(Color::White, Role::Queen).count() as i32)
        };
        evaluator.restart(&Evaluation::custom(queens), &start);
        assert_eq!(evaluator.evaluate(&start), Centipawns(900));
    }
}
