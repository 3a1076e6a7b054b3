//! Quantisation of the weights to the numbers of the engine, and its error.

use std::sync::Arc;

use koel_board::Position;
use koel_eval::network::training::{MAX_WEIGHT_PAIR, PRODUCT_UNIT, QA, RawWeights, SCALE};
use koel_eval::network::{AccumulatorStack, Network, NetworkError};
use serde::{Deserialize, Serialize};

use super::gradient::Predictor;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;

/// The finest unit of the weights of a neuron. A finer one gains nothing.
const MIN_UNIT: f64 = 1.0 / 1_024.0;

/// The difference in centipawns that a network for play should not exceed.
const OUTLIER: f64 = 20.0;

/// The largest quantised weight of the first hidden layer, a byte with a sign.
const MAX_HIDDEN1: f64 = 127.0;

/// The difference between the evaluations of the quantised network and those of its weights in
/// floating point.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct QuantisationError {
    /// The mean absolute difference in centipawns.
    pub(crate) mean: f64,
    /// The largest absolute difference in centipawns.
    pub(crate) max: f64,
    /// Positions with a difference above [`OUTLIER`].
    pub(crate) outliers: usize,
    /// The positions evaluated.
    pub(crate) positions: usize,
}

impl<const K: usize, const N: usize> TrainableNetwork<f32, K, N> {
    /// Quantises the weights of the feature transformer and the first hidden layer, each to the
    /// nearest. Each neuron of the latter has the finest unit, at least [`MIN_UNIT`], with which
    /// its largest weight fits and no two adjacent weights of one sign add up to more than
    /// [`MAX_WEIGHT_PAIR`].
    ///
    /// # Errors
    /// A position could make a sum overflow.
    pub(crate) fn quantised(&self) -> Result<Network<K, N>, NetworkError> {
        let layout = Self::LAYOUT;
        let list = |from: usize, to: usize| self.weights[from..to].to_vec();
        let features = |from: usize, to: usize| {
            let quantised = |&weight: &f32| (weight * f32::from(QA)).round() as i16;
            self.weights[from..to].iter().map(quantised).collect()
        };
        let rows = self.weights[layout.hidden1_weights..layout.hidden1_biases].chunks_exact(N);
        let units: Vec<f64> = rows.clone().map(quantisation_unit).collect();
        let hidden1_weights = rows.zip(&units).flat_map(|(row, unit)| {
            row.iter().map(move |&weight| (f64::from(weight) / unit).round() as i8)
        });
        Network::from_raw_weights(&RawWeights {
            feature_weights: features(0, layout.feature_biases),
            feature_biases: features(layout.feature_biases, layout.hidden1_weights),
            hidden1_weights: hidden1_weights.collect(),
            hidden1_units: units.iter().map(|unit| (unit * PRODUCT_UNIT) as f32).collect(),
            hidden1_biases: list(layout.hidden1_biases, layout.hidden2_weights),
            hidden2_weights: list(layout.hidden2_weights, layout.hidden2_biases),
            hidden2_biases: list(layout.hidden2_biases, layout.output_weights),
            output_weights: list(layout.output_weights, layout.output_biases),
            output_biases: list(layout.output_biases, layout.len),
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
        let mut predictor = Predictor::new(self);
        for sample in samples {
            let position = Position::from_fen(&sample.fen()).expect("samples are legal positions");
            accumulators.restart(&position);
            let exact = f64::from(predictor.predict(sample)) * f64::from(SCALE);
            let difference = (f64::from(accumulators.evaluate(&position).0) - exact).abs();
            sum += difference;
            max = max.max(difference);
            outliers += usize::from(difference > OUTLIER);
        }
        let positions = samples.len();
        QuantisationError { mean: sum / positions.max(1) as f64, max, outliers, positions }
    }
}

/// Returns the finest unit for these weights of a neuron of the first hidden layer: each fits into
/// a byte, and each pair into its bound, whichever way both are rounded.
fn quantisation_unit(weights: &[f32]) -> f64 {
    let max_pair = f64::from(MAX_WEIGHT_PAIR - 1);
    let pairs = weights.as_chunks::<2>().0.iter().map(|pair| pair.map(f64::from));
    let unit = |[one, other]: [f64; 2]| {
        let positive = one.max(0.0) + other.max(0.0);
        let negative = one.min(0.0) + other.min(0.0);
        (positive.max(-negative) / max_pair).max(one.abs().max(other.abs()) / MAX_HIDDEN1)
    };
    pairs.map(unit).fold(MIN_UNIT, f64::max)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use koel_eval::{BUILT_IN, Evaluation};
    use koel_random::Rng;

    use super::*;
    use crate::train::trainer::tests::{dataset, quick_model};

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
        let checkpoint = fs::read(nets.join(BUILT_IN).with_extension("checkpoint")).unwrap();
        let model = TrainableNetwork::<f32, 4, 512>::from_bytes(&checkpoint).unwrap();
        let Evaluation::Network(network) = Evaluation::default() else { unreachable!() };
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
                samples.push(TrainingPosition::new(&position, 0.5));
            }
        }
        let error = model.quantisation_error(&network, &samples);
        assert!(error.mean <= 3.0 && error.max <= OUTLIER, "{error:?}");
    }

    #[test]
    fn the_unit_is_the_finest_that_fits() {
        assert_eq!(quantisation_unit(&[0.25, -0.5]), 0.5 / 127.0);
        assert_eq!(quantisation_unit(&[0.25, 0.5]), 0.75 / 128.0);
        assert_eq!(quantisation_unit(&[0.25, 0.0, -0.5, -0.75]), 1.25 / 128.0);
        assert_eq!(quantisation_unit(&[-0.001, 0.0]), 1.0 / 1_024.0);
        for weight in [0.03, 0.1, 0.98999, 1.98] {
            let mut model = TrainableNetwork::<f32, 1, 64>::random(1);
            let layout = TrainableNetwork::<f32, 1, 64>::LAYOUT;
            // Another neuron's weights do not matter.
            model.weights[layout.hidden1_weights + 64] = 1.98;
            model.weights[layout.hidden1_weights..][..64].fill(weight);
            let weights = model.quantised().unwrap().to_raw_weights();
            let unit = f64::from(weights.hidden1_units[0]) / PRODUCT_UNIT;
            let quantised = f64::from(weights.hidden1_weights[0]) * unit;
            assert!((quantised - f64::from(weight)).abs() <= unit * 0.501, "{weight}: {quantised}");
            assert!(weights.hidden1_weights[0] == 64 || weight < 0.06, "{weight}");
        }
    }
}
