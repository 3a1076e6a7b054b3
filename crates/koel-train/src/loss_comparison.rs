//! The losses of several evaluations on the same positions, which need not be of the games that any
//! of them was trained with.
//!
//! Scores of deep searches as labels compare networks that were trained with games of different
//! kinds: the loss that each reports is measured on games of its own kind.

use std::fmt;
use std::iter::zip;

use koel_board::{Color, Position};
use koel_eval::{Centipawns, Evaluation, Evaluator};

use crate::filter::PositionFilter;
use crate::seen_positions::SeenPositions;
use crate::train::dataset::{DatasetOptions, td_labels};
use crate::train::real::Real;
use crate::training_game::{IllegalPly, ScoredMove, TrainingGame};

/// The mean losses of evaluations, each with its difference from the first.
///
/// The loss is the squared difference of two expected scores, that of the evaluation and that of the
/// label. Positions are those that the training would keep, each once.
pub struct LossComparison {
    evaluations: Vec<Compared>,
    options: DatasetOptions,
    /// The positions of each game.
    positions: Vec<u32>,
    seen: SeenPositions,
}

/// An evaluation with its losses.
struct Compared {
    name: String,
    evaluation: Evaluation,
    evaluator: Evaluator,
    total: f64,
    /// The sum of the differences from the first evaluation, for each game.
    differences: Vec<f64>,
}

impl LossComparison {
    /// Creates a comparison of named evaluations. `td_lambda` is the λ of the labels, from 0 (the
    /// score of the position's own search) to less than 1, and `sigmoid_scale` the scale of expected
    /// scores in centipawns.
    #[must_use]
    pub fn new(
        evaluations: Vec<(String, Evaluation)>,
        td_lambda: f64,
        sigmoid_scale: f64,
    ) -> LossComparison {
        let compared = |(name, evaluation)| Compared {
            evaluator: Evaluator::new(&evaluation, &Position::start()),
            name,
            evaluation,
            total: 0.0,
            differences: Vec::new(),
        };
        let options = DatasetOptions { td_lambda, sigmoid_scale, ..DatasetOptions::default() };
        LossComparison {
            evaluations: evaluations.into_iter().map(compared).collect(),
            options,
            positions: Vec::new(),
            seen: SeenPositions::new(),
        }
    }

    /// Adds the positions of a game that were not added before.
    ///
    /// # Errors
    /// A move of the game is not legal.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), IllegalPly> {
        let LossComparison { evaluations, options, positions, seen } = self;
        let filter = PositionFilter::default();
        let mut labels = td_labels(game, options).into_iter();
        let mut losses = vec![0.0; evaluations.len()];
        let mut count = 0;
        game.for_each_position(|position, scored| {
            let label = labels.next().unwrap_or_else(|| own_label(scored, options));
            if !filter.keeps(position, scored) || !seen.insert(position.key()) {
                return;
            }
            count += 1;
            for (compared, loss) in zip(&mut *evaluations, &mut losses) {
                compared.evaluator.restart(&compared.evaluation, position);
                let Centipawns(score) = compared.evaluator.evaluate(position);
                let white_score = if position.turn() == Color::White { score } else { -score };
                let expected = (f64::from(white_score) / options.sigmoid_scale).sigmoid();
                *loss += (expected - f64::from(label)).powi(2);
            }
        })?;
        positions.push(count);
        for (compared, &loss) in zip(evaluations, &losses) {
            compared.total += loss;
            compared.differences.push(loss - losses[0]);
        }
        Ok(())
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns the mean loss of the evaluation at this index.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn mean_loss(&self, index: usize) -> f64 {
        self.evaluations[index].total / self.positions().max(1) as f64
    }

    /// Returns the mean difference from the loss of the first evaluation, and the half width of its
    /// 95 % interval. Games are independent of each other; the positions of one are not.
    ///
    /// # Panics
    /// There is no evaluation at this index.
    #[must_use]
    pub fn difference(&self, index: usize) -> (f64, f64) {
        let differences = &self.evaluations[index].differences;
        let count = self.positions().max(1) as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let of_game = |(sum, &positions): (&f64, _)| (sum - mean * f64::from(positions)).powi(2);
        let variance = zip(differences, &self.positions).map(of_game).sum::<f64>();
        (mean, 1.96 * variance.sqrt() / count)
    }
}

/// Returns White's expected score by the position's own search. (A missing score is filtered out.)
fn own_label(scored: &ScoredMove, options: &DatasetOptions) -> f32 {
    (f32::from(scored.white_score) / options.sigmoid_scale as f32).sigmoid()
}

impl fmt::Display for LossComparison {
    /// A line for each evaluation: its loss, and the difference from the first in percent of that.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games, {} positions", self.positions.len(), self.positions())?;
        for (index, Compared { name, .. }) in self.evaluations.iter().enumerate() {
            write!(f, "{name}: {:.6}", self.mean_loss(index))?;
            if index > 0 {
                let percent = 100.0 / self.mean_loss(0);
                let (difference, error) = self.difference(index);
                write!(f, ", {:+.2} ± {:.2} %", percent * difference, percent * error)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;
    use crate::training_game::GameResult;

    /// A game of quiet moves, the scores of which are those of an evaluation, plus `error`.
    fn game(evaluation: &Evaluation, error: i32) -> TrainingGame {
        let start = Position::from_fen("4k3/pp3ppp/8/8/8/8/PPP3PP/4K3 w - - 0 20").unwrap();
        let mut position = start.clone();
        let moves = ["e1d2", "e8d7", "d2c3", "d7c6", "c3b3", "c6b6"].map(|uci| {
            let played = position.parse_uci(uci).unwrap();
            let Centipawns(score) = evaluation.evaluate(&position);
            let white_score = if position.turn().is_white() { score } else { -score } + error;
            position.play(played);
            ScoredMove { played, white_score: white_score as i16 }
        });
        TrainingGame { start, moves: moves.to_vec(), result: GameResult::Draw }
    }

    #[test]
    fn an_evaluation_that_agrees_with_the_labels_has_no_loss() {
        let [network, material] = [Evaluation::default(), Evaluation::PieceSquareTables];
        let named = |name: &str, evaluation: &Evaluation| (name.to_owned(), evaluation.clone());
        let evaluations = vec![named("network", &network), named("material", &material)];
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0);
        comparison.add(&game(&material, 0)).unwrap();
        // The same positions again, which do not count.
        comparison.add(&game(&material, 50)).unwrap();
        assert_eq!(comparison.positions(), 6);
        assert!(comparison.mean_loss(0) > 1e-4 && comparison.mean_loss(1) < 1e-12);
        assert!((comparison.difference(1).0 + comparison.mean_loss(0)).abs() < 1e-9);
        assert_eq!(comparison.difference(0), (0.0, 0.0));
        let lines = comparison.to_string();
        assert!(lines.ends_with(", -100.00 ± 0.00 %\n"), "{lines}");
    }

    #[test]
    fn the_interval_is_that_of_independent_games() {
        let mut comparison =
            LossComparison::new(vec![(String::new(), Evaluation::default()); 2], 0.0, 160.0);
        comparison.positions = vec![2; 4];
        comparison.evaluations[1].differences = vec![1.0, 3.0, 1.0, 3.0];
        // Mean 1 for each of 8 positions; the sum of each game is 1 away from its expectation.
        assert_eq!(comparison.difference(1), (1.0, 1.96 * 2.0 / 8.0));
    }
}
