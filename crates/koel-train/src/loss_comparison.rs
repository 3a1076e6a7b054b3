//! Evaluations and sources of labels compared by one truth of a judge.
//!
//! Deep scores of natural positions compare networks that were trained with games of different
//! kinds: the loss that each reports is measured on games of its own kind. They compare sources of
//! labels likewise: by their loss, and by their share of what the scores ask for.

use std::array;
use std::collections::BTreeMap;
use std::fmt;
use std::iter::zip;
use std::ops::RangeInclusive;

use crate::judge::JudgedPosition;
use crate::train::real::Real;

/// The phases of the game by the number of pieces, kings included. The first is all of them.
const PHASES: [(&str, RangeInclusive<usize>); 5] =
    [("all", 2..=32), (">24", 25..=32), ("17-24", 17..=24), ("9-16", 9..=16), ("<9", 2..=8)];
/// The scale of expected scores in centipawns.
const SIGMOID_SCALE: f64 = 160.0;
/// A source of labels whose share of what the scores ask for is less gets no hours.
const LEAST_SHARE: f64 = 0.15;

/// The mean losses of evaluations by phase of the game, each with its difference from the first.
///
/// The loss is the squared difference of two expected scores, that of the evaluation and that of
/// the truth. Each evaluation is multiplied in each phase with the factor that makes its loss there
/// the least: another engine's centipawns have another size, which depends on the phase.
pub(crate) struct LossComparison {
    names: Vec<String>,
    /// True if the share of each evaluation in what the truth asks of the first is shown.
    shows_shares: bool,
    positions: Vec<ComparedPosition>,
}

struct ComparedPosition {
    /// The number of its game.
    game: usize,
    pieces: usize,
    /// White's expected score by the truth.
    truth: f64,
    /// White's score by each evaluation in centipawns.
    white_scores: Vec<i32>,
}

/// An evaluation with its best factors.
struct Fitted {
    /// By phase; that of all phases together is not used.
    factors: [f64; PHASES.len()],
    /// White's expected score at each position.
    expected: Vec<f64>,
}

/// A quotient with the half width of its 95 % interval.
type Estimate = (f64, f64);

impl LossComparison {
    /// Creates a comparison of named evaluations.
    pub(crate) fn new(names: &[String], shows_shares: bool) -> LossComparison {
        LossComparison { names: names.to_vec(), shows_shares, positions: Vec::new() }
    }

    /// Adds a position of a judge with the score that is the truth and those of the evaluations,
    /// all from White's view.
    pub(crate) fn add(&mut self, judged: &JudgedPosition, truth: i32, white_scores: &[i32]) {
        self.positions.push(ComparedPosition {
            game: judged.game,
            pieces: judged.position.occupied().count(),
            truth: expected_score(truth, 1.0),
            white_scores: white_scores.to_vec(),
        });
    }

    /// Returns the positions of a phase with their places in the list.
    fn in_phase(&self, phase: usize) -> impl Iterator<Item = (usize, &ComparedPosition)> {
        let is_in = move |(_, position): &(_, &ComparedPosition)| {
            PHASES[phase].1.contains(&position.pieces)
        };
        self.positions.iter().enumerate().filter(is_in)
    }

    /// Fits the factors of the evaluation with this index, to a hundredth.
    fn fit(&self, index: usize) -> Fitted {
        let mut fitted = Fitted { factors: [1.0; _], expected: vec![0.0; self.positions.len()] };
        for phase in 1..PHASES.len() {
            let expected = |position: &ComparedPosition, factor| {
                expected_score(position.white_scores[index], factor)
            };
            let loss = |factor| {
                let of_position = |(_, position): (_, &ComparedPosition)| {
                    (expected(position, factor) - position.truth).powi(2)
                };
                self.in_phase(phase).map(of_position).sum::<f64>()
            };
            let losses = (30..=300).map(|hundredths| f64::from(hundredths) / 100.0);
            let best =
                losses.map(|factor| (loss(factor), factor)).min_by(|a, b| a.0.total_cmp(&b.0));
            let factor = best.map_or(1.0, |(_, factor)| factor);
            fitted.factors[phase] = factor;
            for (at, position) in self.in_phase(phase) {
                fitted.expected[at] = expected(position, factor);
            }
        }
        fitted
    }

