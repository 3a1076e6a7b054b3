//! The optimizer AdamW: steps by the running mean of gradients over the root of the running mean of
//! their squares, with weight decay apart from the gradient (Loshchilov and Hutter, 2019).

use std::ops::Range;
use std::thread;

use koel_eval::network::simd::Kernel;

use super::compute::ComputeOptions;
use super::real::Real;
use super::{AlignedVec, zeros};

/// The decay of the running mean of gradients.
const BETA1: f64 = 0.9;
/// The decay of the running mean of squared gradients.
const BETA2: f64 = 0.999;
/// Keeps the denominator of a step above zero.
const EPSILON: f64 = 1e-8;

/// The bounds of the weights, within which the network can be quantised.
#[derive(Clone, Debug)]
pub(super) struct WeightBounds {
    /// The largest absolute weight.
    pub(super) max: f64,
    /// A range of weights with a smaller bound of its own.
    pub(super) narrow: (Range<usize>, f64),
}

impl WeightBounds {
    /// Returns the bound of a chunk of all weights: the narrow range consists of whole chunks.
    fn of_chunk(&self, chunk: usize) -> f64 {
        if self.narrow.0.contains(&(chunk * CHUNK)) { self.narrow.1 } else { self.max }
    }
}

/// Weights processed together.
pub(super) const CHUNK: usize = 64;

/// The state of the optimizer: the running means.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct AdamW<F> {
    /// The running mean of the gradient of each weight.
    pub(super) means: AlignedVec<F>,
    /// The running mean of its square.
    pub(super) squares: AlignedVec<F>,
    /// The steps so far.
    pub(super) steps: i32,
}

/// The settings of a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    /// The number of samples that the gradient is the sum of.
    pub(super) samples: usize,
    pub(super) learning_rate: f64,
    /// The fraction of each weight that is removed at a learning rate of 1.
    pub(super) weight_decay: f64,
}

impl Step {
    /// Returns the step with a multiple of the learning rate.
    pub(super) fn with_rate(self, factor: f64) -> Step {
        Step { learning_rate: factor * self.learning_rate, ..self }
    }
}

impl<F: Real> AdamW<F> {
    /// The state before the first step.
    pub(super) fn new(weights: usize) -> AdamW<F> {
        AdamW { means: zeros(weights), squares: zeros(weights), steps: 0 }
    }

    /// Moves the weights by a gradient, which comes in parts as long as the weights. The parts are
    /// added up in order, and set to zero for the next step. Each weight is independent of the
    /// others, so threads change the duration, not the result.
    pub(super) fn step(
        &mut self,
        weights: &mut [F],
        gradients: Vec<&mut [F]>,
        step: Step,
        bounds: &WeightBounds,
        compute: ComputeOptions,
    ) {
        self.steps += 1;
        // The means begin at zero, so they are too small by these factors.
        let bias = |beta: f64| 1.0 - power(beta, self.steps);
        let factors = Factors {
            share: F::from_f64(1.0 / step.samples as f64),
            kept: F::from_f64(1.0 - step.learning_rate * step.weight_decay),
            rate: F::from_f64(step.learning_rate / bias(BETA1)),
            square_correction: F::from_f64(1.0 / bias(BETA2)),
        };
        let chunks = weights.len().div_ceil(CHUNK).div_ceil(compute.threads.max(1)).max(1);
        let mut gradients: Vec<_> =
            gradients.into_iter().map(|part| part.chunks_mut(chunks * CHUNK)).collect();
        let means = self.means.chunks_mut(chunks * CHUNK);
        let states = means.zip(self.squares.chunks_mut(chunks * CHUNK));
        let weights = weights.chunks_mut(chunks * CHUNK);
        let mut ranges =
            weights.zip(states).enumerate().map(|(at, (weights, (means, squares)))| {
                let gradients = gradients.iter_mut().filter_map(Iterator::next).collect();
                let first_chunk = at * chunks;
                RangeStep { first_chunk, bounds, weights, means, squares, gradients, factors }
            });
        let Some(own) = ranges.next() else { return };
        thread::scope(|scope| {
            for range in ranges {
                scope.spawn(|| compute.instruction_set.run(range));
            }
            compute.instruction_set.run(own);
        });
    }
}

/// The factors of a step, which are the same for all weights.
#[derive(Clone, Copy, Debug)]
struct Factors<F> {
    share: F,
    kept: F,
    rate: F,
    square_correction: F,
}

/// A step for a range of the weights, which begins at a chunk of all of them.
struct RangeStep<'a, F> {
    first_chunk: usize,
    bounds: &'a WeightBounds,
    weights: &'a mut [F],
    means: &'a mut [F],
    squares: &'a mut [F],
    gradients: Vec<&'a mut [F]>,
    factors: Factors<F>,
}

