//! Rounding of the weights of the first hidden layer so that their errors compensate one another.
//!
//! Rounding every weight to the nearest is not best: products that are active together add up their
//! errors. Of the two neighbours of each weight the one is taken with which the sum of the neuron
//! is closer to that in floating point, in the mean square over positions of the training set.
//! (Nagel et al., "Up or Down? Adaptive Rounding for Post-Training Quantization", 2020; here by
//! coordinate descent.)

use koel_eval::network::simd::{InstructionSet, Kernel};
use koel_eval::network::training::PRODUCT_UNIT;
use koel_eval::network::{OUTPUT_BUCKETS, output_bucket};

use super::gradient::Predictor;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;

/// The largest quantised weight of the first hidden layer, a byte with a sign.
pub(super) const MAX_HIDDEN1: f64 = 127.0;

/// About the number of positions from which the moments are computed.
const POSITIONS: usize = 400_000;

/// The positions whose products are added together, few enough for the second-level cache.
const BLOCK: usize = 32;

/// The passes over the weights of a neuron, at most.
const PASSES: usize = 20;

/// The second moments of the products of one output bucket: those of the engine, which are
/// quantised, and those in floating point.
pub(super) struct ProductMoments<const N: usize> {
    /// The mean of each product in floating point.
    exact_means: Vec<f64>,
    /// The mean of each quantised product.
    quantised_means: Vec<f64>,
    /// For each quantised product its covariance with every quantised product.
    quantised: Vec<f64>,
    /// For each quantised product its covariance with every product in floating point.
    mixed: Vec<f64>,
}

/// The quantised weights of a neuron, and what they add to its sum in the mean.
pub(super) struct RoundedNeuron {
    pub(super) weights: Vec<i8>,
    /// The mean of the neuron's sum less that in floating point; the bias makes up for it.
    pub(super) mean_error: f64,
}

impl<const N: usize> ProductMoments<N> {
    /// Computes the moments of each output bucket over positions. `rounded` is the network with the
    /// feature transformer of the engine.
    pub(super) fn of_samples<const K: usize>(
        exact: &TrainableNetwork<f32, K, N>,
        rounded: &TrainableNetwork<f32, K, N>,
        samples: &[TrainingPosition],
    ) -> Vec<ProductMoments<N>> {
        InstructionSet::detect().run(MomentPass { exact, rounded, samples })
    }

    fn zero() -> ProductMoments<N> {
        let zeros = |len| vec![0.0; len];
        let [exact_means, quantised_means] = [zeros(N), zeros(N)];
        let [quantised, mixed] = [zeros(N * N), zeros(N * N)];
        ProductMoments { exact_means, quantised_means, quantised, mixed }
    }

    /// Adds the products of positions, `N` of each. The sums of one product are taken through all
    /// positions before those of the next, so that they stay in the nearest cache.
    #[inline(always)]
    fn add(&mut self, exact: &[f32], quantised: &[f64]) {
        let positions = || exact.chunks_exact(N).zip(quantised.chunks_exact(N));
        let rows = self.quantised.chunks_exact_mut(N).zip(self.mixed.chunks_exact_mut(N));
        for (at, (quantised_sums, mixed_sums)) in rows.enumerate() {
            for (exact, quantised) in positions().filter(|(_, quantised)| quantised[at] != 0.0) {
                add_multiple(quantised_sums, quantised[at], quantised);
                add_multiple(mixed_sums, quantised[at], exact);
            }
        }
        for (exact, quantised) in positions() {
            add_multiple(&mut self.quantised_means, 1.0, quantised);
            add_multiple(&mut self.exact_means, 1.0, exact);
        }
    }

    /// Turns sums over this many positions into means and covariances.
    fn centred(mut self, count: f64) -> ProductMoments<N> {
        let sums = [&mut self.exact_means, &mut self.quantised_means];
        let moments = [&mut self.quantised, &mut self.mixed];
        sums.into_iter().chain(moments).flatten().for_each(|sum| *sum /= count);
        for (at, &mean) in self.quantised_means.iter().enumerate() {
            add_multiple(&mut self.quantised[at * N..][..N], -mean, &self.quantised_means);
            add_multiple(&mut self.mixed[at * N..][..N], -mean, &self.exact_means);
        }
        self
    }

    /// Rounds the weights of a neuron to multiples of a unit.
    pub(super) fn round(&self, weights: &[f32], unit: f64) -> RoundedNeuron {
        let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / unit).collect();
        let mut rounded: Vec<f64> = weights.iter().map(|weight| weight.round()).collect();
        let rows = self.quantised.chunks_exact(N).zip(self.mixed.chunks_exact(N));
        // For each weight the covariance of its product with the error of the sum.
        let mut slopes: Vec<f64> =
            rows.map(|(row, mixed)| dot(row, &rounded) - dot(mixed, &weights)).collect();
        for _ in 0..PASSES {
            let mut is_changed = false;
            for at in 0..N {
                let step = if rounded[at] > weights[at] { -1.0 } else { 1.0 };
                let row = &self.quantised[at * N..][..N];
                let is_possible =
                    weights[at] != rounded[at] && (rounded[at] + step).abs() <= MAX_HIDDEN1;
                if is_possible && 2.0 * step * slopes[at] + row[at] < 0.0 {
                    rounded[at] += step;
                    add_multiple(&mut slopes, step, row);
                    is_changed = true;
                }
            }
            if !is_changed {
                break;
            }
        }
        let mean_error = dot(&rounded, &self.quantised_means) - dot(&weights, &self.exact_means);
        let weights = rounded.iter().map(|&weight| weight as i8).collect();
        RoundedNeuron { weights, mean_error: mean_error * unit }
    }
}

