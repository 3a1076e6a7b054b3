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
    fits_factors: bool,
    seen: SeenPositions,
    games: usize,
    positions: Vec<LabelledPosition>,
}

struct Compared {
    name: String,
    evaluation: Evaluation,
    evaluator: Evaluator,
    /// White's score of each position in centipawns.
    white_scores: Vec<f32>,
}

struct LabelledPosition {
    /// The number of its game, from 0.
    game: usize,
    pieces: usize,
    is_tree: bool,
    /// White's expected score.
    label: f32,
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
    /// scores in centipawns. With `fits_factors` each evaluation is multiplied with the factor that makes
    /// its loss the least: another engine's labels are in centipawns of another size.
    pub(crate) fn new(
        evaluations: Vec<(String, Evaluation)>,
        td_lambda: f64,
        sigmoid_scale: f64,
        fits_factors: bool,
    ) -> LossComparison {
        let compared = |(name, evaluation)| Compared {
            evaluator: Evaluator::new(&evaluation, &Position::start()),
            name,
            evaluation,
            white_scores: Vec::new(),
        };
        LossComparison {
            evaluations: evaluations.into_iter().map(compared).collect(),
            options: DatasetOptions { td_lambda, sigmoid_scale, ..DatasetOptions::default() },
            fits_factors,
            seen: SeenPositions::default(),
            games: 0,
            positions: Vec::new(),
        }
    }

    /// Adds the positions of a game that were not added before.
    pub(crate) fn add(&mut self, game: &TrainingGame) {
        let LossComparison { evaluations, options, seen, games, positions, .. } = self;
        let mut labels = td_labels(game, options).into_iter();
        let mut add = |position: &Position, scored: &ScoredMove, td_label: Option<f32>, is_tree| {
            let label = td_label.unwrap_or_else(|| own_label(scored, options));
            if !is_kept(position, scored) || !seen.insert(position.key()) {
                return;
            }
            for compared in &mut *evaluations {
                compared.evaluator.restart(&compared.evaluation, position);
                let Centipawns(score) = compared.evaluator.evaluate(position);
                let white_score = if position.turn() == Color::White { score } else { -score };
                compared.white_scores.push(white_score as f32);
            }
            let pieces = position.occupied().count();
            positions.push(LabelledPosition { game: *games, pieces, is_tree, label });
        };
        game.for_each_position(|position, scored| add(position, scored, labels.next(), false));
        for (position, scored) in &game.tree_positions {
            add(position, scored, None, true);
        }
        *games += 1;
    }

    /// Returns the loss of each position by an evaluation that is multiplied with a factor.
    fn losses(&self, compared: &Compared, factor: f64) -> impl Iterator<Item = f64> {
        let steepness = factor / self.options.sigmoid_scale;
        zip(&self.positions, &compared.white_scores).map(move |(position, &score)| {
            let expected = (steepness * f64::from(score)).sigmoid();
            (expected - f64::from(position.label)).powi(2)
        })
    }

    /// Returns the factor of an evaluation, in hundredths if it is fitted.
    fn factor(&self, compared: &Compared) -> f64 {
        if !self.fits_factors {
            return 1.0;
        }
        let factors = (30..=300).map(|hundredths| f64::from(hundredths) / 100.0);
        let sums = factors.map(|factor| (self.losses(compared, factor).sum::<f64>(), factor));
        sums.min_by(|one, other| one.0.total_cmp(&other.0)).map_or(1.0, |(_, factor)| factor)
    }

    /// Returns the losses by phase of evaluations with these factors.
    fn phases(&self, factors: &[f64]) -> [PhaseLosses; PHASES.len()] {
        let none = PhaseLosses {
            positions: vec![0; self.games],
            sums: vec![vec![0.0; self.games]; factors.len()],
        };
        let mut phases = array::from_fn(|_| none.clone());
        for position in &self.positions {
            position.phases().for_each(|phase| phases[phase].positions[position.game] += 1);
        }
        for (index, (compared, &factor)) in zip(&self.evaluations, factors).enumerate() {
            for (position, loss) in zip(&self.positions, self.losses(compared, factor)) {
                position
                    .phases()
                    .for_each(|phase| phases[phase].sums[index][position.game] += loss);
            }
        }
        phases
    }
}

impl LabelledPosition {
    /// Returns the indices of its phases.
    fn phases(&self) -> impl Iterator<Item = usize> {
        let is_in = |&phase: &usize| {
            PHASES[phase].1.contains(&self.pieces) && (phase == TREES) == self.is_tree
        };
        (0..PHASES.len()).filter(is_in)
    }
}

impl PhaseLosses {
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
    /// difference of each other from it in percent. The factors, if they are fitted, follow the names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<_> =
            self.evaluations.iter().map(|compared| self.factor(compared)).collect();
        let phases = self.phases(&factors);
        let mut row = |name: &str, cells: [String; PHASES.len()]| {
            write!(f, "{name:<16}")?;
            cells.iter().try_for_each(|cell| write!(f, " {cell:>18}"))?;
            writeln!(f)
        };
        row("pieces", PHASES.map(|(name, _)| name.to_owned()))?;
        let phases = phases.each_ref();
        row("positions", phases.map(|phase| phase.position_count().to_string()))?;
        for (index, (Compared { name, .. }, factor)) in
            self.evaluations.iter().zip(&factors).enumerate()
        {
            let cell = |phase: &PhaseLosses| match index {
                _ if phase.position_count() == 0 => "-".to_owned(),
                0 => format!("{:.6}", phase.mean_loss(0)),
                _ => {
                    let percent = 100.0 / phase.mean_loss(0);
                    let (difference, error) = phase.difference(index);
                    format!("{:+.2} ± {:.2} %", percent * difference, percent * error)
                }
            };
            let factor = self.fits_factors.then(|| format!(" x {factor:.2}"));
            row(&format!("{name}{}", factor.unwrap_or_default()), phases.map(cell))?;
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
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0, false);
        comparison.add(&game(&material, 0));
        // The same positions again, which do not count.
        comparison.add(&game(&material, 50));
        let [all, ..] = comparison.phases(&[1.0; 2]);
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
    fn a_factor_between_evaluation_and_labels_is_found() {
        let material = Evaluation::PieceSquareTables;
        let mut game = game(&material, 0);
        for scored in &mut game.moves {
            scored.white_score = scored.white_score * 3 / 2;
        }
        let evaluations = vec![("material".to_owned(), material)];
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0, true);
        comparison.add(&game);
        let factor = comparison.factor(&comparison.evaluations[0]);
        assert!((factor - 1.5).abs() < 0.011, "{factor}");
        let [all, ..] = comparison.phases(&[factor]);
        assert!(all.mean_loss(0) < 1e-5, "{}", all.mean_loss(0));
        assert!(comparison.to_string().contains(&format!("material x {factor:.2}")));
    }

    #[test]
    fn phases_are_told_apart_by_the_number_of_pieces() {
        for pieces in 2..=32 {
            let phases =
                PHASES[..TREES].iter().filter(|(_, range)| range.contains(&pieces)).count();
            assert_eq!(phases, 2, "all, and one of the others");
        }
        let evaluations = vec![(String::new(), Evaluation::PieceSquareTables)];
        let mut comparison = LossComparison::new(evaluations, 0.0, 160.0, false);
        let mut game = game(&Evaluation::PieceSquareTables, 0);
        let tree_position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 b - - 0 20").unwrap();
        game.tree_positions.push((tree_position, game.moves[1]));
        comparison.add(&game);
        let counts = comparison.phases(&[1.0]).each_ref().map(PhaseLosses::position_count);
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
