//! The losses of several evaluations on the same positions, which need not be of the games that any
//! of them was trained with.
//!
//! Scores of deep searches as labels compare networks that were trained with games of different
//! kinds: the loss that each reports is measured on games of its own kind.

use std::array;
use std::fmt;
use std::iter::zip;
use std::ops::RangeInclusive;

use koel_board::{Color, Position};
use koel_eval::{Centipawns, Evaluation, Evaluator};

use crate::kept_positions::{SeenPositions, is_kept};
use crate::train::dataset::{DatasetOptions, td_labels};
use crate::train::real::Real;
use crate::training_game::{ScoredMove, TrainingGame};

/// The phases of the game by the number of pieces, kings included, and the positions of search trees.
const PHASES: [(&str, RangeInclusive<usize>); 6] = [
    ("all", 2..=32),
    (">24", 25..=32),
    ("17-24", 17..=24),
    ("9-16", 9..=16),
    ("<9", 2..=8),
    ("trees", 2..=32),
];
/// The index of the positions of search trees, which are in no other phase.
const TREES: usize = PHASES.len() - 1;

/// The mean losses of evaluations by phase of the game, each with its difference from the first.
///
/// The loss is the squared difference of two expected scores, that of the evaluation and that of the
/// label. Positions are those that the training would keep, each once.
pub(crate) struct LossComparison {
    evaluations: Vec<Compared>,
    options: DatasetOptions,
    seen: SeenPositions,
    /// One for each of [`PHASES`].
    phases: [PhaseLosses; PHASES.len()],
}

struct Compared {
    name: String,
    evaluation: Evaluation,
    evaluator: Evaluator,
}

/// The losses on the positions of one phase.
#[derive(Clone)]
struct PhaseLosses {
    /// The positions of each game.
    positions: Vec<u32>,
    /// The sum of the losses of each evaluation, for each game.
    sums: Vec<Vec<f64>>,
}

impl LossComparison {
    /// Creates a comparison of named evaluations. `td_lambda` is the λ of the labels, from 0 (the
    /// score of the position's own search) to less than 1, and `sigmoid_scale` the scale of expected
    /// scores in centipawns.
    pub(crate) fn new(
        evaluations: Vec<(String, Evaluation)>,
        td_lambda: f64,
        sigmoid_scale: f64,
    ) -> LossComparison {
        let compared = |(name, evaluation)| Compared {
            evaluator: Evaluator::new(&evaluation, &Position::start()),
            name,
            evaluation,
        };
        let evaluations: Vec<_> = evaluations.into_iter().map(compared).collect();
        let losses =
            PhaseLosses { positions: Vec::new(), sums: vec![Vec::new(); evaluations.len()] };
        LossComparison {
            evaluations,
            options: DatasetOptions { td_lambda, sigmoid_scale, ..DatasetOptions::default() },
            seen: SeenPositions::default(),
            phases: array::from_fn(|_| losses.clone()),
        }
    }

    /// Adds the positions of a game that were not added before.
    pub(crate) fn add(&mut self, game: &TrainingGame) {
        let LossComparison { evaluations, options, phases, seen } = self;
        phases.iter_mut().for_each(PhaseLosses::begin_game);
        let mut labels = td_labels(game, options).into_iter();
        let mut add = |position: &Position, scored: &ScoredMove, td_label: Option<f32>, is_tree| {
            let label = td_label.unwrap_or_else(|| own_label(scored, options));
            if !is_kept(position, scored) || !seen.insert(position.key()) {
                return;
            }
            let loss = |compared: &mut Compared| {
                compared.evaluator.restart(&compared.evaluation, position);
                let Centipawns(score) = compared.evaluator.evaluate(position);
                let white_score = if position.turn() == Color::White { score } else { -score };
                let expected = (f64::from(white_score) / options.sigmoid_scale).sigmoid();
                (expected - f64::from(label)).powi(2)
            };
            let losses: Vec<_> = evaluations.iter_mut().map(loss).collect();
            let pieces = position.occupied().count();
            for (index, (_, range)) in PHASES.iter().enumerate() {
                if range.contains(&pieces) && (index == TREES) == is_tree {
                    phases[index].add(&losses);
                }
            }
        };
        game.for_each_position(|position, scored| add(position, scored, labels.next(), false));
        for (position, scored) in &game.tree_positions {
            add(position, scored, None, true);
        }
    }
}

impl PhaseLosses {
    fn begin_game(&mut self) {
        self.positions.push(0);
        self.sums.iter_mut().for_each(|sums| sums.push(0.0));
    }

    /// Adds the losses of a position to those of the last game.
    fn add(&mut self, losses: &[f64]) {
        if let Some(count) = self.positions.last_mut() {
            *count += 1;
        }
        for (sums, loss) in zip(&mut self.sums, losses) {
            if let Some(sum) = sums.last_mut() {
                *sum += loss;
            }
        }
    }

