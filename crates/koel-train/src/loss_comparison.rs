//! The losses of several evaluations on the same positions, which need not be of the games that any
//! of them was trained with.
//!
//! Scores of deep searches as labels compare networks that were trained with games of different
//! kinds: the loss that each reports is measured on games of its own kind. They compare sources of
//! labels likewise: by their loss, and by their share of what the scores ask for.

use std::array;
use std::fmt;
use std::iter::zip;
use std::ops::RangeInclusive;

use koel_board::Position;

use crate::judge::JudgedPosition;
use crate::kept_positions::{SeenPositions, is_kept};
use crate::label_source::LabelSource;
use crate::train::dataset::{DatasetOptions, td_labels};
use crate::train::real::Real;
use crate::training_game::{ScoredMove, TrainingGame};

/// The phases of the game by the number of pieces, kings included, and the positions of search
/// trees.
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
/// A source of labels whose share of what the scores ask for is less gets no hours.
const LEAST_SHARE: f64 = 0.15;

/// The mean losses of evaluations by phase of the game, each with its difference from the first.
///
/// The loss is the squared difference of two expected scores, that of the evaluation and that of
/// the label. Positions are those that the training would keep, each once.
pub(crate) struct LossComparison {
    evaluations: Vec<Compared>,
    options: DatasetOptions,
    fits_factors: bool,
    shows_shares: bool,
    seen: SeenPositions,
    games: usize,
    positions: Vec<LabelledPosition>,
}

#[derive(Clone)]
struct Compared {
    name: String,
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

/// The factors of an evaluation by the index of the phase.
type Factors = [f64; PHASES.len()];

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
    /// score of the position's own search) to less than 1, and `sigmoid_scale` the scale of
    /// expected scores in centipawns.
    pub(crate) fn new(names: &[String], td_lambda: f64, sigmoid_scale: f64) -> LossComparison {
        let compared = |name: &String| Compared { name: name.clone(), white_scores: Vec::new() };
        LossComparison {
            evaluations: names.iter().map(compared).collect(),
            options: DatasetOptions { td_lambda, sigmoid_scale, ..DatasetOptions::default() },
            fits_factors: false,
            shows_shares: false,
            seen: SeenPositions::default(),
            games: 0,
            positions: Vec::new(),
        }
    }

    /// Multiplies each evaluation in each phase with the factor that makes its loss there the
    /// least: another engine's labels are in centipawns of another size, which depends on the
    /// phase.
    pub(crate) fn with_fitted_factors(self) -> LossComparison {
        LossComparison { fits_factors: true, ..self }
    }

    /// Shows beside the losses the share of each evaluation in what the labels ask of the first.
    pub(crate) fn with_shares(self) -> LossComparison {
        LossComparison { shows_shares: true, ..self }
    }

    /// Adds the positions of a game that were not added before. The sources are those of the
    /// evaluations, in order.
    pub(crate) fn add(&mut self, game: &TrainingGame, sources: &mut [LabelSource]) {
        let (options, number) = (self.options, self.games);
        let mut labels = td_labels(game, &options).into_iter();
        let mut add = |position: &Position, scored: &ScoredMove, td_label: Option<f32>, is_tree| {
            let label = td_label.unwrap_or_else(|| self.label(scored.white_score.into()));
            if is_kept(position, scored) && self.seen.insert(position.key()) {
                let scores = sources.iter_mut().map(|source| source.white_score(position));
                let pieces = position.occupied().count();
                self.push(LabelledPosition { game: number, pieces, is_tree, label }, scores);
            }
        };
        game.for_each_position(|position, scored| add(position, scored, labels.next(), false));
        for (position, scored) in &game.tree_positions {
            add(position, scored, None, true);
        }
        self.games = number + 1;
    }

    /// Adds a position of a judge with its score and those of the evaluations, all from White's
    /// view.
    pub(crate) fn add_judged(&mut self, judged: &JudgedPosition, white_score: i32, scores: &[i32]) {
        let pieces = judged.position.occupied().count();
        let (game, label) = (judged.game, self.label(white_score));
        self.games = self.games.max(game + 1);
        let position = LabelledPosition { game, pieces, is_tree: false, label };
        self.push(position, scores.iter().copied());
    }

    fn push(&mut self, position: LabelledPosition, scores: impl Iterator<Item = i32>) {
        for (compared, score) in zip(&mut self.evaluations, scores) {
            compared.white_scores.push(score as f32);
        }
        self.positions.push(position);
    }

