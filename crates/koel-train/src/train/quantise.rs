//! From floating point to the integers that play, and what is lost on the way.

use std::sync::Arc;

use koel_board::Position;
use koel_eval::network::{
    AccumulatorStack, Network, NetworkError, OUTPUT_BUCKETS, QA, RawWeights, SCALE,
};

use serde::{Deserialize, Serialize};

use super::gradient::said;
use super::model::Model;
use super::sample::Sample;

/// The largest output weight in integers: times [`QA`] it must fit into 16 bits.
const MOST_OUTPUT: f64 = 127.0;

/// Beyond this a finer scale gains nothing.
const MOST_QB: f64 = 1_024.0;

/// How far the integers are from the numbers they stand for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuantisationError {
    /// The mean distance in centipawns.
    pub mean: f64,
    /// The largest.
    pub most: f64,
    /// How many positions are off by more than [`FAR`](QuantisationError::FAR).
    #[serde(default)]
    pub far: usize,
    /// Over so many positions.
    pub positions: usize,
}

impl QuantisationError {
    /// Centipawns that a network to play with should not be off by.
    pub const FAR: f64 = 20.0;
}

impl<const K: usize, const N: usize> Model<f32, K, N> {
    /// The model in integers. The output scale is the finest with which the largest weight and the
    /// sums of all weights fit: most of what is lost is lost in the outputs.
    ///
    /// # Errors
    /// Some position could make a sum overflow all the same.
    pub fn quantised(&self) -> Result<Network<K, N>, NetworkError> {
        let layout = Self::LAYOUT;
        let outputs = &self.numbers[layout.outputs..layout.constants];
        let qb = output_scale(outputs, N);
        let rounded = |numbers: &[f32], unit: f64| -> Vec<i16> {
            numbers.iter().map(|&number| (f64::from(number) * unit).round() as i16).collect()
        };
        let qa = f64::from(QA);
        let constants = &self.numbers[layout.constants..];
        let constants = constants.iter().map(|&number| f64::from(number) * qa * qb);
        Network::from_raw_weights(&RawWeights {
            feature_weights: rounded(&self.numbers[..layout.start], qa),
            feature_biases: rounded(&self.numbers[layout.start..layout.outputs], qa),
            output_weights: rounded(outputs, qb),
            output_biases: constants.map(|number| number.round() as i32).collect(),
            qb: qb as i32,
        })
    }

    /// Holds a quantised network against this model.
    ///
    /// # Panics
    /// A sample is no legal position: those that were read from games are.
    #[must_use]
    pub fn error_of(&self, network: &Arc<Network<K, N>>, samples: &[Sample]) -> QuantisationError {
        let mut accumulators = AccumulatorStack::new(Arc::clone(network), &Position::start());
        let (mut sum, mut most, mut far) = (0.0, 0.0_f64, 0);
        for sample in samples {
            let position = Position::from_fen(&sample.fen()).expect("samples are legal positions");
            accumulators.restart(&position);
            let exact = f64::from(said(self, sample)) * f64::from(SCALE);
            let distance = (f64::from(accumulators.evaluate(&position).0) - exact).abs();
            sum += distance;
            most = most.max(distance);
            far += usize::from(distance > QuantisationError::FAR);
        }
        let positions = samples.len();
        QuantisationError { mean: sum / positions.max(1) as f64, most, far, positions }
    }
}

/// The largest unit for these output weights.
fn output_scale(outputs: &[f32], neurons: usize) -> f64 {
    let largest = outputs.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
    let sum_of = |sign: f32, bucket: &[f32]| -> f64 {
        bucket.iter().map(|&weight| f64::from((sign * weight).max(0.0))).sum()
    };
    let buckets = outputs.chunks_exact(2 * neurons);
    debug_assert_eq!(buckets.len(), OUTPUT_BUCKETS);
    let sum =
        buckets.map(|bucket| sum_of(1.0, bucket).max(sum_of(-1.0, bucket))).fold(0.0, f64::max);
    let most_sum = f64::from(i32::MAX) / f64::from(QA).powi(2);
    // Rounding can add half a unit for each weight.
    let by_sum = (most_sum - neurons as f64) / sum.max(1e-9);
    (MOST_OUTPUT / f64::from(largest).max(1e-9)).min(by_sum).min(MOST_QB).floor()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use koel_eval::BUILT_IN;
    use koel_random::Rng;

    use super::*;
    use crate::record::Winner;
    use crate::train::learner::tests::{dataset, quick_model};

    #[test]
    fn the_integers_say_what_the_numbers_say() {
        let model = quick_model();
        let network = Arc::new(model.quantised().unwrap());
        let error = model.error_of(&network, &dataset().held_out);
        assert!(error.positions > 100);
        // So few neurons have large weights; networks to play with are held to 3 in their manifests.
        assert!(error.mean <= 5.0 && error.most <= 20.0, "{error:?}");
        // The whole way, through the file.
        let read = Network::<1, 64>::from_bytes(&network.to_bytes()).unwrap();
        assert_eq!(read, *network);
    }

    /// The network that is built in and what it was trained as, over positions of games by chance.
    #[test]
    fn the_network_that_plays_is_close_to_what_was_trained() {
        let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
        let file = |ending| fs::read(nets.join(BUILT_IN).with_extension(ending)).unwrap();
        let model = Model::<f32, 4, 256>::from_bytes(&file("checkpoint")).unwrap();
        let network = Arc::new(Network::from_bytes(&file("koelnet")).unwrap());
        let mut seed = Rng::new(1);
        let mut samples = Vec::new();
        while samples.len() < 20_000 {
            let mut position = Position::start();
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[seed.below(moves.len())]);
                samples.push(Sample::new(&position, 0, Winner::Nobody));
            }
        }
        let error = model.error_of(&network, &samples);
        assert!(error.mean <= 3.0 && error.most <= QuantisationError::FAR, "{error:?}");
    }

    #[test]
    fn the_scale_is_the_finest_that_fits() {
        let outputs = |weight: f32| vec![weight; OUTPUT_BUCKETS * 2 * 32];
        assert_eq!(output_scale(&outputs(0.5), 32), 254.0);
        assert_eq!(output_scale(&outputs(1e-3), 32), 1_024.0);
        for weight in [0.1, 0.5, 1.98] {
            let mut model = Model::<f32, 1, 512>::random(1);
            let layout = Model::<f32, 1, 512>::LAYOUT;
            model.numbers[layout.outputs..layout.constants].fill(weight);
            assert!(model.quantised().is_ok(), "{weight}");
        }
    }
}