impl<F: Real> Kernel for RangeStep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let RangeStep { weights, mut gradients, factors, .. } = self;
        let Factors { share, kept, rate, square_correction } = factors;
        let [beta1, beta2, one] = [BETA1, BETA2, 1.0].map(F::from_f64);
        let epsilon = F::from_f64(EPSILON);
        let mut gradient = [F::default(); CHUNK];
        let states = self.means.chunks_mut(CHUNK).zip(self.squares.chunks_mut(CHUNK));
        for (at, (weights, (means, squares))) in weights.chunks_mut(CHUNK).zip(states).enumerate() {
            let max = F::from_f64(self.bounds.of_chunk(self.first_chunk + at));
            gradient.fill(F::default());
            for part in &mut gradients {
                let part = &mut part[at * CHUNK..][..weights.len()];
                gradient.iter_mut().zip(&*part).for_each(|(slope, &value)| *slope += value);
                part.fill(F::default());
            }
            let states = means.iter_mut().zip(squares);
            for ((weight, (mean, square)), &slope) in weights.iter_mut().zip(states).zip(&gradient)
            {
                let slope = slope * share;
                *mean = beta1 * *mean + (one - beta1) * slope;
                *square = beta2 * *square + (one - beta2) * slope * slope;
                let step = rate * *mean / ((*square * square_correction).sqrt() + epsilon);
                *weight = bounded(*weight * kept - step, max);
            }
        }
    }
}

/// Returns a weight within a bound of its absolute value.
#[inline(always)]
pub(super) fn bounded<F: Real>(weight: F, max: F) -> F {
    let capped = if weight > max { max } else { weight };
    if capped < -max { -max } else { capped }
}

/// Returns a power by multiplication alone: that of the standard library differs between machines.
fn power(base: f64, exponent: i32) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    const BOUNDS: WeightBounds = WeightBounds { max: 1.98, narrow: (CHUNK..2 * CHUNK, 0.5) };

    #[test]
    fn the_optimizer_finds_the_minimum_of_a_parabola() {
        let mut weights = vec![1.5_f64, -1.0, 0.3];
        let targets = [0.7, 0.2, 1.9];
        let mut optimizer = AdamW::new(3);
        for _ in 0..4_000 {
            let slopes = |share: f64| -> Vec<f64> {
                weights
                    .iter()
                    .zip(targets)
                    .map(|(weight, target)| share * 2.0 * (weight - target))
                    .collect()
            };
            let mut gradients = [slopes(0.25), slopes(0.75)];
            let gradients = gradients.iter_mut().map(Vec::as_mut_slice).collect();
            let step = Step { samples: 1, learning_rate: 2e-3, weight_decay: 0.0 };
            optimizer.step(&mut weights, gradients, step, &BOUNDS, ComputeOptions::default());
        }
        for (weight, target) in weights.iter().zip(targets) {
            assert!((weight - target).abs() < 1e-3, "{weight} {target}");
        }
    }

    #[test]
    fn weights_decay_and_stay_within_their_bounds() {
        let mut weights = vec![1.0_f64; 2 * CHUNK];
        let mut optimizer = AdamW::new(2 * CHUNK);
        for _ in 0..3 {
            let mut slopes = vec![0.0; 2 * CHUNK];
            slopes[1] = -5.0;
            slopes[CHUNK] = 5.0;
            let step = Step { samples: 1, learning_rate: 0.5, weight_decay: 0.1 };
            optimizer.step(
                &mut weights,
                vec![&mut slopes],
                step,
                &BOUNDS,
                ComputeOptions::default(),
            );
            assert!(slopes.iter().all(|&slope| slope == 0.0));
        }
        assert!((weights[0] - 0.95_f64.powi(3)).abs() < 1e-12);
        assert_eq!((weights[1], weights[CHUNK]), (1.98, -0.5));
        assert!((weights[CHUNK + 1] - 0.5 * 0.95_f64.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let count = 5 * CHUNK + 8;
        let numbers = |seed: u64| -> Vec<f32> {
            let mut rng = Rng::new(seed);
            (0..count).map(|_| rng.next_f64() as f32 - 0.5).collect()
        };
        let after_steps = |threads| {
            let (mut weights, mut optimizer) = (numbers(1), AdamW::new(count));
            for seed in 2..6 {
                let mut gradients = [numbers(seed), numbers(seed + 10)];
                let gradients = gradients.iter_mut().map(Vec::as_mut_slice).collect();
                let step = Step { samples: 3, learning_rate: 0.2, weight_decay: 0.1 };
                let compute = ComputeOptions::with_threads(threads);
                optimizer.step(&mut weights, gradients, step, &BOUNDS, compute);
            }
            weights
        };
        let expected = after_steps(1);
        for threads in [2, 3, 4, 100] {
            assert_eq!(after_steps(threads), expected, "{threads} threads");
        }
    }

    #[test]
    fn powers_are_powers() {
        for exponent in [1, 2, 3, 17, 1000] {
            assert!((power(0.999, exponent) - 0.999_f64.powi(exponent)).abs() < 1e-12);
        }
    }
}
