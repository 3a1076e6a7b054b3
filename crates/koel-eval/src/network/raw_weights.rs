//! The weights of a network as plain lists, and the check that no sum of them can overflow.

use super::error::NetworkError;
use super::features::FEATURES;
use super::hidden_layers::{GROUP, HIDDEN1, HIDDEN2, HiddenLayers, MAX_WEIGHT_PAIR};
use super::row::AccumulatorRow;
use super::shape::Shape;
use super::weights::{Network, OUTPUT_BUCKETS};

/// The weights of a network in the order of its file, not yet validated.
#[derive(Clone, PartialEq, Debug)]
pub struct RawWeights {
    /// For each feature the weights to all neurons, in units of 1/[`QA`](super::row::QA).
    pub feature_weights: Vec<i16>,
    /// The bias of each neuron, in the same units.
    pub feature_biases: Vec<i16>,
    /// For each output bucket and neuron of the first hidden layer the weights of the products of
    /// the side to move, then of those of the other, in a unit of its own. Two adjacent ones are
    /// within [`MAX_WEIGHT_PAIR`](super::hidden_layers::MAX_WEIGHT_PAIR).
    pub hidden1_weights: Vec<i8>,
    /// For each output bucket and neuron of the first hidden layer that unit times the unit of
    /// products, [`PRODUCT_UNIT`](super::hidden_layers::PRODUCT_UNIT).
    pub hidden1_units: Vec<f32>,
    /// For each output bucket the biases of the first hidden layer.
    pub hidden1_biases: Vec<f32>,
    /// For each output bucket and neuron of the first hidden layer the weights to the second.
    pub hidden2_weights: Vec<f32>,
    /// For each output bucket the biases of the second hidden layer.
    pub hidden2_biases: Vec<f32>,
    /// For each output bucket the output weights.
    pub output_weights: Vec<f32>,
    /// The bias of each output bucket.
    pub output_biases: Vec<f32>,
}

/// The maximum number of pieces in a position.
const MAX_PIECES: usize = 32;

/// The largest weight in floating point. The output is at most 33 of them times
/// [`SCALE`](super::weights::SCALE), and the difference of two outputs fits into 32 bits.
const MAX_FLOAT: f32 = 65_536.0;

impl<const K: usize, const N: usize> Network<K, N> {
    /// Creates a network of these weights.
    ///
    /// # Errors
    /// There are too many or too few of them, one is not a number or too large, or a sum could
    /// overflow in some position.
    pub fn from_raw_weights(weights: &RawWeights) -> Result<Network<K, N>, NetworkError> {
        let shape = Shape::of::<K, N>();
        let counts = [
            (weights.feature_weights.len(), K * FEATURES * N),
            (weights.feature_biases.len(), N),
            (weights.hidden1_weights.len(), OUTPUT_BUCKETS * HIDDEN1 * N),
            (weights.hidden1_units.len(), OUTPUT_BUCKETS * HIDDEN1),
            (weights.hidden1_biases.len(), OUTPUT_BUCKETS * HIDDEN1),
            (weights.hidden2_weights.len(), OUTPUT_BUCKETS * HIDDEN1 * HIDDEN2),
            (weights.hidden2_biases.len(), OUTPUT_BUCKETS * HIDDEN2),
            (weights.output_weights.len(), OUTPUT_BUCKETS * HIDDEN2),
            (weights.output_biases.len(), OUTPUT_BUCKETS),
        ];
        if counts.iter().any(|(found, expected)| found != expected) {
            return Err(NetworkError::Counts(shape));
        }
        weights.check_overflow(N)?;
        let mut network = Network::zero();
        let rows = network.feature_weights.to_mut().iter_mut();
        for (row, values) in rows.zip(weights.feature_weights.chunks_exact(N)) {
            row.0.copy_from_slice(values);
        }
        network.feature_biases.0.copy_from_slice(&weights.feature_biases);
        for (bucket, layers) in network.layers.iter_mut().enumerate() {
            layers.set(weights, bucket);
        }
        Ok(network)
    }