    /// Returns White's expected score at a score of White.
    fn label(&self, white_score: i32) -> f32 {
        (white_score as f32 / self.options.sigmoid_scale as f32).sigmoid()
    }

    /// Returns White's expected score at each position by an evaluation that is multiplied with the
    /// factor of the phase.
    fn expected(&self, compared: &Compared, factors: Factors) -> impl Iterator<Item = f64> {
        zip(&self.positions, &compared.white_scores).map(move |(position, &score)| {
            let steepness = factors[position.phase()] / self.options.sigmoid_scale;
            (steepness * f64::from(score)).sigmoid()
        })
    }

    /// Returns the loss of each position.
    fn losses(&self, compared: &Compared, factors: Factors) -> impl Iterator<Item = f64> {
        let labels = self.positions.iter().map(|position| f64::from(position.label));
        zip(self.expected(compared, factors), labels)
            .map(|(expected, label)| (expected - label).powi(2))
    }

    /// Returns the factors of an evaluation, in hundredths if they are fitted.
    fn factors(&self, compared: &Compared) -> Factors {
        let mut best = [(f64::INFINITY, 1.0); PHASES.len()];
        let hundredths = if self.fits_factors { 30..=300 } else { 100..=100 };
        for factor in hundredths.map(|hundredths| f64::from(hundredths) / 100.0) {
            let mut sums = [0.0; PHASES.len()];
            let losses = self.losses(compared, [factor; PHASES.len()]);
            zip(&self.positions, losses)
                .for_each(|(position, loss)| sums[position.phase()] += loss);
            for (best, sum) in zip(&mut best, sums) {
                if sum < best.0 {
                    *best = (sum, factor);
                }
            }
        }
        best.map(|(_, factor)| factor)
    }

    /// Returns the share of an evaluation in what the labels ask of the first in a phase, with the
    /// half width of its 95 % interval: the slope, through the origin, of the one's difference from
    /// the first on the labels' difference from it.
    fn share(&self, index: usize, phase: usize, factors: &[Factors]) -> (f64, f64) {
        let [first, own] =
            [0, index].map(|index| self.expected(&self.evaluations[index], factors[index]));
        let mut games = vec![(0.0, 0.0); self.games];
        for (position, (first, own)) in zip(&self.positions, zip(first, own)) {
            if position.phases().any(|in_phase| in_phase == phase) {
                let asked = f64::from(position.label) - first;
                let (products, squares) = &mut games[position.game];
                *products += (own - first) * asked;
                *squares += asked * asked;
            }
        }
        let squares = games.iter().map(|(_, squares)| squares).sum::<f64>();
        let share = games.iter().map(|(products, _)| products).sum::<f64>() / squares;
        let of_game = |(products, squares): &(f64, f64)| (products - share * squares).powi(2);
        (share, 1.96 * games.iter().map(of_game).sum::<f64>().sqrt() / squares)
    }

    /// Returns the losses by phase of evaluations with these factors.
    fn phases(&self, factors: &[Factors]) -> [PhaseLosses; PHASES.len()] {
        let none = PhaseLosses {
            positions: vec![0; self.games],
            sums: vec![vec![0.0; self.games]; factors.len()],
        };
        let mut phases = array::from_fn(|_| none.clone());
        for position in &self.positions {
            position.phases().for_each(|phase| phases[phase].positions[position.game] += 1);
        }
        for (index, (compared, &factors)) in zip(&self.evaluations, factors).enumerate() {
            for (position, loss) in zip(&self.positions, self.losses(compared, factors)) {
                position
                    .phases()
                    .for_each(|phase| phases[phase].sums[index][position.game] += loss);
            }
        }
        phases
    }
}

