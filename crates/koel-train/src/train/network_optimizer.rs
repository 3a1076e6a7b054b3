//! The optimizer of a network: AdamW, with a factoriser for the features of several king buckets.

use koel_eval::network::FEATURES;

use super::compute::ComputeOptions;
use super::optimizer::{AdamW, Step, WeightBounds, bounded};
use super::plan::TrainingPlan;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::{AlignedVec, zeros};

/// The largest absolute weight: the sum of 32 features and a bias fits into 16 bits.
pub(super) const MAX_WEIGHT: f64 = 1.94;

/// The largest absolute weight of the first hidden layer. The largest of a neuron determines the
/// quantisation unit of all: a few large ones would cost more than they gain.
pub(super) const MAX_HIDDEN1_WEIGHT: f64 = 0.99;

/// The bounds of the feature weights.
const FEATURE_BOUNDS: WeightBounds = WeightBounds { max: MAX_WEIGHT, narrow: (0..0, 0.0) };

/// The state of the optimizer of a network with `K` king buckets and `N` neurons.
///
/// The factoriser: the weights of a feature are the sum of a row that all king buckets share and a
/// row of each bucket, and both are learned. So what a piece on a square is worth is learned from
/// the positions of all buckets, and a bucket only how it differs. Only the sums are stored: a step
/// of the shared row, by the sum of the gradients of all buckets, moves all of them. (Factorised
/// features, as in the trainers of Stockfish's networks.)
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NetworkOptimizer<F, const K: usize, const N: usize> {
    /// For the feature weights of each king bucket, for those that all king buckets share, and for
    /// all other weights.
    pub(super) parts: [AdamW<F>; 3],
}

impl<F: Real, const K: usize, const N: usize> NetworkOptimizer<F, K, N> {
    /// The number of feature weights of a king bucket.
    pub(super) const SHARED: usize = FEATURES * N;

    /// The state before the first step.
    pub(super) fn new() -> NetworkOptimizer<F, K, N> {
        let layout = TrainableNetwork::<F, K, N>::LAYOUT;
        let lengths = [layout.feature_biases, Self::SHARED, layout.len - layout.feature_biases];
        NetworkOptimizer { parts: lengths.map(AdamW::new) }
    }

    /// Moves the weights by a gradient, which comes in parts as long as the weights and is set to
    /// zero.
    pub(super) fn step(
        &mut self,
        weights: &mut [F],
        mut gradients: Vec<&mut [F]>,
        step: Step,
        plan: &TrainingPlan,
        compute: ComputeOptions,
    ) {
        let layout = TrainableNetwork::<F, K, N>::LAYOUT;
        let [of_features, of_shared, of_layers] = &mut self.parts;
        let moves = (K > 1 && plan.shared_rate > 0.0).then(|| {
            Self::shared_moves(of_shared, &gradients, step.with_rate(plan.shared_rate), compute)
        });
        let (features, layers) = weights.split_at_mut(layout.feature_biases);
        let split = gradients.iter_mut().map(|part| part.split_at_mut(layout.feature_biases));
        let (feature_gradients, layer_gradients) = split.unzip();
        let bucket_step = step.with_rate(if K > 1 { plan.bucket_rate } else { 1.0 });
        of_features.step(features, feature_gradients, bucket_step, &FEATURE_BOUNDS, compute);
        let narrow = layout.hidden1_weights..layout.hidden1_biases;
        let narrow = narrow.start - layout.feature_biases..narrow.end - layout.feature_biases;
        let bounds = WeightBounds { max: MAX_WEIGHT, narrow: (narrow, MAX_HIDDEN1_WEIGHT) };
        of_layers.step(layers, layer_gradients, step, &bounds, compute);
        let Some(moves) = moves else { return };
        let max = F::from_f64(MAX_WEIGHT);
        for bucket in features.chunks_exact_mut(Self::SHARED) {
            for (weight, &shared) in bucket.iter_mut().zip(&*moves) {
                *weight = bounded(*weight + shared, max);
            }
        }
    }

