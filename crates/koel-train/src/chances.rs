//! How often a score is won, drawn and lost: a model fitted to games.
//!
//! With a score of `s` centipawns and so much material on the board, a game is won with
//! probability 1 / (1 + e^((a - s) / b)) and lost with 1 / (1 + e^((a + s) / b)), where `a` and `b`
//! are polynomials of the material. So `a` is the score that wins every second game.
//! (Win-draw-loss model, as in Stockfish.)

use std::fmt;

use koel_board::Color;
use koel_eval::material;

use crate::filter::Filter;
use crate::record::{GameRecord, Winner};
use crate::viriformat::ViriformatError;

/// Beyond so many centipawns to either side nothing is counted: it is won.
const REACH: i32 = 1_000;
/// Centipawns that are counted together.
const STEP: i32 = 10;
const CLASSES: usize = (2 * REACH / STEP) as usize;
/// Material that is told apart; what is below the least or above the most counts as they.
const LEAST_MATERIAL: u32 = 17;
const MOST_MATERIAL: u32 = 78;
const MATERIALS: usize = (MOST_MATERIAL - LEAST_MATERIAL + 1) as usize;
/// Material is put in so that the polynomials have arguments about 1.
const MATERIAL_UNIT: f64 = 58.0;
/// Centipawns that scores are put in by, for the same reason.
const SCORE_UNIT: f64 = 100.0;

/// How often White won, drew and lost, by material and score.
#[derive(Clone, Debug)]
pub struct ChanceCounts {
    cells: Vec<[u64; 3]>,
}

/// The coefficients of `a` and `b`, in centipawns, the cubic one first, for the material (as
/// [`material`] counts it, from 17 to 78) divided by 58.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChanceModel {
    /// The score that wins half the games.
    pub a: [f64; 4],
    /// How slowly a win becomes sure.
    pub b: [f64; 4],
}

impl Default for ChanceCounts {
    fn default() -> ChanceCounts {
        ChanceCounts { cells: vec![[0; 3]; MATERIALS * CLASSES] }
    }
}

impl ChanceCounts {
    /// Counts the positions of a game that the filter keeps.
    ///
    /// # Errors
    /// A move of the game is not legal.
    pub fn count(&mut self, game: &GameRecord, filter: &Filter) -> Result<(), ViriformatError> {
        let outcome = match game.winner {
            Winner::Side(Color::White) => 0,
            Winner::Nobody => 1,
            Winner::Side(Color::Black) => 2,
        };
        game.visit(|position, ply| {
            if filter.keeps(position, ply) && i32::from(ply.white_score).abs() < REACH {
                self.add(material(position), ply.white_score.into(), outcome, 1);
            }
        })
    }

    /// Counts a score from White's view, less than [`REACH`], and from Black's as well, so that
    /// neither colour is preferred.
    fn add(&mut self, material: u32, score: i32, outcome: usize, number: u64) {
        let row = (material.clamp(LEAST_MATERIAL, MOST_MATERIAL) - LEAST_MATERIAL) as usize;
        for (score, outcome) in [(score, outcome), (-score, 2 - outcome)] {
            let class = ((score + REACH) / STEP) as usize;
            self.cells[row * CLASSES + class.min(CLASSES - 1)][outcome] += number;
        }
    }

