//! The settings of a training.

use koel_eval::network::SCALE;
use serde::{Deserialize, Serialize};

/// The settings that, with the data and the initial weights, determine the weights.
///
/// The aliases are the names in manifests of earlier versions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TrainingPlan {
    /// Passes over all training positions.
    pub epochs: u32,
    /// Positions for each step of the optimizer.
    #[serde(alias = "batch")]
    pub batch_size: usize,
    /// Consecutive positions of the games that stay together when an epoch is shuffled. One differs
    /// from the next by a move or two, and only the difference is computed, which halves the time.
    /// With 16 the validation loss is 1 % higher than with 1 after as many epochs.
    #[serde(default = "unset_run_length", alias = "run")]
    pub run_length: usize,
    /// The learning rate of the first step, from which it falls along half a cosine.
    #[serde(alias = "first_rate")]
    pub initial_learning_rate: f64,
    /// The learning rate of the last step.
    #[serde(alias = "last_rate")]
    pub final_learning_rate: f64,
    /// The WDL blend: the weight of the game's result in the label, from 0 to 1; the rest is that
    /// of the score.
    #[serde(alias = "lambda")]
    pub wdl_blend: f64,
    /// λ of TD(λ), at least 0 and less than 1: in the label each later search of the game counts λ
    /// times as much as the one before, and the result counts last. With 0 the label is the score
    /// of the position's own search.
    #[serde(default, alias = "foresight")]
    pub td_lambda: f64,
    /// The scale of the sigmoid function of the loss in centipawns: at this score 1 / (1 + 1/e) of a
    /// point is expected. The smaller it is, the more errors near equality count, and the less those
    /// of decided positions.
    #[serde(default = "network_scale")]
    pub sigmoid_scale: f64,
    /// The weight decay: the fraction of each weight that a step with learning rate 1 removes.
    #[serde(alias = "decay")]
    pub weight_decay: f64,
    /// The seed of the initial weights and of the shuffles.
    pub seed: u64,
}

/// The run length of plans from before it could be set.
fn unset_run_length() -> usize {
    1
}

/// The scale of plans from before it could be set: that of the network's output.
fn network_scale() -> f64 {
    f64::from(SCALE)
}

impl Default for TrainingPlan {
    fn default() -> TrainingPlan {
        TrainingPlan {
            epochs: 10,
            batch_size: 16_384,
            run_length: 16,
            initial_learning_rate: 1e-3,
            final_learning_rate: 1e-5,
            wdl_blend: 0.0,
            td_lambda: 0.0,
            sigmoid_scale: network_scale(),
            weight_decay: 0.01,
            seed: 1,
        }
    }
}

impl TrainingPlan {
    /// Returns the learning rate after this fraction of all steps.
    #[must_use]
    pub fn learning_rate(&self, progress: f64) -> f64 {
        let height = f64::midpoint(1.0, cosine_of_half_turns(progress.clamp(0.0, 1.0)));
        self.final_learning_rate + (self.initial_learning_rate - self.final_learning_rate) * height
    }
}

/// Returns the cosine of an angle in half turns, from 0 to 1, by its series: the cosine of the
/// standard library differs between machines.
fn cosine_of_half_turns(half_turns: f64) -> f64 {
    let square = (half_turns * std::f64::consts::PI) * (half_turns * std::f64::consts::PI);
    let mut sum = 1.0;
    for pair in (1..=14).rev() {
        sum = 1.0 - square / f64::from((2 * pair - 1) * (2 * pair)) * sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_falls_along_a_cosine() {
        let plan = TrainingPlan {
            initial_learning_rate: 3.0,
            final_learning_rate: 1.0,
            ..TrainingPlan::default()
        };
        for step in 0..=100 {
            let progress = f64::from(step) / 100.0;
            let expected = 2.0 + (progress * std::f64::consts::PI).cos();
            assert!((plan.learning_rate(progress) - expected).abs() < 1e-9);
        }
    }
}