    /// Returns the step of the weights that all king buckets share.
    fn shared_moves(
        optimizer: &mut AdamW<F>,
        gradients: &[&mut [F]],
        step: Step,
        compute: ComputeOptions,
    ) -> AlignedVec<F> {
        let [mut sums, mut moves] = [0; 2].map(|_| zeros(Self::SHARED));
        for bucket in gradients.iter().flat_map(|part| part.chunks_exact(Self::SHARED).take(K)) {
            sums.iter_mut().zip(bucket).for_each(|(sum, &slope)| *sum += slope);
        }
        let step = Step { weight_decay: 0.0, ..step };
        optimizer.step(&mut moves, vec![&mut sums], step, &FEATURE_BOUNDS, compute);
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEATURE: usize = 5 * 64;

    /// Returns the weights of one feature's first neuron in four king buckets after steps by a
    /// gradient that they have in some buckets.
    fn after_steps(slopes: [f64; 4], shared_rate: f64, bucket_rate: f64) -> [f64; 4] {
        let plan = TrainingPlan { shared_rate, bucket_rate, ..TrainingPlan::default() };
        let mut model = TrainableNetwork::<f64, 4, 64>::random(1);
        let before = model.weights[FEATURE];
        let mut optimizer = NetworkOptimizer::<f64, 4, 64>::new();
        let place = |bucket: usize| bucket * NetworkOptimizer::<f64, 4, 64>::SHARED + FEATURE;
        for _ in 0..3 {
            let mut gradients = [0; 2].map(|_| vec![0.0; model.weights.len()]);
            for (bucket, slope) in slopes.into_iter().enumerate() {
                gradients[bucket % 2][place(bucket)] = slope;
            }
            let parts = gradients.iter_mut().map(Vec::as_mut_slice).collect();
            let step = Step { samples: 1, learning_rate: 0.01, weight_decay: 0.0 };
            optimizer.step(&mut model.weights, parts, step, &plan, ComputeOptions::default());
            assert!(gradients.iter().flatten().all(|&slope| slope == 0.0));
        }
        std::array::from_fn(|bucket| model.weights[place(bucket)] - before)
    }

    fn assert_close(found: [f64; 4], expected: [f64; 4]) {
        let is_close = |(found, expected): (f64, f64)| (found - expected).abs() < 1e-6;
        assert!(found.into_iter().zip(expected).all(is_close), "{found:?} {expected:?}");
    }

    #[test]
    fn what_one_bucket_learns_moves_all_of_them() {
        // A step of AdamW by an unchanging gradient is the learning rate.
        let slopes = [0.0, 2.0, 0.0, 0.0];
        assert_close(after_steps(slopes, 2.0, 0.5), [-0.06, -0.075, -0.06, -0.06]);
        assert_close(after_steps(slopes, 0.0, 1.0), [0.0, -0.03, 0.0, 0.0]);
        // The shared weights see the sum.
        assert_close(after_steps([1.0, -3.0, 1.0, 1.0], 2.0, 0.5), [-0.015, 0.015, -0.015, -0.015]);
    }

    #[test]
    fn weights_stay_within_their_bounds() {
        let moved = after_steps([-1.0, 1.0, 0.0, 0.0], 0.0, 1_000.0);
        let shared = after_steps([-1.0; 4], 1_000.0, 0.0);
        let expected =
            [[1.0, -1.0, 0.0, 0.0], [1.0; 4]].map(|signs| signs.map(|sign| sign * MAX_WEIGHT));
        for (found, expected) in [moved, shared].iter().flatten().zip(expected.iter().flatten()) {
            // The weight began within 0.01 of zero.
            assert!((found - expected).abs() <= 0.01, "{moved:?} {shared:?}");
        }
    }
}