impl LabelledPosition {
    /// Returns the index of its phase by its pieces.
    fn phase(&self) -> usize {
        (1..TREES).find(|&phase| PHASES[phase].1.contains(&self.pieces)).unwrap_or(0)
    }

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

impl fmt::Display for LossComparison {
    /// A column for each phase: the number of positions, the loss of the first evaluation, and the
    /// difference of each other from it in percent. Factors that are fitted follow, and the shares
    /// if they are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors: Vec<_> =
            self.evaluations.iter().map(|compared| self.factors(compared)).collect();
        let phases = self.phases(&factors);
        let mut row = |name: &str, cells: [String; PHASES.len()]| {
            write!(f, "{name:<16}")?;
            cells.iter().try_for_each(|cell| write!(f, " {cell:>18}"))?;
            writeln!(f)
        };
        row("pieces", PHASES.map(|(name, _)| name.to_owned()))?;
        let phases = phases.each_ref();
        row("positions", phases.map(|phase| phase.position_count().to_string()))?;
        for (index, (Compared { name, .. }, own_factors)) in
            zip(&self.evaluations, &factors).enumerate()
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
            row(name, phases.map(cell))?;
            if self.fits_factors {
                let cell = |phase: usize| match phase {
                    1..TREES if phases[phase].position_count() > 0 => {
                        format!("x {:.2}", own_factors[phase])
                    }
                    _ => String::new(),
                };
                row("", array::from_fn(cell))?;
            }
            if self.shows_shares && index > 0 {
                let (all, _) = self.share(index, 0, &factors);
                let cell = |phase: usize| match phases[phase].position_count() {
                    0 => String::new(),
                    _ => {
                        let (share, error) = self.share(index, phase, &factors);
                        format!("{share:.3} ± {error:.3}")
                    }
                };
                let name = if all < LEAST_SHARE { "share: no hours" } else { "share" };
                row(name, array::from_fn(cell))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;
    use koel_eval::{Centipawns, Evaluation};

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

    const NO_FACTORS: Factors = [1.0; PHASES.len()];

    fn comparison(names: &[&str]) -> LossComparison {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        LossComparison::new(&names, 0.0, 160.0)
    }

    fn material() -> [LabelSource; 1] {
        [Evaluation::PieceSquareTables.into()]
    }

    #[test]
    fn an_evaluation_that_agrees_with_the_labels_has_no_loss() {
        let material = Evaluation::PieceSquareTables;
        let mut sources = [Evaluation::default(), material.clone()].map(LabelSource::from);
        let mut comparison = comparison(&["network", "material"]);
        comparison.add(&game(&material, 0), &mut sources);
        // The same positions again, which do not count.
        comparison.add(&game(&material, 50), &mut sources);
        let [all, ..] = comparison.phases(&[NO_FACTORS; 2]);
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
        let mut comparison = comparison(&["material"]).with_fitted_factors();
        comparison.add(&game, &mut [material.into()]);
        let factors = comparison.factors(&comparison.evaluations[0]);
        // Two kings and ten pawns.
        let factor = factors[3];
        assert!((factor - 1.5).abs() < 0.011, "{factor}");
        let [all, ..] = comparison.phases(&[factors]);
        assert!(all.mean_loss(0) < 1e-5, "{}", all.mean_loss(0));
        assert!(comparison.to_string().contains(&format!("x {factor:.2}")));
    }

    #[test]
    fn a_share_is_the_part_of_the_way_to_the_labels() {
        let mut comparison = comparison(&["first", "half", "all"]).with_shares();
        for (game, (first, score)) in
            [(0, 100), (100, 0), (-40, 30), (-40, -90)].into_iter().enumerate()
        {
            let position = Position::start();
            let judged = JudgedPosition { position, game, reference: score, own: None };
            comparison.add_judged(&judged, score, &[first, (first + score) / 2, score]);
        }
        let factors = [NO_FACTORS; 3];
        let [(half, error), (all, none)] = [1, 2].map(|index| comparison.share(index, 0, &factors));
        assert!((half - 0.5).abs() < 0.02 && error < 0.02, "{half} {error}");
        assert!((all - 1.0).abs() < 1e-6 && none < 1e-6, "{all} {none}");
        let text = comparison.to_string();
        assert!(text.contains("1.000 ± 0.000") && !text.contains("no hours"), "{text}");
    }

    #[test]
    fn phases_are_told_apart_by_the_number_of_pieces() {
        for pieces in 2..=32 {
            let phases =
                PHASES[..TREES].iter().filter(|(_, range)| range.contains(&pieces)).count();
            assert_eq!(phases, 2, "all, and one of the others");
        }
        let mut comparison = comparison(&["material"]);
        let mut game = game(&Evaluation::PieceSquareTables, 0);
        let tree_position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 b - - 0 20").unwrap();
        game.tree_positions.push((tree_position, game.moves[1]));
        comparison.add(&game, &mut material());
        let counts = comparison.phases(&[NO_FACTORS]).each_ref().map(PhaseLosses::position_count);
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
