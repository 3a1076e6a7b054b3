//! The loss of a sample: the squared difference of two expected scores, that of the network and
//! that of the label.

use koel_eval::network::training::SCALE;

use super::real::Real;

/// The scale of the sigmoid function of the loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Loss<F> {
    /// The factor of a score, in units of [`SCALE`] centipawns, before the sigmoid function.
    steepness: F,
}

impl<F: Real> Loss<F> {
    /// A loss with a scale in centipawns: see
    /// [`TrainingPlan::sigmoid_scale`](super::plan::TrainingPlan::sigmoid_scale).
    pub(super) fn new(sigmoid_scale: f64) -> Loss<F> {
        Loss { steepness: F::from_f64(f64::from(SCALE) / sigmoid_scale) }
    }

    /// The expected score, from 0 to 1, at a score in units of [`SCALE`] centipawns.
    #[inline(always)]
    pub(super) fn expected_score(self, score: F) -> F {
        (self.steepness * score).sigmoid()
    }

    /// The derivative of the loss with respect to the score that was predicted.
    #[inline(always)]
    pub(super) fn slope(self, prediction: F, error: F) -> F {
        F::from_f64(2.0) * error * prediction * (F::from_f64(1.0) - prediction) * self.steepness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_score_of_one_unit() {
        let scale = f64::from(SCALE);
        let usual = Loss::<f64>::new(scale);
        let steep = Loss::<f64>::new(scale / 2.5);
        assert!((usual.expected_score(2.5) - steep.expected_score(1.0)).abs() < 1e-12);
        assert!((steep.expected_score(0.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let step = 1e-6;
        let loss = Loss::<f64>::new(160.0);
        for (score, label) in [(0.3, 0.9), (-1.2, 0.1), (0.0, 0.2)] {
            let value = |score| (loss.expected_score(score) - label).powi(2);
            let expected = (value(score + step) - value(score - step)) / (2.0 * step);
            let prediction = loss.expected_score(score);
            let error = prediction - label;
            assert!((loss.slope(prediction, error) - expected).abs() < 1e-8);
        }
    }
}