    /// Returns the weights of the network as plain lists.
    #[must_use]
    pub fn to_raw_weights(&self) -> RawWeights {
        let flat = |rows: &[AccumulatorRow<N>]| rows.iter().flat_map(|row| row.0).collect();
        let hidden1 = self.layers.iter().flat_map(|layers| {
            (0..HIDDEN1 * N).map(|at| {
                let (neuron, product) = (at / N, at % N);
                layers.hidden1_weights[product / GROUP].0[neuron * GROUP + product % GROUP]
            })
        });
        let layers = || self.layers.iter();
        RawWeights {
            feature_weights: flat(&self.feature_weights),
            feature_biases: self.feature_biases.0.to_vec(),
            hidden1_weights: hidden1.collect(),
            hidden1_units: layers().flat_map(|layers| layers.hidden1_units).collect(),
            hidden1_biases: layers().flat_map(|layers| layers.hidden1_biases).collect(),
            hidden2_weights: layers().flat_map(|layers| layers.hidden2_weights).flatten().collect(),
            hidden2_biases: layers().flat_map(|layers| layers.hidden2_biases).collect(),
            output_weights: layers().flat_map(|layers| layers.output_weights).collect(),
            output_biases: layers().map(|layers| layers.output_bias).collect(),
        }
    }
}

impl<const N: usize> HiddenLayers<N> {
    /// Sets the weights to those of a bucket, whose counts are valid.
    fn set(&mut self, weights: &RawWeights, bucket: usize) {
        fn of_bucket<T>(list: &[T], bucket: usize) -> &[T] {
            let len = list.len() / OUTPUT_BUCKETS;
            &list[bucket * len..][..len]
        }
        let rows = of_bucket(&weights.hidden1_weights, bucket).chunks_exact(N);
        for (neuron, row) in rows.enumerate() {
            for (group, values) in self.hidden1_weights.iter_mut().zip(row.chunks_exact(GROUP)) {
                group.0[neuron * GROUP..][..GROUP].copy_from_slice(values);
            }
        }
        self.hidden1_units.copy_from_slice(of_bucket(&weights.hidden1_units, bucket));
        self.hidden1_biases.copy_from_slice(of_bucket(&weights.hidden1_biases, bucket));
        let hidden2 = self.hidden2_weights.as_flattened_mut();
        hidden2.copy_from_slice(of_bucket(&weights.hidden2_weights, bucket));
        self.hidden2_biases.copy_from_slice(of_bucket(&weights.hidden2_biases, bucket));
        self.output_weights.copy_from_slice(of_bucket(&weights.output_weights, bucket));
        self.output_bias = weights.output_biases[bucket];
    }
}

impl RawWeights {
    /// The weights in floating point, in the order of the file.
    pub(super) fn floats(&self) -> impl Iterator<Item = &f32> {
        let hidden1 = self.hidden1_units.iter().chain(&self.hidden1_biases);
        let hidden2 = self.hidden2_weights.iter().chain(&self.hidden2_biases);
        hidden1.chain(hidden2).chain(&self.output_weights).chain(&self.output_biases)
    }

    /// Bounds all sums that a position could produce.
    fn check_overflow(&self, neurons: usize) -> Result<(), NetworkError> {
        // False for what is not a number.
        let is_bounded = |weight: &f32| weight.abs() <= MAX_FLOAT;
        if !self.floats().all(is_bounded) {
            return Err(NetworkError::Overflow("a weight behind the feature transformer"));
        }
        if !self.hidden1_weights.as_chunks().0.iter().all(is_bounded_pair) {
            return Err(NetworkError::Overflow("two weights of the first hidden layer"));
        }
        if (0..neurons).any(|neuron| self.max_activation(neuron, neurons) > i64::from(i16::MAX)) {
            return Err(NetworkError::Overflow("the features of a neuron"));
        }
        Ok(())
    }

    /// Returns a bound on the absolute value of a neuron in any position.
    fn max_activation(&self, neuron: usize, neurons: usize) -> i64 {
        // All features of a perspective belong to one king bucket.
        let max = self.feature_weights.chunks_exact(FEATURES * neurons).map(|bucket| {
            let column = bucket.iter().skip(neuron).step_by(neurons);
            let mut weights: Vec<i64> = column.map(|&weight| i64::from(weight).abs()).collect();
            let first = weights.len().saturating_sub(MAX_PIECES);
            weights.select_nth_unstable(first);
            weights[first..].iter().sum::<i64>()
        });
        i64::from(self.feature_biases[neuron]).abs() + max.max().unwrap_or(0)
    }
}

