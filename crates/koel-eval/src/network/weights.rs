//! The quantised weights of a network, and its output layer.

use std::borrow::Cow;
use std::num::NonZero;

use super::features::FEATURES;
use super::row::AccumulatorRow;
use super::simd::InstructionSet;

/// The number of output buckets, chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// The quantisation factor of the feature transformer: a neuron of 1.0.
pub const QA: i16 = 255;

/// Centipawns of an output of 1.0: an expected score of 0.73 by the sigmoid of the trainer.
pub const SCALE: i32 = 400;

/// Returns the output bucket for a number of pieces, kings included.
#[inline(always)]
#[must_use]
pub fn output_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(2) / 4 % OUTPUT_BUCKETS
}

/// A network with `K` king buckets and `N` neurons for each perspective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const K: usize, const N: usize> {
    /// A row for each of `K` times [`FEATURES`] features, in units of 1/[`QA`].
    pub(super) feature_weights: Cow<'static, [AccumulatorRow<N>]>,
    /// The accumulator of an empty board, in the same units.
    pub(super) feature_biases: AccumulatorRow<N>,
    /// For each bucket the weights of the side to move and of the other, in units of 1/`qb`.
    pub(super) output_weights: Box<[[AccumulatorRow<N>; 2]; OUTPUT_BUCKETS]>,
    /// The bias of each bucket, in units of 1/([`QA`] `qb`).
    pub(super) output_biases: [i32; OUTPUT_BUCKETS],
    /// The quantisation factor of the output weights, chosen for each network so that they just
    /// fit.
    pub(super) qb: NonZero<u16>,
}

impl<const K: usize, const N: usize> Network<K, N> {
    /// Creates a network with all weights zero, which evaluates every position as 0.
    #[must_use]
    pub fn zero() -> Network<K, N> {
        Network {
            feature_weights: vec![AccumulatorRow::ZERO; K * FEATURES].into(),
            feature_biases: AccumulatorRow::ZERO,
            output_weights: Box::new([const { [AccumulatorRow::ZERO; 2] }; OUTPUT_BUCKETS]),
            output_biases: [0; OUTPUT_BUCKETS],
            qb: const { NonZero::new(64).expect("64 is not zero") },
        }
    }

    /// Replaces the feature weights on the heap by a static copy, if both are equal.
    ///
    /// All processes that run the program share the pages of a static. Two engines that take turns
    /// on a core then compete less for its cache: they play 2 % faster at 1,000 nodes a move.
    #[must_use]
    pub(crate) fn with_static_features(mut self, copy: &'static [AccumulatorRow<N>]) -> Self {
        if *self.feature_weights == *copy {
            self.feature_weights = Cow::Borrowed(copy);
        }
        self
    }

    /// Returns true if the feature weights are at this address.
    #[cfg(test)]
    pub(crate) fn has_features_at(&self, rows: &[AccumulatorRow<N>]) -> bool {
        std::ptr::eq(&raw const *self.feature_weights, rows)
    }

    /// Returns the weights of a feature, whose index is below `K` times [`FEATURES`].
    #[inline(always)]
    pub(super) fn feature_row(&self, feature: usize) -> &AccumulatorRow<N> {
        debug_assert!(feature < K * FEATURES, "no perspective has a feature {feature}");
        // The fallback keeps a panic out of the release build: this runs at every node.
        self.feature_weights.get(feature).unwrap_or(&self.feature_biases)
    }

    /// Returns the output in centipawns for the side to move, whose accumulator comes first.
    #[inline(always)]
    #[must_use]
    pub(super) fn output(
        &self,
        instructions: InstructionSet,
        accumulators: [&AccumulatorRow<N>; 2],
        pieces: usize,
    ) -> i32 {
        self.output_of_bucket(instructions, accumulators, output_bucket(pieces))
    }

    /// Returns the output of a bucket below [`OUTPUT_BUCKETS`], like [`output`](Self::output).
    #[inline(always)]
    pub(super) fn output_of_bucket(
        &self,
        instructions: InstructionSet,
        accumulators: [&AccumulatorRow<N>; 2],
        bucket: usize,
    ) -> i32 {
        let [ours, theirs] = &self.output_weights[bucket];
        let [ours, theirs] = [(accumulators[0], ours), (accumulators[1], theirs)]
            .map(|(row, weights)| instructions.screlu_dot(row, weights, QA));
        let sum = ours.wrapping_add(theirs);
        let output = sum / i32::from(QA) + self.output_biases[bucket];
        let divisor = i64::from(QA) * i64::from(self.qb.get());
        let centipawns = i64::from(output) * i64::from(SCALE) / divisor;
        // In range: the sum fits into 32 bits, the bias into 24.
        centipawns as i32
    }
}