/// A pass over samples for the moments of each output bucket.
struct MomentPass<'a, const K: usize, const N: usize> {
    exact: &'a TrainableNetwork<f32, K, N>,
    rounded: &'a TrainableNetwork<f32, K, N>,
    samples: &'a [TrainingPosition],
}

/// The moments of one output bucket over `count` positions, and the products of those that are not
/// added yet.
struct Bucket<const N: usize> {
    exact: Vec<f32>,
    quantised: Vec<f64>,
    count: usize,
    moments: ProductMoments<N>,
}

impl<const K: usize, const N: usize> Kernel for MomentPass<'_, K, N> {
    type Output = Vec<ProductMoments<N>>;

    #[inline(always)]
    fn run(self) -> Vec<ProductMoments<N>> {
        let MomentPass { exact, rounded, samples } = self;
        let mut buckets: Vec<_> = (0..OUTPUT_BUCKETS).map(|_| Bucket::empty()).collect();
        let [mut exact, mut rounded] = [exact, rounded].map(Predictor::new);
        for sample in samples.iter().step_by((samples.len() / POSITIONS).max(1)) {
            let bucket = &mut buckets[output_bucket(sample.piece_count())];
            bucket.exact.extend_from_slice(exact.products(sample));
            bucket.quantised.extend(rounded.products(sample).iter().copied().map(quantised));
            if bucket.exact.len() == BLOCK * N {
                bucket.add_positions();
            }
        }
        let moments = |mut bucket: Bucket<N>| {
            bucket.add_positions();
            bucket.moments.centred(bucket.count.max(1) as f64)
        };
        buckets.into_iter().map(moments).collect()
    }
}

impl<const N: usize> Bucket<N> {
    fn empty() -> Bucket<N> {
        let moments = ProductMoments::zero();
        Bucket { exact: Vec::new(), quantised: Vec::new(), count: 0, moments }
    }

    #[inline(always)]
    fn add_positions(&mut self) {
        let Bucket { exact, quantised, count, moments } = self;
        moments.add(exact, quantised);
        *count += exact.len() / N;
        exact.clear();
        quantised.clear();
    }
}

/// Returns the value of a product in the engine.
fn quantised(product: f32) -> f64 {
    (f64::from(product) / PRODUCT_UNIT + 0.5).floor() * PRODUCT_UNIT
}