/// Returns true if two weights of a neuron are within [`MAX_WEIGHT_PAIR`].
fn is_bounded_pair(pair: &[i8; 2]) -> bool {
    let sum_of = |part: fn(i16, i16) -> i16| -> i16 {
        pair.iter().map(|&weight| part(i16::from(weight), 0)).sum()
    };
    sum_of(i16::max) <= MAX_WEIGHT_PAIR && sum_of(i16::min) >= -MAX_WEIGHT_PAIR
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_weights;
    use super::*;

    #[test]
    fn weights_are_preserved() {
        let weights = random_weights::<4, 64>(1);
        assert_eq!(Network::<4, 64>::from_raw_weights(&weights).unwrap().to_raw_weights(), weights);
        let error = Network::<1, 64>::from_raw_weights(&weights);
        assert!(matches!(error, Err(NetworkError::Counts(_))));
    }

    #[test]
    fn possible_overflow_is_rejected() {
        let is_rejected = |change: fn(&mut RawWeights)| {
            let mut weights = random_weights::<1, 64>(1);
            change(&mut weights);
            let result = Network::<1, 64>::from_raw_weights(&weights);
            matches!(result, Err(NetworkError::Overflow(_)))
        };
        assert!(!is_rejected(|_| ()));
        assert!(is_rejected(|weights| weights.hidden1_units[7] = f32::NAN));
        assert!(is_rejected(|weights| weights.hidden1_biases[7] = f32::NAN));
        assert!(is_rejected(|weights| weights.hidden2_weights[7] = f32::INFINITY));
        assert!(is_rejected(|weights| weights.hidden2_biases[7] = -65_537.0));
        assert!(is_rejected(|weights| weights.output_weights[7] = 1e30));
        assert!(is_rejected(|weights| weights.output_biases[7] = 65_537.0));
        assert!(is_rejected(|weights| weights.feature_biases[3] = i16::MIN));
        assert!(is_rejected(|weights| weights.hidden1_weights[6..8].copy_from_slice(&[100, 30])));
        assert!(!is_rejected(|weights| weights.hidden1_weights[6..8].copy_from_slice(&[100, 29])));
        assert!(is_rejected(|weights| weights.hidden1_weights[6..8].copy_from_slice(&[-128, -2])));
        assert!(
            !is_rejected(|weights| weights.hidden1_weights[6..8].copy_from_slice(&[-128, 127]))
        );
    }

    #[test]
    fn the_largest_weights_give_an_output_in_range() {
        let mut weights = random_weights::<1, 64>(1);
        weights.hidden1_weights.fill(i8::MAX / 2);
        let RawWeights { hidden1_units, hidden1_biases, hidden2_weights, .. } = &mut weights;
        for list in [hidden1_units, hidden1_biases, hidden2_weights] {
            list.fill(MAX_FLOAT);
        }
        for sign in [-1, 1] {
            for list in [&mut weights.output_weights, &mut weights.output_biases] {
                list.fill(MAX_FLOAT * sign as f32);
            }
            let network = Network::<1, 64>::from_raw_weights(&weights).unwrap();
            let eval = network.evaluate(&koel_board::Position::start()).0;
            assert_eq!(eval, sign * 33 * 65_536 * 400);
        }
    }

    #[test]
    fn a_neuron_may_just_reach_the_limit() {
        let is_accepted = |last: i16| {
            let mut weights = random_weights::<1, 64>(1);
            weights.feature_biases[5] = 1_000;
            let column = weights.feature_weights.iter_mut().skip(5).step_by(64);
            let values = std::iter::repeat_n(1_000, 31).chain([last]).chain(std::iter::repeat(0));
            column.zip(values).for_each(|(weight, value)| *weight = value);
            Network::<1, 64>::from_raw_weights(&weights).is_ok()
        };
        assert!(is_accepted(767) && !is_accepted(768));
    }
}
