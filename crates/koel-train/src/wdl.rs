//! The win-draw-loss model (WDL), fitted to games.

use koel_board::Color;
use koel_eval::{WdlModel, material};

use crate::kept_positions::is_kept;
use crate::training_game::{GameResult, TrainingGame};

/// Scores of at least this many centipawns are not counted, since such games are decided.
const SCORE_LIMIT: i32 = 1_000;
/// The width of a score class, in centipawns.
const SCORE_STEP: i32 = 10;
const CLASSES: usize = (2 * SCORE_LIMIT / SCORE_STEP) as usize;
const MATERIALS: usize = (WdlModel::MAX_MATERIAL - WdlModel::MIN_MATERIAL + 1) as usize;
/// Steps of the fit.
const STEPS: u32 = 3_000;
/// The score that is 1 in the fit, in centipawns.
const SCORE_UNIT: f64 = 100.0;

/// Counts of White's wins, draws and losses by material and score.
pub(crate) struct WdlCounts {
    cells: Vec<[u64; 3]>,
}

impl Default for WdlCounts {
    fn default() -> WdlCounts {
        WdlCounts { cells: vec![[0; 3]; MATERIALS * CLASSES] }
    }
}

impl WdlCounts {
    /// Counts the kept positions of a game.
    pub(crate) fn count(&mut self, game: &TrainingGame) {
        let outcome = match game.result {
            GameResult::Win(Color::White) => 0,
            GameResult::Draw => 1,
            GameResult::Win(Color::Black) => 2,
        };
        game.for_each_position(|position, scored| {
            if is_kept(position, scored) && i32::from(scored.white_score).abs() < SCORE_LIMIT {
                self.add(material(position), scored.white_score.into(), outcome, 1);
            }
        });
    }

    /// Counts a score from White's view, below [`SCORE_LIMIT`], and the mirrored one from Black's,
    /// so that the model is symmetric.
    fn add(&mut self, material: u32, score: i32, outcome: usize, number: u64) {
        let row = (material.clamp(WdlModel::MIN_MATERIAL, WdlModel::MAX_MATERIAL)
            - WdlModel::MIN_MATERIAL) as usize;
        for (score, outcome) in [(score, outcome), (-score, 2 - outcome)] {
            let class = ((score + SCORE_LIMIT) / SCORE_STEP) as usize;
            self.cells[row * CLASSES + class.min(CLASSES - 1)][outcome] += number;
        }
    }

    /// Returns the number of positions counted.
    pub(crate) fn positions(&self) -> u64 {
        self.cells.iter().flatten().sum::<u64>() / 2
    }

    /// Fits a model by maximum likelihood, with gradient ascent (Adam).
    pub(crate) fn fit(&self) -> WdlModel {
        let mut coefficients = [0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.8];
        let (mut means, mut squares) = ([0.0_f64; 8], [0.0_f64; 8]);
        for step in 0..STEPS {
            let gradient = self.gradient(&coefficients);
            let rate = 0.02 * f64::from(STEPS - step) / f64::from(STEPS);
            for at in 0..8 {
                means[at] = 0.9 * means[at] + 0.1 * gradient[at];
                squares[at] = 0.99 * squares[at] + 0.01 * gradient[at] * gradient[at];
                coefficients[at] += rate * means[at] / (squares[at].sqrt() + 1e-9);
            }
        }
        let [a, b] =
            [0, 4].map(|at| [0, 1, 2, 3].map(|power| SCORE_UNIT * coefficients[at + power]));
        WdlModel { a, b }
    }

    /// Returns the gradient of the mean log-likelihood with respect to the coefficients.
    fn gradient(&self, coefficients: &[f64; 8]) -> [f64; 8] {
        let mut gradient = [0.0; 8];
        for (index, cell) in self.cells.iter().enumerate().filter(|(_, cell)| **cell != [0; 3]) {
            let argument = (index / CLASSES) as f64 + f64::from(WdlModel::MIN_MATERIAL);
            let powers = powers(argument / WdlModel::MATERIAL_UNIT);
            let [a, b] =
                [0, 4].map(|at| (0..4).map(|p| coefficients[at + p] * powers[p]).sum::<f64>());
            let b = b.max(0.05);
            let middle =
                (index % CLASSES) as f64 * f64::from(SCORE_STEP) + f64::from(SCORE_STEP) / 2.0;
            let score = (middle - f64::from(SCORE_LIMIT)) / SCORE_UNIT;
            let [win_at, loss_at] = [(score - a) / b, (-score - a) / b];
            let [win, loss] = [win_at, loss_at].map(logistic);
            let draw = (1.0 - win - loss).max(1e-9);
            let [wins, draws, losses] = cell.map(|count| count as f64);
            // The derivatives of the log-likelihood with respect to the two arguments.
            let slope_by_win = (wins / win - draws / draw) * win * (1.0 - win);
            let slope_by_loss = (losses / loss - draws / draw) * loss * (1.0 - loss);
            for (power, &value) in powers.iter().enumerate() {
                gradient[power] -= (slope_by_win + slope_by_loss) / b * value;
                gradient[4 + power] -=
                    (slope_by_win * win_at + slope_by_loss * loss_at) / b * value;
            }
        }
        let all = self.cells.iter().flatten().sum::<u64>().max(1) as f64;
        gradient.map(|slope| slope / all)
    }
}

/// The powers of x from the third down to 0.
fn powers(x: f64) -> [f64; 4] {
    [x * x * x, x * x, x, 1.0]
}

/// The logistic function, bounded away from 0.
fn logistic(x: f64) -> f64 {
    (1.0 / (1.0 + (-x).exp())).clamp(1e-9, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_recovers_a_model() {
        let truth = WdlModel { a: [10.0, -40.0, 60.0, 120.0], b: [5.0, 10.0, -20.0, 70.0] };
        let mut counts = WdlCounts::default();
        for material in WdlModel::MIN_MATERIAL..=WdlModel::MAX_MATERIAL {
            for score in (5 - SCORE_LIMIT..SCORE_LIMIT).step_by(SCORE_STEP as usize) {
                let outcomes = truth.probabilities(score.into(), material);
                for (outcome, probability) in outcomes.iter().enumerate() {
                    counts.add(material, score, outcome, (probability * 1e6) as u64);
                }
            }
        }
        let found = counts.fit();
        for material in [17, 30, 58, 78] {
            for score in [-300.0, 0.0, 50.0, 150.0, 400.0] {
                let [expected, found] =
                    [&truth, &found].map(|model| model.probabilities(score, material));
                for (expected, found) in expected.into_iter().zip(found) {
                    let difference = (expected - found).abs();
                    assert!(difference < 0.01, "{material} {score}: {expected} {found}");
                }
            }
        }
    }
}
