//! The weights of a network as plain lists, and the check that no sum of them can overflow.

use std::num::NonZero;

use super::error::NetworkError;
use super::features::FEATURES;
use super::row::AccumulatorRow;
use super::shape::Shape;
use super::weights::{Network, OUTPUT_BUCKETS, QA};

/// The weights of a network in the order of its file, not yet validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawWeights {
    /// For each feature the weights to all neurons, in units of 1/[`QA`].
    pub feature_weights: Vec<i16>,
    /// The bias of each neuron, in the same units.
    pub feature_biases: Vec<i16>,
    /// For each output bucket the weights of the side to move, then those of the other, in units
    /// of 1/`qb`.
    pub output_weights: Vec<i16>,
    /// The bias of each output bucket, in units of 1/([`QA`] `qb`).
    pub output_biases: Vec<i32>,
    /// The quantisation factor of the output weights: a weight of 1.0.
    pub qb: i32,
}

/// The maximum number of pieces in a position.
const MAX_PIECES: usize = 32;

/// The maximum output bias: a larger one could take the output out of range.
const MAX_OUTPUT_BIAS: i32 = 1 << 24;

impl<const K: usize, const N: usize> Network<K, N> {
    /// Creates a network of these weights.
    ///
    /// # Errors
    /// There are too many or too few of them, or a sum could overflow in some position.
    pub fn from_raw_weights(weights: &RawWeights) -> Result<Network<K, N>, NetworkError> {
        let shape = Shape::of::<K, N>();
        let counts = [
            (weights.feature_weights.len(), K * FEATURES * N),
            (weights.feature_biases.len(), N),
            (weights.output_weights.len(), OUTPUT_BUCKETS * 2 * N),
            (weights.output_biases.len(), OUTPUT_BUCKETS),
        ];
        if counts.iter().any(|(found, expected)| found != expected) {
            return Err(NetworkError::Counts(shape));
        }
        let qb = weights.check_overflow(N)?;
        let mut network = Network::zero();
        let rows = network.feature_weights.to_mut().iter_mut();
        for (row, values) in rows.zip(weights.feature_weights.chunks_exact(N)) {
            row.0.copy_from_slice(values);
        }
        network.feature_biases.0.copy_from_slice(&weights.feature_biases);
        let rows = network.output_weights.iter_mut().flatten();
        for (row, values) in rows.zip(weights.output_weights.chunks_exact(N)) {
            row.0.copy_from_slice(values);
        }
        network.output_biases.copy_from_slice(&weights.output_biases);
        network.qb = qb;
        Ok(network)
    }

    /// Returns the weights of the network as plain lists.
    #[must_use]
    pub fn to_raw_weights(&self) -> RawWeights {
        let flat = |rows: &[AccumulatorRow<N>]| rows.iter().flat_map(|row| row.0).collect();
        RawWeights {
            feature_weights: flat(&self.feature_weights),
            feature_biases: self.feature_biases.0.to_vec(),
            output_weights: self.output_weights.iter().flatten().flat_map(|row| row.0).collect(),
            output_biases: self.output_biases.to_vec(),
            qb: i32::from(self.qb.get()),
        }
    }
}

impl RawWeights {
    /// Bounds all sums that a position could produce, and returns the factor of the output weights.
    fn check_overflow(&self, neurons: usize) -> Result<NonZero<u16>, NetworkError> {
        let qb = u16::try_from(self.qb).ok().and_then(NonZero::new);
        let qb = qb.filter(|qb| qb.get() <= i16::MAX as u16);
        let qb = qb.ok_or(NetworkError::Overflow("the quantisation factor of the outputs"))?;
        let largest = i32::from(i16::MAX) / i32::from(QA);
        if self.output_weights.iter().any(|&weight| i32::from(weight).abs() > largest) {
            return Err(NetworkError::Overflow("an output weight"));
        }
        // Partial sums may wrap, the final one must not. Terms of one sign bound it.
        let max = i64::from(i32::MAX) / i64::from(QA).pow(2);
        for bucket in self.output_weights.chunks_exact(2 * neurons) {
            let sum = |sign: i64| -> i64 {
                bucket.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum()
            };
            if sum(1).max(sum(-1)) > max {
                return Err(NetworkError::Overflow("the output weights of a bucket"));
            }
        }
        if self.output_biases.iter().any(|bias| bias.unsigned_abs() > MAX_OUTPUT_BIAS as u32) {
            return Err(NetworkError::Overflow("an output bias"));
        }
        if (0..neurons).any(|neuron| self.max_activation(neuron, neurons) > i64::from(i16::MAX)) {
            return Err(NetworkError::Overflow("the features of a neuron"));
        }
        Ok(qb)
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

#[cfg(test)]
mod tests {
    use super::super::testing::random_weights;
    use super::*;

    #[test]
    fn weights_are_preserved() {
        let weights = random_weights::<4, 32>(1);
        assert_eq!(Network::<4, 32>::from_raw_weights(&weights).unwrap().to_raw_weights(), weights);
        let error = Network::<1, 32>::from_raw_weights(&weights);
        assert!(matches!(error, Err(NetworkError::Counts(_))));
    }

    #[test]
    fn possible_overflow_is_rejected() {
        let is_rejected = |change: fn(&mut RawWeights)| {
            let mut weights = random_weights::<1, 32>(1);
            change(&mut weights);
            let result = Network::<1, 32>::from_raw_weights(&weights);
            matches!(result, Err(NetworkError::Overflow(_)))
        };
        assert!(!is_rejected(|_| ()));
        assert!(is_rejected(|weights| weights.qb = 0));
        assert!(is_rejected(|weights| weights.output_weights[7] = 129));
        assert!(is_rejected(|weights| weights.output_weights[7] = i16::MIN));
        assert!(is_rejected(|weights| weights.output_biases[7] = i32::MIN));
        assert!(is_rejected(|weights| weights.feature_biases[3] = i16::MIN));
    }

    #[test]
    fn a_neuron_may_just_reach_the_limit() {
        let is_accepted = |last: i16| {
            let mut weights = random_weights::<1, 32>(1);
            weights.feature_biases[5] = 1_000;
            let column = weights.feature_weights.iter_mut().skip(5).step_by(32);
            let values = std::iter::repeat_n(1_000, 31).chain([last]).chain(std::iter::repeat(0));
            column.zip(values).for_each(|(weight, value)| *weight = value);
            Network::<1, 32>::from_raw_weights(&weights).is_ok()
        };
        assert!(is_accepted(767) && !is_accepted(768));
    }

    #[test]
    fn large_sums_of_output_weights_are_rejected() {
        let is_accepted = |weight| {
            let mut weights = Network::<1, 512>::zero().to_raw_weights();
            weights.output_weights[..1024].fill(weight);
            Network::<1, 512>::from_raw_weights(&weights).is_ok()
        };
        assert!(is_accepted(32) && is_accepted(-32) && !is_accepted(33) && !is_accepted(-33));
    }
}
