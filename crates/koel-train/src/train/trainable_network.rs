//! The network in floating point, as one array of weights.

use koel_eval::network::{FEATURES, OUTPUT_BUCKETS};
use koel_random::Rng;

use super::aligned_vec::AlignedVec;
use super::real::Real;

/// The places of each kind of weight in the array. The feature weights come first: a row of neurons
/// for each feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WeightLayout {
    /// The first bias of the feature transformer.
    pub(crate) feature_biases: usize,
    /// The first output weight: for each bucket those of the side to move, then of the opponent.
    pub(crate) output_weights: usize,
    /// The first output bias, one for each bucket.
    pub(crate) output_biases: usize,
    /// The number of weights.
    pub(crate) len: usize,
}

impl WeightLayout {
    /// Creates the layout for this many king buckets and neurons.
    #[must_use]
    pub(crate) const fn new(king_buckets: usize, neurons: usize) -> WeightLayout {
        let feature_biases = king_buckets * FEATURES * neurons;
        let output_weights = feature_biases + neurons;
        let output_biases = output_weights + OUTPUT_BUCKETS * 2 * neurons;
        let len = output_biases + OUTPUT_BUCKETS;
        WeightLayout { feature_biases, output_weights, output_biases, len }
    }
}

/// A network of `K` king buckets and `N` neurons in training.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainableNetwork<F, const K: usize, const N: usize> {
    /// The weights, in the order of [`WeightLayout`].
    pub(crate) weights: AlignedVec<F>,
}

impl<F: Real, const K: usize, const N: usize> TrainableNetwork<F, K, N> {
    /// The layout of the weights.
    pub(crate) const LAYOUT: WeightLayout = WeightLayout::new(K, N);

    /// Creates a network of small random weights, with biases that keep the neurons between their
    /// clipping bounds.
    #[must_use]
    pub(crate) fn random(seed: u64) -> TrainableNetwork<F, K, N> {
        let mut rng = Rng::new(seed);
        let mut within = |limit: f64| F::from_f64((rng.next_f64() * 2.0 - 1.0) * limit);
        let layout = Self::LAYOUT;
        let mut weights: Vec<F> = (0..layout.feature_biases).map(|_| within(0.06)).collect();
        weights.extend((0..N).map(|_| within(0.1) + F::from_f64(0.2)));
        let outputs = layout.output_biases - layout.output_weights;
        let spread = (3.0 / (2 * N) as f64).sqrt();
        weights.extend((0..outputs).map(|_| within(spread)));
        weights.resize(layout.len, F::default());
        TrainableNetwork { weights: weights.into_iter().collect() }
    }

    /// Returns the weights of a feature.
    #[inline(always)]
    pub(super) fn feature_weights(&self, feature: usize) -> &[F] {
        &self.weights[feature * N..][..N]
    }

    /// Returns the biases of the feature transformer.
    #[inline(always)]
    pub(super) fn feature_biases(&self) -> &[F] {
        &self.weights[Self::LAYOUT.feature_biases..][..N]
    }

    /// Returns the output weights of a bucket, for the side to move and for the opponent.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> [&[F]; 2] {
        let at = Self::LAYOUT.output_weights + bucket * 2 * N;
        [&self.weights[at..][..N], &self.weights[at + N..][..N]]
    }

    /// Returns the output bias of a bucket.
    #[inline(always)]
    pub(super) fn output_bias(&self, bucket: usize) -> F {
        self.weights[Self::LAYOUT.output_biases + bucket]
    }
}