#[inline(always)]
fn add_multiple<T: Copy + Into<f64>>(sums: &mut [f64], factor: f64, row: &[T]) {
    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += factor * value.into());
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use koel_board::Position;
    use koel_random::Rng;

    use super::*;
    use crate::training_game::GameResult;

    const N: usize = 8;

    /// Returns the mean of the errors of a neuron's sums, and the mean square about it.
    fn error_moments(
        positions: &[([f32; N], Vec<f64>)],
        weights: &[f32],
        rounded: &[f64],
    ) -> [f64; 2] {
        let error = |(exact, quantised): &([f32; N], Vec<f64>)| {
            let product =
                |(weight, product): (&f32, &f32)| f64::from(*weight) * f64::from(*product);
            dot(rounded, quantised) - weights.iter().zip(exact).map(product).sum::<f64>()
        };
        let mean_of = |term: &dyn Fn(f64) -> f64| {
            positions.iter().map(|position| term(error(position))).sum::<f64>()
                / positions.len() as f64
        };
        let mean = mean_of(&|error| error);
        [mean, mean_of(&|error| (error - mean) * (error - mean))]
    }

    /// Compares the rounded weights with all other choices between neighbours.
    #[test]
    fn no_other_neighbour_of_a_weight_is_better() {
        let mut rng = Rng::new(1);
        let (mut nearest_sum, mut sum, mut least_sum) = (0.0, 0.0, 0.0);
        for _ in 0..50 {
            let mut moments = ProductMoments::<N>::zero();
            // Products that depend on one another, some of them zero.
            let positions: Vec<_> = (0..300)
                .map(|_| {
                    let common = rng.next_f64();
                    let mut product = || (common + rng.next_f64() * 0.7 - 0.6).clamp(0.0, 1.0);
                    let exact: [f32; N] = std::array::from_fn(|_| product() as f32);
                    let quantised: Vec<f64> = exact.iter().copied().map(quantised).collect();
                    moments.add(&exact, &quantised);
                    (exact, quantised)
                })
                .collect();
            let moments = moments.centred(positions.len() as f64);
            let weights: [f32; N] = std::array::from_fn(|_| rng.next_f64() as f32 - 0.5);
            let unit = 0.1;
            let RoundedNeuron { weights: found, mean_error } = moments.round(&weights, unit);
            let value = |units: f64| units * unit;
            let found: Vec<f64> = found.into_iter().map(|weight| value(weight.into())).collect();
            let [mean, error] = error_moments(&positions, &weights, &found);
            assert!((mean - mean_error).abs() < 1e-9, "{mean} {mean_error}");
            let floors = weights.map(|weight| (f64::from(weight) / unit).floor());
            let choices = (0..1 << N).map(|choice: usize| {
                let up = |at: usize| f64::from(choice as u32 >> at & 1);
                let rounded: Vec<f64> = (0..N).map(|at| value(floors[at] + up(at))).collect();
                let changes = (0..N).filter(|&at| (rounded[at] - found[at]).abs() > 1e-9).count();
                (changes, error_moments(&positions, &weights, &rounded)[1])
            });
            let choices: Vec<(usize, f64)> = choices.collect();
            assert_eq!(choices.iter().filter(|(changes, _)| *changes == 0).count(), 1);
            for (changes, other) in &choices {
                assert!(*changes > 1 || *other >= error - 1e-12, "{other} {error}");
            }
            let nearest = weights.map(|weight| value((f64::from(weight) / unit).round()));
            nearest_sum += error_moments(&positions, &weights, &nearest)[1];
            least_sum += choices.iter().map(|(_, error)| *error).fold(f64::MAX, f64::min);
            sum += error;
        }
        // One change at a time finds most of what there is.
        assert!(sum < 0.5 * nearest_sum, "{sum} {nearest_sum}");
        assert!(sum < 2.0 * least_sum, "{sum} {least_sum}");
    }

    #[test]
    fn positions_added_together_have_the_sums_of_one_after_another() {
        let mut rng = Rng::new(2);
        let exact: Vec<f32> = (0..30 * N).map(|_| (rng.next_f64() - 0.4).max(0.0) as f32).collect();
        let quantised: Vec<f64> = exact.iter().copied().map(quantised).collect();
        let [mut one_by_one, mut together] = [(); 2].map(|()| ProductMoments::<N>::zero());
        together.add(&exact, &quantised);
        for (exact, quantised) in exact.chunks_exact(N).zip(quantised.chunks_exact(N)) {
            one_by_one.add(exact, quantised);
        }
        let sum = |product: usize, other: usize| {
            (0..30 * N)
                .step_by(N)
                .map(|at| quantised[at + product] * f64::from(exact[at + other]))
                .sum::<f64>()
        };
        for (at, &mixed) in together.mixed.iter().enumerate() {
            assert!((mixed - sum(at / N, at % N)).abs() < 1e-9);
        }
        assert_eq!(sums(one_by_one), sums(together));
    }

    /// With full blocks and rests, in several output buckets.
    #[test]
    fn the_moments_of_samples_are_those_of_their_products() {
        const N: usize = 64;
        let [exact, rounded] = [1, 2].map(TrainableNetwork::<f32, 1, N>::random);
        let mut rng = Rng::new(3);
        let mut position = Position::default();
        let mut samples = Vec::new();
        while samples.len() < 400 {
            let moves = position.legal_moves();
            let m = moves.get(rng.below(moves.len().max(1)));
            position = m.map_or_else(Position::default, |&m| position.after(m));
            samples.push(TrainingPosition::new(&position, 0, GameResult::Draw));
        }
        let moments = ProductMoments::of_samples(&exact, &rounded, &samples);
        let [mut exact, mut rounded] = [&exact, &rounded].map(Predictor::new);
        let mut counts = Vec::new();
        for (bucket, moments) in moments.into_iter().enumerate() {
            let mut one_by_one = ProductMoments::<N>::zero();
            let is_here =
                |sample: &&TrainingPosition| output_bucket(sample.piece_count()) == bucket;
            let samples: Vec<_> = samples.iter().filter(is_here).collect();
            for sample in &samples {
                let quantised = rounded.products(sample).iter().copied().map(quantised);
                one_by_one.add(exact.products(sample), &quantised.collect::<Vec<_>>());
            }
            assert_eq!(sums(one_by_one.centred(samples.len().max(1) as f64)), sums(moments));
            counts.push(samples.len());
        }
        let has_block_and_rest = |count: &&usize| **count > BLOCK && !count.is_multiple_of(BLOCK);
        assert!(counts.iter().filter(has_block_and_rest).count() > 1, "{counts:?}");
    }

    fn sums<const N: usize>(moments: ProductMoments<N>) -> [Vec<f64>; 4] {
        let ProductMoments { exact_means, quantised_means, quantised, mixed } = moments;
        [exact_means, quantised_means, quantised, mixed]
    }

    #[test]
    fn weights_are_rounded_to_the_nearest_without_positions() {
        let moments = ProductMoments::<4>::zero().centred(1.0);
        let RoundedNeuron { weights, mean_error } = moments.round(&[12.7, -0.2, -0.126, 0.04], 0.1);
        assert_eq!((&weights[..], mean_error), (&[127, -2, -1, 0][..], 0.0));
    }
}
