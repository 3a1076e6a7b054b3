//! The quantised weights of a network.

use std::borrow::Cow;

use super::features::FEATURES;
use super::hidden_layers::{HiddenLayers, Products};
use super::row::AccumulatorRow;
use super::simd::InstructionSet;

/// The number of output buckets, chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// Centipawns of an output of 1.0: an expected score of 0.73 by the sigmoid of the trainer.
pub const SCALE: i32 = 400;

/// Returns the output bucket for a number of pieces, kings included.
#[inline(always)]
#[must_use]
pub fn output_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(2) / 4 % OUTPUT_BUCKETS
}

/// A network with `K` king buckets and `N` neurons for each perspective.
#[derive(Clone, PartialEq, Debug)]
pub struct Network<const K: usize, const N: usize> {
    /// A row for each of `K` times [`FEATURES`] features, in units of 1/[`QA`](super::row::QA).
    pub(super) feature_weights: Cow<'static, [AccumulatorRow<N>]>,
    /// The accumulator of an empty board, in the same units.
    pub(super) feature_biases: AccumulatorRow<N>,
    /// The layers behind the feature transformer, for each output bucket.
    pub(super) layers: Box<[HiddenLayers<N>; OUTPUT_BUCKETS]>,
}

impl<const K: usize, const N: usize> Network<K, N> {
    /// Creates a network with all weights zero, which evaluates every position as 0.
    #[must_use]
    pub fn zero() -> Network<K, N> {
        Network {
            feature_weights: vec![AccumulatorRow::ZERO; K * FEATURES].into(),
            feature_biases: AccumulatorRow::ZERO,
            layers: Box::new(std::array::from_fn(|_| HiddenLayers::zero())),
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

    /// Returns the output of a bucket below [`OUTPUT_BUCKETS`] in centipawns for the side to move,
    /// whose accumulator comes first.
    #[inline(always)]
    pub(super) fn output_of_bucket(
        &self,
        instructions: InstructionSet,
        accumulators: [&AccumulatorRow<N>; 2],
        bucket: usize,
    ) -> i32 {
        let layers = &self.layers[bucket];
        let mut products = Products([0; N]);
        instructions.pairwise_products(accumulators, &mut products);
        let sums = instructions.hidden1_sums(&products, &layers.hidden1_weights);
        // In range: networks with larger weights are rejected.
        (instructions.output_of_sums(layers, &sums) * SCALE as f32) as i32
    }
}