    /// Returns how much the mean loss of an evaluation in a phase is larger than that of `first`,
    /// or than zero.
    fn loss(&self, phase: usize, evaluation: &Fitted, first: Option<&Fitted>) -> Estimate {
        quotient(self.in_phase(phase).map(|(at, position)| {
            let loss = |fitted: &Fitted| (fitted.expected[at] - position.truth).powi(2);
            (position.game, loss(evaluation) - first.map_or(0.0, loss), 1.0)
        }))
    }

    /// Returns the share of an evaluation in what the truth asks of the first in a phase: the
    /// slope, through the origin, of the one's difference from the first on the truth's.
    fn share(&self, phase: usize, evaluation: &Fitted, first: &Fitted) -> Estimate {
        quotient(self.in_phase(phase).map(|(at, position)| {
            let asked = position.truth - first.expected[at];
            let difference = evaluation.expected[at] - first.expected[at];
            (position.game, difference * asked, asked * asked)
        }))
    }
}

/// Returns White's expected score at a score that is multiplied with a factor.
fn expected_score(white_score: i32, factor: f64) -> f64 {
    (factor * f64::from(white_score) / SIGMOID_SCALE).sigmoid()
}

/// Returns the sum of the first numbers by that of the second, each with the number of a game.
/// Games are independent of each other; the positions of one are not.
fn quotient(terms: impl Iterator<Item = (usize, f64, f64)>) -> Estimate {
    let mut games = BTreeMap::<usize, [f64; 2]>::new();
    for (game, numerator, denominator) in terms {
        let sums = games.entry(game).or_default();
        *sums = [sums[0] + numerator, sums[1] + denominator];
    }
    let [numerator, denominator] =
        [0, 1].map(|at| games.values().map(|sums| sums[at]).sum::<f64>());
    let quotient = numerator / denominator;
    let variance = games.values().map(|[one, other]| (one - quotient * other).powi(2)).sum::<f64>();
    (quotient, 1.96 * variance.sqrt() / denominator)
}