    /// How many positions were counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.cells.iter().flatten().sum::<u64>() / 2
    }

    /// The model under which these outcomes are the likeliest, by so many steps of gradient ascent
    /// (Adam).
    #[must_use]
    pub fn fit(&self, steps: u32) -> ChanceModel {
        let mut numbers = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.8];
        let (mut means, mut squares) = ([0.0_f64; 8], [0.0_f64; 8]);
        for step in 0..steps {
            let slopes = self.slopes(&numbers);
            let rate = 0.02 * f64::from(steps - step) / f64::from(steps);
            for at in 0..8 {
                means[at] = 0.9 * means[at] + 0.1 * slopes[at];
                squares[at] = 0.99 * squares[at] + 0.01 * slopes[at] * slopes[at];
                numbers[at] += rate * means[at] / (squares[at].sqrt() + 1e-9);
            }
        }
        let [a, b] = [0, 4].map(|at| [0, 1, 2, 3].map(|power| SCORE_UNIT * numbers[at + power]));
        ChanceModel { a, b }
    }

    /// The slopes of the mean logarithm of the likelihood by each coefficient.
    fn slopes(&self, numbers: &[f64; 8]) -> [f64; 8] {
        let mut slopes = [0.0; 8];
        for (index, cell) in self.cells.iter().enumerate().filter(|(_, cell)| **cell != [0; 3]) {
            let argument = (index / CLASSES) as f64 + f64::from(LEAST_MATERIAL);
            let powers = powers(argument / MATERIAL_UNIT);
            let [a, b] = [0, 4].map(|at| (0..4).map(|p| numbers[at + p] * powers[p]).sum::<f64>());
            let b = b.max(0.05);
            let middle = (index % CLASSES) as f64 * f64::from(STEP) + f64::from(STEP) / 2.0;
            let score = (middle - f64::from(REACH)) / SCORE_UNIT;
            let [win_at, loss_at] = [(score - a) / b, (-score - a) / b];
            let [win, loss] = [win_at, loss_at].map(share);
            let draw = (1.0 - win - loss).max(1e-9);
            let [wins, draws, losses] = cell.map(|count| count as f64);
            // What the likelihood gains by either argument.
            let by_win = (wins / win - draws / draw) * win * (1.0 - win);
            let by_loss = (losses / loss - draws / draw) * loss * (1.0 - loss);
            for (power, &value) in powers.iter().enumerate() {
                slopes[power] -= (by_win + by_loss) / b * value;
                slopes[4 + power] -= (by_win * win_at + by_loss * loss_at) / b * value;
            }
        }
        let all = self.cells.iter().flatten().sum::<u64>().max(1) as f64;
        slopes.map(|slope| slope / all)
    }
}

impl ChanceModel {
    /// The shares that are won, drawn and lost with a score.
    #[must_use]
    pub fn shares(&self, score: f64, material: u32) -> [f64; 3] {
        let material = f64::from(material.clamp(LEAST_MATERIAL, MOST_MATERIAL));
        let powers = powers(material / MATERIAL_UNIT);
        let [a, b] = [self.a, self.b].map(|c| (0..4).map(|p| c[p] * powers[p]).sum::<f64>());
        let [win, loss] = [(score - a) / b, (-score - a) / b].map(share);
        [win, 1.0 - win - loss, loss]
    }
}

impl fmt::Display for ChanceModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: [f64; 4]| numbers.map(|number| format!("{number:.3}")).join(", ");
        writeln!(f, "a = [{}]", list(self.a))?;
        write!(f, "b = [{}]", list(self.b))
    }
}

fn powers(x: f64) -> [f64; 4] {
    [x * x * x, x * x, x, 1.0]
}

fn share(x: f64) -> f64 {
    (1.0 / (1.0 + (-x).exp())).clamp(1e-9, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_again() {
        let truth = ChanceModel { a: [10.0, -40.0, 60.0, 120.0], b: [5.0, 10.0, -20.0, 70.0] };
        let mut counts = ChanceCounts::default();
        for material in LEAST_MATERIAL..=MOST_MATERIAL {
            for score in (5 - REACH..REACH).step_by(STEP as usize) {
                for (outcome, share) in truth.shares(score.into(), material).iter().enumerate() {
                    counts.add(material, score, outcome, (share * 1e6) as u64);
                }
            }
        }
        let found = counts.fit(2_000);
        for material in [17, 30, 58, 78] {
            for score in [-300.0, 0.0, 50.0, 150.0, 400.0] {
                let both =
                    truth.shares(score, material).into_iter().zip(found.shares(score, material));
                for (expected, found) in both {
                    assert!(
                        (expected - found).abs() < 0.01,
                        "{material} {score}: {expected} {found}"
                    );
                }
            }
        }
    }
}
