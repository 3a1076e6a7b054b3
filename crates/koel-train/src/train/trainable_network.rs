//! The network in floating point, as one array of weights.

use koel_eval::network::training::{HIDDEN1, HIDDEN2};
use koel_eval::network::{FEATURES, OUTPUT_BUCKETS};
use koel_random::Rng;

use super::AlignedVec;
use super::real::Real;

/// The places of each kind of weight in the array. The feature weights come first: a row of neurons
/// for each feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WeightLayout {
    /// The first bias of the feature transformer.
    pub(crate) feature_biases: usize,
    /// The first weight of the first hidden layer: for each bucket and neuron of it a row for the
    /// products of both perspectives, the side to move first.
    pub(crate) hidden1_weights: usize,
    /// The first bias of the first hidden layer.
    pub(crate) hidden1_biases: usize,
    /// The first weight of the second hidden layer: for each bucket and neuron of the first a row
    /// for those of the second.
    pub(crate) hidden2_weights: usize,
    /// The first bias of the second hidden layer.
    pub(crate) hidden2_biases: usize,
    /// The first output weight, a row for each bucket.
    pub(crate) output_weights: usize,
    /// The first output bias, one for each bucket.
    pub(crate) output_biases: usize,
    /// The number of weights.
    pub(crate) len: usize,
}

impl WeightLayout {
    /// Creates the layout for this many king buckets and neurons.
    pub(crate) const fn new(king_buckets: usize, neurons: usize) -> WeightLayout {
        let feature_biases = king_buckets * FEATURES * neurons;
        let hidden1_weights = feature_biases + neurons;
        let hidden1_biases = hidden1_weights + OUTPUT_BUCKETS * HIDDEN1 * neurons;
        let hidden2_weights = hidden1_biases + OUTPUT_BUCKETS * HIDDEN1;
        let hidden2_biases = hidden2_weights + OUTPUT_BUCKETS * HIDDEN1 * HIDDEN2;
        let output_weights = hidden2_biases + OUTPUT_BUCKETS * HIDDEN2;
        let output_biases = output_weights + OUTPUT_BUCKETS * HIDDEN2;
        let len = output_biases + OUTPUT_BUCKETS;
        WeightLayout {
            feature_biases,
            hidden1_weights,
            hidden1_biases,
            hidden2_weights,
            hidden2_biases,
            output_weights,
            output_biases,
            len,
        }
    }
}

/// A network of `K` king buckets and `N` neurons in training.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainableNetwork<F, const K: usize, const N: usize> {
    /// The weights, in the order of [`WeightLayout`].
    pub(crate) weights: AlignedVec<F>,
}

/// The weights of one output bucket behind the feature transformer.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketWeights<'a, F> {
    pub(super) hidden1_weights: &'a [F],
    pub(super) hidden1_biases: &'a [F; HIDDEN1],
    pub(super) hidden2_weights: &'a [[F; HIDDEN2]],
    pub(super) hidden2_biases: &'a [F; HIDDEN2],
    pub(super) output_weights: &'a [F; HIDDEN2],
    pub(super) output_bias: F,
}

impl<F: Real, const K: usize, const N: usize> TrainableNetwork<F, K, N> {
    /// The layout of the weights.
    pub(crate) const LAYOUT: WeightLayout = WeightLayout::new(K, N);

    /// Creates a network of small random weights, with biases that keep the neurons between their
    /// clipping bounds. The weights of a feature are the same in all king buckets, and very small:
    /// those of rare features stay nearly what they are, which would be noise.
    pub(crate) fn random(seed: u64) -> TrainableNetwork<F, K, N> {
        let layout = Self::LAYOUT;
        let mut rng = Rng::new(seed);
        let mut weights = Vec::with_capacity(layout.len);
        let mut fill = |weights: &mut Vec<F>, end: usize, middle: f64, limit: f64| {
            while weights.len() < end {
                let random = F::from_f64((rng.next_f64() * 2.0 - 1.0) * limit);
                weights.push(random + F::from_f64(middle));
            }
        };
        let limit = |inputs: usize| (3.0 / inputs as f64).sqrt();
        fill(&mut weights, FEATURES * N, 0.0, 0.01);
        weights = weights.repeat(K);
        fill(&mut weights, layout.hidden1_weights, 0.3, 0.1);
        fill(&mut weights, layout.hidden1_biases, 0.0, limit(N));
        fill(&mut weights, layout.hidden2_weights, 0.3, 0.1);
        fill(&mut weights, layout.hidden2_biases, 0.0, limit(HIDDEN1));
        fill(&mut weights, layout.output_weights, 0.3, 0.1);
        fill(&mut weights, layout.output_biases, 0.0, limit(HIDDEN2));
        weights.resize(layout.len, F::default());
        TrainableNetwork { weights: AlignedVec::from_iter(0, weights) }
    }

    /// Returns the network whose weights are the means of those of others, at least one.
    pub(crate) fn mean_of(networks: &[TrainableNetwork<F, K, N>]) -> TrainableNetwork<F, K, N> {
        let mean = |at: usize| {
            let sum: f64 = networks.iter().map(|network| network.weights[at].to_f64()).sum();
            F::from_f64(sum / networks.len() as f64)
        };
        TrainableNetwork { weights: AlignedVec::from_iter(0, (0..Self::LAYOUT.len).map(mean)) }
    }

    /// Multiplies the output of each bucket with its factor.
    pub(crate) fn scale_outputs(&mut self, factors: &[f64; OUTPUT_BUCKETS]) {
        for (bucket, factor) in factors.iter().enumerate() {
            let first = Self::LAYOUT.output_weights + bucket * HIDDEN2;
            let bias = Self::LAYOUT.output_biases + bucket;
            for at in (first..first + HIDDEN2).chain([bias]) {
                self.weights[at] = F::from_f64(self.weights[at].to_f64() * factor);
            }
        }
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

    /// Returns the weights of an output bucket.
    #[inline(always)]
    pub(super) fn bucket(&self, bucket: usize) -> BucketWeights<'_, F> {
        let layout = Self::LAYOUT;
        let row = |start: usize, len: usize| &self.weights[start + bucket * len..][..len];
        BucketWeights {
            hidden1_weights: row(layout.hidden1_weights, HIDDEN1 * N),
            hidden1_biases: row(layout.hidden1_biases, HIDDEN1).as_array().expect("its length"),
            hidden2_weights: row(layout.hidden2_weights, HIDDEN1 * HIDDEN2).as_chunks().0,
            hidden2_biases: row(layout.hidden2_biases, HIDDEN2).as_array().expect("its length"),
            output_weights: row(layout.output_weights, HIDDEN2).as_array().expect("its length"),
            output_bias: self.weights[layout.output_biases + bucket],
        }
    }
}