impl fmt::Display for LossComparison {
    /// A column for each phase: the number of positions, the loss of the first evaluation, and the
    /// difference of each other from it in percent. The factors follow, and the shares if they are
    /// shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: [usize; PHASES.len()] = array::from_fn(|phase| self.in_phase(phase).count());
        let mut row = |name: &str, cell: &dyn Fn(usize) -> String| {
            write!(f, "{name:<16}")?;
            for (phase, &count) in counts.iter().enumerate() {
                let cell = if count == 0 { "-".to_owned() } else { cell(phase) };
                write!(f, " {cell:>18}")?;
            }
            writeln!(f)
        };
        row("pieces", &|phase| PHASES[phase].0.to_owned())?;
        row("positions", &|phase| counts[phase].to_string())?;
        let fitted: Vec<Fitted> = (0..self.names.len()).map(|index| self.fit(index)).collect();
        let Some(first) = fitted.first() else { return Ok(()) };
        for (index, (name, evaluation)) in zip(&self.names, &fitted).enumerate() {
            row(name, &|phase| {
                let (loss, _) = self.loss(phase, first, None);
                if index == 0 {
                    return format!("{loss:.6}");
                }
                let (difference, error) = self.loss(phase, evaluation, Some(first));
                format!("{:+.2} ± {:.2} %", 100.0 * difference / loss, 100.0 * error / loss)
            })?;
            row("", &|phase| match phase {
                0 => String::new(),
                _ => format!("x {:.2}", evaluation.factors[phase]),
            })?;
            if self.shows_shares && index > 0 {
                let (all, _) = self.share(0, evaluation, first);
                row(if all < LEAST_SHARE { "share: no hours" } else { "share" }, &|phase| {
                    let (share, error) = self.share(phase, evaluation, first);
                    format!("{share:.3} ± {error:.3}")
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;

    /// Compares evaluations by truths of positions, each with the scores of the evaluations and of
    /// a game of its own.
    fn comparison(names: &[&str], positions: &[(&str, i32, &[i32])]) -> LossComparison {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let mut comparison = LossComparison::new(&names, true);
        for (game, &(fen, truth, scores)) in positions.iter().enumerate() {
            let position = Position::from_fen(fen).unwrap();
            let judged = JudgedPosition { position, game, reference: truth, own: None };
            comparison.add(&judged, truth, scores);
        }
        comparison
    }

    const START: &str = koel_board::START_FEN;
    const ENDGAME: &str = "4k3/pp3ppp/8/8/8/8/PPP3PP/4K3 w - - 0 20";

    #[test]
    fn an_evaluation_that_agrees_with_the_truth_has_no_loss() {
        let positions =
            [(START, 30, &[-60, 30][..]), (START, -80, &[90, -80]), (ENDGAME, 50, &[-20, 50])];
        let comparison = comparison(&["first", "true"], &positions);
        let [first, fitted] = [0, 1].map(|index| comparison.fit(index));
        let [first_loss, loss] = [&first, &fitted].map(|fitted| comparison.loss(0, fitted, None).0);
        assert!(first_loss > 1e-2 && loss < 1e-12);
        let (difference, _) = comparison.loss(0, &fitted, Some(&first));
        assert!((difference + first_loss).abs() < 1e-9);
        assert_eq!(comparison.loss(0, &first, Some(&first)), (0.0, 0.0));
        let text = comparison.to_string();
        let row = text.lines().find(|line| line.starts_with("true")).unwrap();
        let words: Vec<_> =
            row.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
        let cells: Vec<_> = words.iter().filter_map(|word| word.split(" ±").next()).collect();
        assert_eq!(cells, ["true", "-100.00", "-100.00", "-", "-100.00", "-"], "{text}");
    }

    #[test]
    fn a_factor_between_evaluation_and_truth_is_found_in_each_phase() {
        let positions = [(START, 30, &[20][..]), (START, -90, &[-60]), (ENDGAME, 50, &[100])];
        let comparison = comparison(&["material"], &positions);
        let fitted = comparison.fit(0);
        // All phases, and the endgame of two kings and ten pawns.
        assert_eq!(fitted.factors, [1.0, 1.5, 0.3, 0.5, 0.3]);
        assert!(comparison.loss(0, &fitted, None).0 < 1e-12);
        let text = comparison.to_string();
        assert!(text.contains("x 1.50") && text.contains("x 0.50"), "{text}");
    }

    #[test]
    fn a_share_is_the_part_of_the_way_to_the_truth() {
        let scores = [[0, 100], [100, 0], [-40, 30], [-40, -90]];
        let scores = scores.map(|[first, truth]| [first, i32::midpoint(first, truth), truth]);
        let positions = scores.each_ref().map(|scores| (START, scores[2], &scores[..]));
        let comparison = comparison(&["first", "half", "all"], &positions);
        let unfitted = [0, 1, 2].map(|index| Fitted {
            factors: [1.0; _],
            expected: scores.map(|scores| expected_score(scores[index], 1.0)).to_vec(),
        });
        let [first, half, all] = unfitted.each_ref();
        let (share, error) = comparison.share(0, half, first);
        assert!((share - 0.5).abs() < 0.02 && error < 0.02, "{share} {error}");
        let (share, error) = comparison.share(0, all, first);
        assert!((share - 1.0).abs() < 1e-6 && error < 1e-6, "{share} {error}");
        let text = comparison.to_string();
        assert!(text.contains("share ") && !text.contains("no hours"), "{text}");
    }

    #[test]
    fn every_number_of_pieces_has_a_phase() {
        for pieces in 2..=32 {
            let phases = PHASES.iter().filter(|(_, range)| range.contains(&pieces)).count();
            assert_eq!(phases, 2, "all, and one of the others");
        }
    }

    #[test]
    fn the_interval_is_that_of_independent_games() {
        // Mean 1 for each of 8 positions; the sum of each game is 1 away from its expectation.
        let terms = [(0, 1.0), (1, 3.0), (2, 1.0), (3, 3.0)]
            .into_iter()
            .flat_map(|(game, sum)| [(game, sum / 2.0, 1.0); 2]);
        assert_eq!(quotient(terms), (1.0, 1.96 * 2.0 / 8.0));
    }
}
