//! Quantisation of the weights to the integers of the engine, and its error.

use std::sync::Arc;

use koel_board::Position;
use koel_eval::network::{
    AccumulatorStack, Network, NetworkError, OUTPUT_BUCKETS, QA, RawWeights, SCALE,
};
use serde::{Deserialize, Serialize};

use super::gradient::predict;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;

/// The largest quantised output weight: times [`QA`] it must fit into 16 bits.
const MAX_OUTPUT: f64 = 127.0;

/// The largest unit of the output weights, beyond which a finer one gains nothing.
const MAX_QB: f64 = 1_024.0;

/// The difference between the evaluations of the quantised network and those of its weights in
/// floating point.
///
/// The aliases are the names in manifests of earlier versions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct QuantisationError {
    /// The mean absolute difference in centipawns.
    pub mean: f64,
    /// The largest absolute difference in centipawns.
    #[serde(alias = "most")]
    pub max: f64,
    /// Positions with a difference above [`OUTLIER`](QuantisationError::OUTLIER).
    #[serde(default, alias = "far")]
    pub outliers: usize,
    /// The positions evaluated.
    pub positions: usize,
}

impl QuantisationError {
    /// The difference in centipawns that a network for play should not exceed.
    pub const OUTLIER: f64 = 20.0;
}

impl<const K: usize, const N: usize> TrainableNetwork<f32, K, N> {
    /// Quantises the weights. The unit of the output weights is the finest with which the largest
    /// weight and the sums of all weights fit.
    ///
    /// # Errors
    /// A position could make a sum overflow.
    pub(crate) fn quantised(&self) -> Result<Network<K, N>, NetworkError> {
        let layout = Self::LAYOUT;
        let outputs = &self.weights[layout.output_weights..layout.output_biases];
        let qb = output_unit(outputs, N);
        let rounded = |weights: &[f32], unit: f64| -> Vec<i16> {
            weights.iter().map(|&weight| (f64::from(weight) * unit).round() as i16).collect()
        };
        let qa = f64::from(QA);
        let biases = &self.weights[layout.output_biases..];
        let biases = biases.iter().map(|&bias| f64::from(bias) * qa * qb);
        Network::from_raw_weights(&RawWeights {
            feature_weights: rounded(&self.weights[..layout.feature_biases], qa),
            feature_biases: rounded(
                &self.weights[layout.feature_biases..layout.output_weights],
                qa,
            ),
            output_weights: rounded(outputs, qb),
            output_biases: biases.map(|bias| bias.round() as i32).collect(),
            qb: qb as i32,
        })
    }

    /// Compares the quantised network with this one on samples.
    ///
    /// # Panics
    /// A sample is not a legal position; samples of games are legal.
    #[must_use]
    pub(crate) fn quantisation_error(
        &self,
        network: &Arc<Network<K, N>>,
        samples: &[TrainingPosition],
    ) -> QuantisationError {
        let mut accumulators = AccumulatorStack::new(Arc::clone(network), &Position::start());
        let (mut sum, mut max, mut outliers) = (0.0, 0.0_f64, 0);
        for sample in samples {
            let position = Position::from_fen(&sample.fen()).expect("samples are legal positions");
            accumulators.restart(&position);
            let exact = f64::from(predict(self, sample)) * f64::from(SCALE);
            let difference = (f64::from(accumulators.evaluate(&position).0) - exact).abs();
            sum += difference;
            max = max.max(difference);
            outliers += usize::from(difference > QuantisationError::OUTLIER);
        }
        let positions = samples.len();
        QuantisationError { mean: sum / positions.max(1) as f64, max, outliers, positions }
    }
}

/// Returns the finest unit for these output weights.
fn output_unit(outputs: &[f32], neurons: usize) -> f64 {
    let largest = outputs.iter().fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
    let sum_of = |sign: f32, bucket: &[f32]| -> f64 {
        bucket.iter().map(|&weight| f64::from((sign * weight).max(0.0))).sum()
    };
    let buckets = outputs.chunks_exact(2 * neurons);
    debug_assert_eq!(buckets.len(), OUTPUT_BUCKETS);
    let sum =
        buckets.map(|bucket| sum_of(1.0, bucket).max(sum_of(-1.0, bucket))).fold(0.0, f64::max);
    let max_sum = f64::from(i32::MAX) / f64::from(QA).powi(2);
    // Rounding can add half a unit for each weight of both sides.
    let by_sum = (max_sum - neurons as f64) / sum.max(1e-9);
    (MAX_OUTPUT / f64::from(largest).max(1e-9)).min(by_sum).min(MAX_QB).floor()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use koel_eval::BUILT_IN;
    use koel_random::Rng;

    use super::*;
    use crate::train::trainer::tests::{dataset, quick_model};
    use crate::training_game::GameResult;

    #[test]
    fn the_quantised_network_is_close_to_the_trained_one() {
        let model = quick_model();
        let network = Arc::new(model.quantised().unwrap());
        let error = model.quantisation_error(&network, &dataset().validation);
        assert!(error.positions > 100);
        // A small network has large weights; networks for play are limited to 3 in their manifests.
        assert!(error.mean <= 5.0 && error.max <= 20.0, "{error:?}");
        // The file represents the same network.
        let read = Network::<1, 64>::from_bytes(&network.to_bytes()).unwrap();
        assert_eq!(read, *network);
    }

    /// Compares the built-in network with its checkpoint, over positions of random games.
    #[test]
    fn the_built_in_network_is_close_to_its_checkpoint() {
        let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
        let file = |ending| fs::read(nets.join(BUILT_IN).with_extension(ending)).unwrap();
        let model = TrainableNetwork::<f32, 4, 512>::from_bytes(&file("checkpoint")).unwrap();
        let network = Arc::new(Network::from_bytes(&file("koelnet")).unwrap());
        let mut rng = Rng::new(1);
        let mut samples = Vec::new();
        while samples.len() < 20_000 {
            let mut position = Position::start();
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.below(moves.len())]);
                samples.push(TrainingPosition::new(&position, 0, GameResult::Draw));
            }
        }
        let error = model.quantisation_error(&network, &samples);
        assert!(error.mean <= 3.0 && error.max <= QuantisationError::OUTLIER, "{error:?}");
    }

    #[test]
    fn the_unit_is_the_finest_that_fits() {
        let outputs = |weight: f32| vec![weight; OUTPUT_BUCKETS * 2 * 32];
        assert_eq!(output_unit(&outputs(0.5), 32), 254.0);
        assert_eq!(output_unit(&outputs(1e-3), 32), 1_024.0);
        for weight in [0.1, 0.5, 1.98] {
            let mut model = TrainableNetwork::<f32, 1, 512>::random(1);
            let layout = TrainableNetwork::<f32, 1, 512>::LAYOUT;
            model.weights[layout.output_weights..layout.output_biases].fill(weight);
            assert!(model.quantised().is_ok(), "{weight}");
        }
    }
}
