//! What evaluates the positions of a line, move after move.

use std::sync::Arc;

use koel_board::{Move, Position};

use crate::evaluation::{Evaluation, SearchAccumulators};
use crate::evaluator::{Centipawns, Evaluator, Style};
use crate::mating;
use crate::pawn_cache::PawnCache;
use crate::plies::{LONGEST_LINE, Plies};

/// What one thread evaluates the line with that it is searching.
///
/// Every move of the line is played through [`play`](Self::play) and taken back by
/// [`pop`](Self::pop), so that what is known of the position before is brought up to date rather
/// than computed anew. A null move changes no piece and needs neither.
///
/// A line has at most [`LONGEST_LINE`](Self::LONGEST_LINE) moves: playing them allocates nothing.
///
/// ```
/// use koel_board::Position;
/// use koel_eval::{Evaluation, LineEvaluator};
///
/// let mut position = Position::start();
/// let mut evaluator = LineEvaluator::new(&Evaluation::default(), &position);
/// let before = evaluator.evaluate(&position);
/// let mut child = position.clone();
/// evaluator.play(&mut child, position.parse_uci("e2e4")?);
/// let for_black = evaluator.evaluate(&child);
/// evaluator.pop();
/// assert_eq!(evaluator.evaluate(&position), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct LineEvaluator(Kind);

#[derive(Clone)]
enum Kind {
    Network(SearchAccumulators),
    Terms(TermStack),
}

/// The sums of each position of the line.
#[derive(Clone)]
struct TermStack {
    style: Style,
    sums: Plies<Evaluator>,
    pawns: PawnCache,
}

impl LineEvaluator {
    /// The most moves of a line. Debug builds panic where there are more.
    pub const LONGEST_LINE: usize = LONGEST_LINE;

    /// For a line that begins with this position.
    #[must_use]
    pub fn new(evaluation: &Evaluation, position: &Position) -> LineEvaluator {
        LineEvaluator(match evaluation {
            Evaluation::Network(network) => {
                Kind::Network(SearchAccumulators::new(network.clone(), position))
            }
            &Evaluation::Terms(style) => {
                let sums = Plies::new(Evaluator::with_style(position, style));
                Kind::Terms(TermStack { style, sums, pawns: PawnCache::new() })
            }
        })
    }

    /// Begins another line, and another evaluation if it is another.
    pub fn restart(&mut self, evaluation: &Evaluation, position: &Position) {
        match (&mut self.0, evaluation) {
            (Kind::Network(stack), Evaluation::Network(network))
                if Arc::ptr_eq(stack.network(), network) =>
            {
                stack.restart(position);
            }
            (Kind::Terms(terms), Evaluation::Terms(style)) if terms.style == *style => {
                *terms.sums.restart() = Evaluator::with_style(position, *style);
            }
            _ => *self = LineEvaluator::new(evaluation, position),
        }
    }

    /// Plays a legal move of the line's present position.
    #[inline(always)]
    pub fn play(&mut self, position: &mut Position, m: Move) {
        match &mut self.0 {
            Kind::Network(stack) => position.play_observed(m, stack.push()),
            Kind::Terms(terms) => position.play_observed(m, terms.push()),
        }
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// Debug builds, if there is none.
    #[inline(always)]
    pub fn pop(&mut self) {
        match &mut self.0 {
            Kind::Network(stack) => stack.pop(),
            Kind::Terms(terms) => terms.sums.pop(),
        }
    }

    /// What the present position of the line is worth to the side to move.
    ///
    /// The position must be the one that the moves lead to.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, position: &Position) -> Centipawns {
        match &mut self.0 {
            // Games of self-play end before a bare king is mated: no network has seen how.
            Kind::Network(_) if mating::drive(position) != 0 => {
                Evaluator::new(position).evaluate(position)
            }
            Kind::Network(stack) => stack.evaluate(position),
            Kind::Terms(TermStack { sums, pawns, .. }) => {
                sums.last().evaluate_cached(position, pawns)
            }
        }
    }
}

impl TermStack {
    #[inline(always)]
    fn push(&mut self) -> &mut Evaluator {
        let before = *self.sums.last();
        let sum = self.sums.push();
        *sum = before;
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{KING_BUCKETS, NEURONS, SearchNetwork};
    use crate::network::samples::random_parts;
    use crate::testing::random_games;

    fn evaluations() -> [Evaluation; 3] {
        let network = SearchNetwork::from_parts(&random_parts::<KING_BUCKETS, NEURONS>(5)).unwrap();
        let [plain, by_hand] = [Style::Plain, Style::HandWritten].map(Evaluation::Terms);
        [Evaluation::Network(Arc::new(network)), plain, by_hand]
    }

    #[test]
    fn a_line_is_worth_what_its_positions_are_worth_alone() {
        for evaluation in evaluations() {
            let start = Position::start();
            let mut evaluator = LineEvaluator::new(&Evaluation::default(), &start);
            for mut game in random_games(20) {
                evaluator.restart(&evaluation, &game.position);
                let mut line = vec![game.position.clone()];
                while let Some(m) = game.next_move() {
                    evaluator.play(&mut game.position, m);
                    line.push(game.position.clone());
                }
                while let Some(position) = line.pop() {
                    assert_eq!(evaluator.evaluate(&position), evaluation.once(&position));
                    if !line.is_empty() {
                        evaluator.pop();
                    }
                }
            }
        }
    }

    #[test]
    fn networks_are_the_same_only_as_the_same_object() {
        let [network, plain, by_hand] = evaluations();
        assert!(network.is(&network.clone()) && plain.is(&plain.clone()));
        assert!(!network.is(&evaluations()[0]) && !plain.is(&by_hand) && !plain.is(&network));
    }
}
