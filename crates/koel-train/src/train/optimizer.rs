//! The optimizer AdamW: steps by the running mean of gradients over the root of the running mean of
//! their squares, with weight decay apart from the gradient (Loshchilov and Hutter, 2019).

use std::ops::Range;

use koel_eval::network::simd::Kernel;

use super::aligned_vec::AlignedVec;
use super::real::Real;

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
    /// Returns the bound of a chunk: the narrow range consists of whole chunks.
    fn of_chunk(&self, at: usize) -> f64 {
        if self.narrow.0.contains(&(at * CHUNK)) { self.narrow.1 } else { self.max }
    }
}

/// Weights processed together.
pub(super) const CHUNK: usize = 64;

/// The state of the optimizer: the running means.
#[derive(Clone, Debug)]
pub(super) struct AdamW<F> {
    means: AlignedVec<F>,
    squares: AlignedVec<F>,
    steps: i32,
    bounds: WeightBounds,
}

impl<F: Real> AdamW<F> {
    pub(super) fn new(weights: usize, bounds: WeightBounds) -> AdamW<F> {
        AdamW {
            bounds,
            means: AlignedVec::zeros(weights),
            squares: AlignedVec::zeros(weights),
            steps: 0,
        }
    }
}

/// A step of the optimizer.
pub(super) struct OptimizerStep<'a, F> {
    pub(super) optimizer: &'a mut AdamW<F>,
    pub(super) weights: &'a mut [F],
    /// The gradient in parts, which are added up in order.
    pub(super) gradients: &'a [&'a [F]],
    /// The number of samples that the gradient is the sum of.
    pub(super) samples: usize,
    pub(super) learning_rate: f64,
    /// The fraction of each weight that is removed at a learning rate of 1.
    pub(super) weight_decay: f64,
}

impl<F: Real> Kernel for OptimizerStep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let OptimizerStep { optimizer, weights, gradients, samples, learning_rate, weight_decay } =
            self;
        optimizer.steps += 1;
        let share = F::from_f64(1.0 / samples as f64);
        let kept = F::from_f64(1.0 - learning_rate * weight_decay);
        // The means begin at zero, so they are too small by these factors.
        let bias = |beta: f64| 1.0 - power(beta, optimizer.steps);
        let rate = F::from_f64(learning_rate / bias(BETA1));
        let square_correction = F::from_f64(1.0 / bias(BETA2));
        let [beta1, beta2, one] = [BETA1, BETA2, 1.0].map(F::from_f64);
        let epsilon = F::from_f64(EPSILON);
        let mut gradient = [F::default(); CHUNK];
        let states = optimizer.means.chunks_mut(CHUNK).zip(optimizer.squares.chunks_mut(CHUNK));
        for (at, (weights, (means, squares))) in weights.chunks_mut(CHUNK).zip(states).enumerate() {
            let max = F::from_f64(optimizer.bounds.of_chunk(at));
            gradient.fill(F::default());
            for part in gradients {
                let part = &part[at * CHUNK..][..weights.len()];
                gradient.iter_mut().zip(part).for_each(|(slope, &value)| *slope += value);
            }
            let states = means.iter_mut().zip(squares);
            for ((weight, (mean, square)), &slope) in weights.iter_mut().zip(states).zip(&gradient)
            {
                let slope = slope * share;
                *mean = beta1 * *mean + (one - beta1) * slope;
                *square = beta2 * *square + (one - beta2) * slope * slope;
                let step = rate * *mean / ((*square * square_correction).sqrt() + epsilon);
                let moved = *weight * kept - step;
                let capped = if moved > max { max } else { moved };
                *weight = if capped < -max { -max } else { capped };
            }
        }
    }
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
    use super::*;

    const BOUNDS: WeightBounds = WeightBounds { max: 1.98, narrow: (CHUNK..2 * CHUNK, 0.5) };

    #[test]
    fn the_optimizer_finds_the_minimum_of_a_parabola() {
        let mut weights = vec![1.5_f64, -1.0, 0.3];
        let targets = [0.7, 0.2, 1.9];
        let mut optimizer = AdamW::new(3, BOUNDS);
        for _ in 0..4_000 {
            let slopes = |share: f64| -> Vec<f64> {
                weights
                    .iter()
                    .zip(targets)
                    .map(|(weight, target)| share * 2.0 * (weight - target))
                    .collect()
            };
            let gradients = [slopes(0.25), slopes(0.75)];
            let gradients = gradients.each_ref().map(Vec::as_slice);
            let optimizer = &mut optimizer;
            let weights = &mut weights;
            OptimizerStep {
                optimizer,
                weights,
                gradients: &gradients,
                samples: 1,
                learning_rate: 2e-3,
                weight_decay: 0.0,
            }
            .run();
        }
        for (weight, target) in weights.iter().zip(targets) {
            assert!((weight - target).abs() < 1e-3, "{weight} {target}");
        }
    }

    #[test]
    fn weights_decay_and_stay_within_their_bounds() {
        let mut weights = vec![1.0_f64; 2 * CHUNK];
        let mut slopes = vec![0.0; 2 * CHUNK];
        slopes[1] = -5.0;
        slopes[CHUNK] = 5.0;
        let mut optimizer = AdamW::new(2 * CHUNK, BOUNDS);
        for _ in 0..3 {
            let optimizer = &mut optimizer;
            let gradients = &[&slopes[..]];
            OptimizerStep {
                optimizer,
                weights: &mut weights,
                gradients,
                samples: 1,
                learning_rate: 0.5,
                weight_decay: 0.1,
            }
            .run();
        }
        assert!((weights[0] - 0.95_f64.powi(3)).abs() < 1e-12);
        assert_eq!((weights[1], weights[CHUNK]), (1.98, -0.5));
        assert!((weights[CHUNK + 1] - 0.5 * 0.95_f64.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn powers_are_powers() {
        for exponent in [1, 2, 3, 17, 1000] {
            assert!((power(0.999, exponent) - 0.999_f64.powi(exponent)).abs() < 1e-12);
        }
    }
}
