//! Random networks and steps of accumulators, for tests.

use koel_board::Position;
use koel_random::Rng;

use super::accumulator::AccumulatorStack;
use super::features::FEATURES;
use super::hidden_layers::{HIDDEN1, HIDDEN2, MAX_WEIGHT_PAIR, PRODUCT_UNIT};
use super::raw_weights::RawWeights;
use super::weights::OUTPUT_BUCKETS;
use crate::testing::Step;

/// Returns random weights, small enough that no sum can overflow. About half the neurons of every
/// layer are active.
pub(crate) fn random_weights<const K: usize, const N: usize>(seed: u64) -> RawWeights {
    let mut rng = Rng::new(seed);
    let pairs = OUTPUT_BUCKETS * HIDDEN1 * N / 2;
    let hidden1_weights = (0..pairs).flat_map(|_| random_weight_pair(&mut rng)).collect();
    let mut numbers = |count: usize, limit: usize| -> Vec<i16> {
        (0..count).map(|_| (rng.below(2 * limit + 1) as i64 - limit as i64) as i16).collect()
    };
    let feature_weights = numbers(K * FEATURES * N, 60);
    let feature_biases = numbers(N, 100);
    let mut floats = |count, limit: f32| -> Vec<f32> {
        let numbers = numbers(OUTPUT_BUCKETS * count, 10_000).into_iter();
        numbers.map(|number| f32::from(number) / 10_000.0 * limit).collect()
    };
    RawWeights {
        feature_weights,
        feature_biases,
        hidden1_weights,
        hidden1_units: floats(HIDDEN1, 0.02 * PRODUCT_UNIT as f32),
        hidden1_biases: floats(HIDDEN1, 1.0),
        hidden2_weights: floats(HIDDEN1 * HIDDEN2, 1.0),
        hidden2_biases: floats(HIDDEN2, 1.0),
        output_weights: floats(HIDDEN2, 2.0),
        output_biases: floats(1, 1.0),
    }
}

/// Returns a random pair of weights of the first hidden layer whose sum is within the bounds.
pub(super) fn random_weight_pair(rng: &mut Rng) -> [i8; 2] {
    loop {
        let pair: [i8; 2] = std::array::from_fn(|_| rng.next_u64() as i8);
        if (pair[0] < 0) != (pair[1] < 0)
            || pair.iter().map(|&weight| i16::from(weight)).sum::<i16>().abs() <= MAX_WEIGHT_PAIR
        {
            return pair;
        }
    }
}

/// Makes a step in a position and in stacks that follow it.
pub(super) fn apply<const K: usize, const N: usize>(
    step: Step,
    position: &mut Position,
    stacks: &mut [AccumulatorStack<K, N>],
) {
    for stack in stacks {
        match step {
            Step::Play(m) => position.clone().play_observed(m, stack.push()),
            Step::Null => _ = stack.push(),
        }
    }
    step.apply(position);
}