    fn position_count(&self) -> u64 {
        self.positions.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns the mean loss of the evaluation at this index.
    fn mean_loss(&self, index: usize) -> f64 {
        self.sums[index].iter().sum::<f64>() / self.position_count().max(1) as f64
    }

    /// Returns the mean difference from the loss of the first evaluation, and the half width of its
    /// 95 % interval. Games are independent of each other; the positions of one are not.
    fn difference(&self, index: usize) -> (f64, f64) {
        let differences =
            || zip(&self.sums[index], &self.sums[0]).map(|(loss, first)| loss - first);
        let count = self.position_count().max(1) as f64;
        let mean = differences().sum::<f64>() / count;
        let of_game = |(sum, &positions): (f64, _)| (sum - mean * f64::from(positions)).powi(2);
        let variance = zip(differences(), &self.positions).map(of_game).sum::<f64>();
        (mean, 1.96 * variance.sqrt() / count)
    }
}

/// Returns White's expected score by the position's own search. (A missing score is filtered out.)
fn own_label(scored: &ScoredMove, options: &DatasetOptions) -> f32 {
    (f32::from(scored.white_score) / options.sigmoid_scale as f32).sigmoid()
}

impl fmt::Display for LossComparison {
    /// A column for each phase: the number of positions, the loss of the first evaluation, and the
    /// difference of each other from it in percent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, cells: [String; PHASES.len()]| {
            write!(f, "{name:<16}")?;
            cells.iter().try_for_each(|cell| write!(f, " {cell:>18}"))?;
            writeln!(f)
        };
        row("pieces", PHASES.map(|(name, _)| name.to_owned()))?;
        let phases = self.phases.each_ref();
        row("positions", phases.map(|phase| phase.position_count().to_string()))?;
        for (index, Compared { name, .. }) in self.evaluations.iter().enumerate() {
            let cell = |phase: &PhaseLosses| match index {
                _ if phase.position_count() == 0 => "-".to_owned(),
                0 => format!("{:.6}", phase.mean_loss(0)),
                _ => {
                    let percent = 100.0 / phase.mean_loss(0);
                    let (difference, error) = phase.difference(index);
                    format!("{:+.2} ± {:.2} %", percent * difference, percent * error)
                }
            };
            row(name, phases.map(cell))?;
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
        let (moves, result) = (moves.to_vec(), GameResult::Draw);
        TrainingGame { start, moves, result, tree_positions: Vec::new() }
    }

    #[test]
    fn an_evaluation_that_agrees_with_the_labels_has_no_loss() {
        let [network, material] = [Evaluation::default(), Evaluation::PieceSquareTables];
        let named = |name: &str, evaluation: &Evaluation| (name.to_owned(), evaluation.clone());
        let evaluations = vec![named("network", &network), named("material", &material)];
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0);
        comparison.add(&game(&material, 0));
        // The same positions again, which do not count.
        comparison.add(&game(&material, 50));
        let all = &comparison.phases[0];
        assert_eq!(all.position_count(), 6);
        assert!(all.mean_loss(0) > 1e-4 && all.mean_loss(1) < 1e-12);
        assert!((all.difference(1).0 + all.mean_loss(0)).abs() < 1e-9);
        assert_eq!(all.difference(0), (0.0, 0.0));
        let text = comparison.to_string();
        let last = text.lines().last().unwrap_or_default();
        let cells = ["-100.00 ± 0.00 %", "-", "-", "-100.00 ± 0.00 %", "-", "-"];
        let words: Vec<_> =
            last.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
        assert_eq!(words[0], "material", "{text}");
        assert_eq!(words[1..], cells, "{text}");
    }

    #[test]
    fn phases_are_told_apart_by_the_number_of_pieces() {
        for pieces in 2..=32 {
            let phases =
                PHASES[..TREES].iter().filter(|(_, range)| range.contains(&pieces)).count();
            assert_eq!(phases, 2, "all, and one of the others");
        }
        let evaluations = vec![(String::new(), Evaluation::PieceSquareTables)];
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0);
        let mut game = game(&Evaluation::PieceSquareTables, 0);
        let tree_position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 b - - 0 20").unwrap();
        game.tree_positions.push((tree_position, game.moves[1]));
        comparison.add(&game);
        let counts = comparison.phases.each_ref().map(PhaseLosses::position_count);
        // Two kings and ten pawns.
        assert_eq!(counts, [6, 0, 0, 6, 0, 1]);
    }

    #[test]
    fn the_interval_is_that_of_independent_games() {
        let sums = vec![vec![5.0; 4], vec![6.0, 8.0, 6.0, 8.0]];
        let losses = PhaseLosses { positions: vec![2; 4], sums };
        // Mean 1 for each of 8 positions; the sum of each game is 1 away from its expectation.
        assert_eq!(losses.difference(1), (1.0, 1.96 * 2.0 / 8.0));
    }
}
