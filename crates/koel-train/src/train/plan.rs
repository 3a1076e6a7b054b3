//! How a training goes: what decides its outcome besides the data.

use serde::{Deserialize, Serialize};

/// All that decides the weights, given the samples and the weights to start from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How often all samples are gone through.
    pub epochs: u32,
    /// Samples for each step.
    pub batch: usize,
    /// Samples that stay together in every epoch, in the order of their games: one differs from the
    /// next by a move or two, and only the difference is computed, which halves the time. With 16
    /// the loss on what is held out is one in a hundred higher than with 1 after as many epochs.
    #[serde(default = "alone")]
    pub run: usize,
    /// The step size at the beginning; it falls along half a cosine.
    pub first_rate: f64,
    /// The step size at the end.
    pub last_rate: f64,
    /// The weight of a game's result beside its searches' scores, from 0 to 1.
    pub lambda: f64,
    /// How much the searches later in the game say about a position beside its own: each counts so
    /// many times as much as the one before it; 0 for not at all, less than 1.
    #[serde(default)]
    pub foresight: f64,
    /// The share of each weight that is lost with a step of size 1.
    pub decay: f64,
    /// Decides the first weights and the order of the samples.
    pub seed: u64,
}

/// How it was before there were runs.
fn alone() -> usize {
    1
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            epochs: 10,
            batch: 16_384,
            run: 16,
            first_rate: 1e-3,
            last_rate: 1e-5,
            lambda: 0.0,
            foresight: 0.0,
            decay: 0.01,
            seed: 1,
        }
    }
}

impl Plan {
    /// The step size when a share of all steps is done.
    #[must_use]
    pub fn rate(&self, done: f64) -> f64 {
        let height = f64::midpoint(1.0, cosine_of_turns(done.clamp(0.0, 1.0)));
        self.last_rate + (self.first_rate - self.last_rate) * height
    }
}

/// The cosine of so many half turns, from 0 to 1, as a series: that of the library differs between
/// machines.
fn cosine_of_turns(half_turns: f64) -> f64 {
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
    fn the_rate_falls_along_a_cosine() {
        let plan = Plan { first_rate: 3.0, last_rate: 1.0, ..Plan::default() };
        for step in 0..=100 {
            let done = f64::from(step) / 100.0;
            let expected = 2.0 + (done * std::f64::consts::PI).cos();
            assert!((plan.rate(done) - expected).abs() < 1e-9);
        }
    }
}
