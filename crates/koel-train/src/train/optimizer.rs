//! AdamW: steps by the mean of gradients over the root of the mean of their squares, with weights
//! that decay (Loshchilov and Hutter, 2019).

use std::ops::Range;

use koel_eval::network::simd::Kernel;

use super::aligned::Aligned;
use super::real::Real;

/// The share of the old mean that stays with each step.
const KEPT_MEAN: f64 = 0.9;
/// The same for the mean of squares.
const KEPT_SQUARE: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// How far the weights go, so that the network can be quantised.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// No weight goes beyond this...
    pub(super) most: f64,
    /// ...and those in this range not beyond that.
    pub(super) narrow: (Range<usize>, f64),
}

impl Bounds {
    /// Whole chunks have one bound: the narrow range must begin and end with one.
    fn of_chunk(&self, at: usize) -> f64 {
        if self.narrow.0.contains(&(at * CHUNK)) { self.narrow.1 } else { self.most }
    }
}

/// Numbers that are treated together.
pub(super) const CHUNK: usize = 64;

/// The means of the past gradients.
#[derive(Clone, Debug)]
pub(super) struct AdamW<F> {
    means: Aligned<F>,
    squares: Aligned<F>,
    steps: i32,
    bounds: Bounds,
}

impl<F: Real> AdamW<F> {
    pub(super) fn new(numbers: usize, bounds: Bounds) -> AdamW<F> {
        AdamW { bounds, means: Aligned::zeros(numbers), squares: Aligned::zeros(numbers), steps: 0 }
    }
}

/// One step.
pub(super) struct Step<'a, F> {
    pub(super) optimizer: &'a mut AdamW<F>,
    pub(super) numbers: &'a mut [F],
    /// The gradient in parts, to be added up in order.
    pub(super) gradients: &'a [&'a [F]],
    /// How many samples the gradient is the sum of.
    pub(super) samples: usize,
    pub(super) rate: f64,
    /// The share of each weight that is lost, for a rate of 1.
    pub(super) decay: f64,
}

impl<F: Real> Kernel for Step<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Step { optimizer, numbers, gradients, samples, rate, decay } = self;
        optimizer.steps += 1;
        let share = F::of(1.0 / samples as f64);
        let kept = F::of(1.0 - rate * decay);
        // The means begin at zero, and are as much too small.
        let unbiased = |kept_share: f64| 1.0 - power(kept_share, optimizer.steps);
        let rate = F::of(rate / unbiased(KEPT_MEAN));
        let square_share = F::of(1.0 / unbiased(KEPT_SQUARE));
        let [kept_mean, kept_square, one] = [KEPT_MEAN, KEPT_SQUARE, 1.0].map(F::of);
        let epsilon = F::of(EPSILON);
        let mut slopes = [F::default(); CHUNK];
        let states = optimizer.means.chunks_mut(CHUNK).zip(optimizer.squares.chunks_mut(CHUNK));
        for (at, (numbers, (means, squares))) in numbers.chunks_mut(CHUNK).zip(states).enumerate() {
            let most = F::of(optimizer.bounds.of_chunk(at));
            slopes.fill(F::default());
            for part in gradients {
                let part = &part[at * CHUNK..][..numbers.len()];
                slopes.iter_mut().zip(part).for_each(|(slope, &value)| *slope += value);
            }
            let states = means.iter_mut().zip(squares);
            for ((number, (mean, square)), &slope) in numbers.iter_mut().zip(states).zip(&slopes) {
                let slope = slope * share;
                *mean = kept_mean * *mean + (one - kept_mean) * slope;
                *square = kept_square * *square + (one - kept_square) * slope * slope;
                let step = rate * *mean / ((*square * square_share).root() + epsilon);
                let moved = *number * kept - step;
                let capped = if moved > most { most } else { moved };
                *number = if capped < -most { -most } else { capped };
            }
        }
    }
}

/// By multiplication alone: the library's power differs between machines.
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

    const BOUNDS: Bounds = Bounds { most: 1.98, narrow: (CHUNK..2 * CHUNK, 0.5) };

    #[test]
    fn it_finds_the_least_of_a_parabola() {
        let mut numbers = vec![1.5_f64, -1.0, 0.3];
        let aims = [0.7, 0.2, 1.9];
        let mut optimizer = AdamW::new(3, BOUNDS);
        for _ in 0..4_000 {
            let slopes = |share: f64| -> Vec<f64> {
                numbers.iter().zip(aims).map(|(number, aim)| share * 2.0 * (number - aim)).collect()
            };
            let gradients = [slopes(0.25), slopes(0.75)];
            let gradients = gradients.each_ref().map(Vec::as_slice);
            let optimizer = &mut optimizer;
            let numbers = &mut numbers;
            Step { optimizer, numbers, gradients: &gradients, samples: 1, rate: 2e-3, decay: 0.0 }
                .run();
        }
        for (number, aim) in numbers.iter().zip(aims) {
            assert!((number - aim).abs() < 1e-3, "{number} {aim}");
        }
    }

    #[test]
    fn weights_decay_and_stay_within_their_bounds() {
        let mut numbers = vec![1.0_f64; 2 * CHUNK];
        let mut slopes = vec![0.0; 2 * CHUNK];
        slopes[1] = -5.0;
        slopes[CHUNK] = 5.0;
        let mut optimizer = AdamW::new(2 * CHUNK, BOUNDS);
        for _ in 0..3 {
            let optimizer = &mut optimizer;
            let gradients = &[&slopes[..]];
            Step { optimizer, numbers: &mut numbers, gradients, samples: 1, rate: 0.5, decay: 0.1 }
                .run();
        }
        assert!((numbers[0] - 0.95_f64.powi(3)).abs() < 1e-12);
        assert_eq!((numbers[1], numbers[CHUNK]), (1.98, -0.5));
        assert!((numbers[CHUNK + 1] - 0.5 * 0.95_f64.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn powers_are_powers() {
        for exponent in [1, 2, 3, 17, 1000] {
            assert!((power(0.999, exponent) - 0.999_f64.powi(exponent)).abs() < 1e-12);
        }
    }
}
