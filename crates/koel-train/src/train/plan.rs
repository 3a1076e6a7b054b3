//! The settings of a training.

use std::str::FromStr;

use clap::{Parser, value_parser};
use koel_eval::network::OUTPUT_BUCKETS;
use koel_eval::network::training::SCALE;
use serde::{Deserialize, Serialize};

use crate::number_arguments::{count, not_negative, positive, share, share_below_one};

/// The settings that, with the data and the initial weights, determine the weights, as arguments of
/// a command line.
#[derive(Clone, Copy, PartialEq, Debug, Parser, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingPlan {
    /// Passes over all training positions.
    #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    pub(crate) epochs: u32,
    /// Positions for each step of the optimizer.
    #[arg(long, default_value_t = 16_384, value_parser = count)]
    pub(crate) batch_size: usize,
    /// The steps over which the learning rate rises from zero to the first one.
    #[arg(long, default_value_t = 0)]
    pub(crate) warm_up_steps: u32,
    /// The learning rate after the warm-up, from which it falls along half a cosine.
    #[arg(long, default_value_t = 1e-3, value_parser = not_negative)]
    pub(crate) initial_learning_rate: f64,
    /// The learning rate of the last step.
    #[arg(long, default_value_t = 1e-5, value_parser = not_negative)]
    pub(crate) final_learning_rate: f64,
    /// The WDL blend: the weight of the game's result in the label, from 0 to 1; the rest is that
    /// of the score.
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub(crate) wdl_blend: f64,
    /// λ of TD(λ), at least 0 and less than 1: in the label each later search of the game counts λ
    /// times as much as the one before, and the result counts last. With 0 the label is the score
    /// of the position's own search.
    #[arg(long, default_value_t = 0.0, value_parser = share_below_one)]
    pub(crate) td_lambda: f64,
    /// The scale of the sigmoid function of the loss in centipawns: at this score 1 / (1 + 1/e) of
    /// a point is expected. The smaller it is, the more errors near equality count, and the less
    /// those of decided positions.
    #[arg(long, default_value_t = SCALE.into(), value_parser = positive)]
    pub(crate) sigmoid_scale: f64,
    /// The weight decay: the fraction of each weight that a step with learning rate 1 removes.
    #[arg(long, default_value_t = 0.01, value_parser = not_negative)]
    pub(crate) weight_decay: f64,
    /// The factoriser: the multiple of the learning rate with which the feature weights that all
    /// king buckets share are learned. With 0 there is none. (With one king bucket both rates
    /// mean nothing.)
    #[arg(long, default_value_t = 2.0, value_parser = not_negative)]
    pub(crate) shared_rate: f64,
    /// The multiple of the learning rate with which the difference of each king bucket from them is
    /// learned.
    #[arg(long, default_value_t = 0.3, value_parser = not_negative)]
    pub(crate) bucket_rate: f64,
    /// The seed of the initial weights and of the shuffles.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Multiply the scores of the finished network: eight factors with commas, one for each output
    /// bucket, that of the fewest pieces first.
    #[arg(long, value_name = "FACTORS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_factors: Option<OutputFactors>,
}

/// A factor for each output bucket.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct OutputFactors(pub(crate) [f64; OUTPUT_BUCKETS]);

impl FromStr for OutputFactors {
    type Err = String;

    fn from_str(text: &str) -> Result<OutputFactors, String> {
        let factors = text.split(',').map(positive).collect::<Result<Vec<f64>, _>>()?;
        let factors = factors.try_into().map(OutputFactors);
        factors.map_err(|_| format!("`{text}` is not {OUTPUT_BUCKETS} numbers with commas"))
    }
}

impl Default for TrainingPlan {
    /// The defaults of the arguments.
    fn default() -> TrainingPlan {
        TrainingPlan::parse_from([""])
    }
}

impl TrainingPlan {
    /// Returns the learning rate of a step, counted from 0, of so many.
    pub(crate) fn learning_rate(&self, step: f64, steps: f64) -> f64 {
        let warm_up = f64::from(self.warm_up_steps);
        if step < warm_up {
            return self.initial_learning_rate * (step + 1.0) / (warm_up + 1.0);
        }
        let progress = ((step - warm_up) / (steps - warm_up).max(1.0)).clamp(0.0, 1.0);
        let height = f64::midpoint(1.0, cosine_of_half_turns(progress));
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
    fn settings_are_within_their_ranges() {
        let is_valid = |argument: &str| TrainingPlan::try_parse_from(["", argument]).is_ok();
        for (name, valid, invalid) in [
            ("epochs", "1", "0"),
            ("batch-size", "1", "0"),
            ("initial-learning-rate", "0", "-0.1"),
            ("final-learning-rate", "0", "inf"),
            ("wdl-blend", "1", "2"),
            ("td-lambda", "0", "1"),
            ("sigmoid-scale", "1", "0"),
            ("weight-decay", "0", "-1"),
            ("shared-rate", "0", "nan"),
            ("bucket-rate", "0", "-1"),
            ("output-factors", "1,1,1,1,1,1,1,.5", "1,1,1,1,1,1,1,0"),
            ("output-factors", "2,2,2,2,2,2,2,2", "2"),
        ] {
            assert!(is_valid(&format!("--{name}={valid}")), "{name}");
            assert!(!is_valid(&format!("--{name}={invalid}")), "{name}");
        }
    }

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
            assert!((plan.learning_rate(f64::from(step), 100.0) - expected).abs() < 1e-9);
        }
        let plan = TrainingPlan { warm_up_steps: 2, ..plan };
        let rates = [0.0, 1.0, 2.0, 52.0, 102.0].map(|step| plan.learning_rate(step, 102.0));
        for (rate, expected) in rates.into_iter().zip([1.0, 2.0, 3.0, 2.0, 1.0]) {
            assert!((rate - expected).abs() < 1e-9, "{rates:?}");
        }
    }
}
