//! The forward and the backward pass: the loss of samples and its gradient.
//!
//! Samples are processed in blocks, and consecutive samples of a game differ by a move or two. So
//! the accumulator of a perspective is that of the sample before, with the weights of a few
//! features added and subtracted, as in the engine. The backward pass works alike: a feature that
//! is active from one sample to another receives the sum of the gradients between, which is the
//! difference of two running sums. So a row of weights is read for each change, not for each piece
//! of each sample.

mod feature_changes;

use koel_eval::network::output_bucket;
use koel_eval::network::simd::Kernel;

use self::feature_changes::{BLOCK, FeatureChange, FeatureChanges, PerspectiveChanges};
use super::aligned_vec::AlignedVec;
use super::loss::Loss;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::{ActiveFeatures, TrainingPosition};

/// Partial sums of a dot product, whatever the vector width of the machine.
const LANES: usize = 16;

/// Buffers for one block, which are reused.
#[derive(Clone, Debug)]
pub(super) struct ScratchBuffers<F> {
    /// The accumulators of White and of Black for each sample; in the backward pass, the gradients
    /// with respect to them.
    accumulators: [AlignedVec<F>; 2],
    /// The running sum of gradients, one row.
    sums: AlignedVec<F>,
    changes: FeatureChanges,
}

impl<F: Real> ScratchBuffers<F> {
    pub(super) fn new<const K: usize, const N: usize>() -> ScratchBuffers<F> {
        let rows = |count| AlignedVec::zeros(count * N);
        let accumulators = [rows(BLOCK), rows(BLOCK)];
        ScratchBuffers { accumulators, sums: rows(1), changes: FeatureChanges::new::<K>() }
    }
}

/// A pass over samples, which computes the sum of their losses and, if wanted, of their gradients.
pub(super) struct GradientPass<'a, F, const K: usize, const N: usize> {
    pub(super) model: &'a TrainableNetwork<F, K, N>,
    pub(super) samples: &'a [TrainingPosition],
    pub(super) loss: Loss<F>,
    pub(super) scratch: &'a mut ScratchBuffers<F>,
    /// As long as the weights of the model; the gradients are added to it.
    pub(super) gradient: Option<&'a mut [F]>,
}

impl<F: Real, const K: usize, const N: usize> Kernel for GradientPass<'_, F, K, N> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        const { assert!(N.is_multiple_of(LANES), "rows consist of whole lanes") };
        let GradientPass { model, samples, loss, scratch, mut gradient } = self;
        let mut sum = 0.0;
        for block in samples.chunks(BLOCK) {
            let ScratchBuffers { accumulators, sums, changes } = &mut *scratch;
            changes.find::<K>(block);
            for (changes, rows) in changes.perspectives().into_iter().zip(accumulators.iter_mut()) {
                accumulators_forward(model, changes, rows);
            }
            let [white, black] = &mut *accumulators;
            let rows = white.chunks_exact_mut(N).zip(black.chunks_exact_mut(N));
            for (sample, (white, black)) in block.iter().zip(rows) {
                let [ours, theirs] =
                    if sample.is_white_to_move() { [white, black] } else { [black, white] };
                let bucket = output_bucket(sample.piece_count());
                let prediction = loss.expected_score(output(model, bucket, [ours, theirs]));
                let error = prediction - sample.label(loss);
                sum += (error * error).to_f64();
                if let Some(gradient) = gradient.as_deref_mut() {
                    let layout = TrainableNetwork::<F, K, N>::LAYOUT;
                    let slope = loss.slope(prediction, error);
                    gradient[layout.output_biases + bucket] += slope;
                    let at = layout.output_weights + bucket * 2 * N;
                    let (our_sums, their_sums) = gradient[at..][..2 * N].split_at_mut(N);
                    let [our_weights, their_weights] = model.output_weights(bucket);
                    output_backward(slope, our_weights, our_sums, ours);
                    output_backward(slope, their_weights, their_sums, theirs);
                }
            }
            if let Some(gradient) = gradient.as_deref_mut() {
                for (changes, rows) in changes.perspectives().into_iter().zip(&*accumulators) {
                    features_backward::<F, K, N>(changes, rows, sums, gradient);
                }
            }
        }
        sum
    }
}

/// Returns the evaluation of a sample for the side to move, in units of the scale.
pub(super) fn predict<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    sample: &TrainingPosition,
) -> F {
    let [mut ours, mut theirs] = [[F::default(); N]; 2];
    let features = sample.features::<K>();
    refresh(model, &features[0], &mut ours);
    refresh(model, &features[1], &mut theirs);
    output(model, output_bucket(sample.piece_count()), [&ours, &theirs])
}

/// Computes the accumulators of one perspective for all samples of a block.
#[inline(always)]
fn accumulators_forward<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    changes: &[PerspectiveChanges],
    rows: &mut [F],
) {
    for (at, sample) in changes.iter().enumerate() {
        let (before, here) = rows.split_at_mut(at * N);
        let here = &mut here[..N];
        let start = match sample.is_refresh {
            true => &model.feature_biases()[..N],
            false => &before[(at - 1) * N..][..N],
        };
        let row = |change: &FeatureChange| &model.feature_weights(change.feature())[..N];
        let Some((first, rest)) = sample.updates().split_first() else {
            here.copy_from_slice(start);
            continue;
        };
        let (sign, first) = (first.sign::<F>(), row(first));
        for at in 0..N {
            here[at] = start[at] + sign * first[at];
        }
        let (pairs, last) = rest.as_chunks::<2>();
        for [one, other] in pairs {
            let (signs, one, other) = ([one.sign::<F>(), other.sign()], row(one), row(other));
            for at in 0..N {
                here[at] = here[at] + signs[0] * one[at] + signs[1] * other[at];
            }
        }
        for change in last {
            add::<F, N>(here, change.sign(), row(change));
        }
    }
}

/// Adds a row to a row, with a sign. Rows are processed whole: their distance in memory is such
/// that parts of many rows would map to few sets of the cache.
#[inline(always)]
fn add<F: Real, const N: usize>(sums: &mut [F], sign: F, row: &[F]) {
    for (sum, &value) in sums[..N].iter_mut().zip(&row[..N]) {
        *sum += sign * value;
    }
}

/// Computes the accumulator of one perspective from the biases.
fn refresh<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    features: &ActiveFeatures,
    neurons: &mut [F],
) {
    neurons.copy_from_slice(model.feature_biases());
    for &feature in features.indices() {
        add::<F, N>(neurons, F::from_f64(1.0), model.feature_weights(usize::from(feature)));
    }
}

/// Computes the output layer, in units of the scale.
#[inline(always)]
fn output<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    bucket: usize,
    accumulators: [&[F]; 2],
) -> F {
    let mut sums = [F::default(); LANES];
    for (neurons, weights) in accumulators.into_iter().zip(model.output_weights(bucket)) {
        let chunks = neurons.chunks_exact(LANES).zip(weights.chunks_exact(LANES));
        for (neurons, weights) in chunks {
            for ((sum, &neuron), &weight) in sums.iter_mut().zip(neurons).zip(weights) {
                let clipped = neuron.clipped();
                *sum += clipped * clipped * weight;
            }
        }
    }
    sums.into_iter().fold(model.output_bias(bucket), |all, sum| all + sum)
}

/// Adds the gradient with respect to the output weights of a perspective, and replaces its neurons
/// by the gradient with respect to them.
#[inline(always)]
fn output_backward<F: Real>(slope: F, weights: &[F], gradient: &mut [F], neurons: &mut [F]) {
    let double = F::from_f64(2.0) * slope;
    for ((neuron, sum), &weight) in neurons.iter_mut().zip(gradient).zip(weights) {
        let clipped = neuron.clipped();
        *sum += slope * clipped * clipped;
        let is_between = clipped == *neuron;
        *neuron = if is_between { double * weight * clipped } else { F::default() };
    }
}

/// Adds the gradients with respect to the neurons of a perspective to those of the features that
/// were active. (A feature that becomes active after a sample subtracts the sum so far, and one
/// that becomes inactive adds it.)
#[inline(always)]
fn features_backward<F: Real, const K: usize, const N: usize>(
    changes: &[PerspectiveChanges],
    rows: &[F],
    sums: &mut [F],
    gradient: &mut [F],
) {
    let one = F::from_f64(1.0);
    let (features, rest) =
        gradient.split_at_mut(TrainableNetwork::<F, K, N>::LAYOUT.feature_biases);
    sums.fill(F::default());
    for (sample, row) in changes.iter().zip(rows.chunks_exact(N)) {
        let (pairs, last) = sample.changes().as_chunks::<2>();
        for pair in pairs {
            let places =
                pair.each_ref().map(|change| change.feature() * N..(change.feature() + 1) * N);
            let signs = pair.each_ref().map(|change| -change.sign::<F>());
            // No two changes concern the same feature.
            let Ok([one, other]) = features.get_disjoint_mut(places) else { continue };
            for ((one, other), &sum) in one.iter_mut().zip(other).zip(&sums[..N]) {
                *one += signs[0] * sum;
                *other += signs[1] * sum;
            }
        }
        for change in last {
            add::<F, N>(&mut features[change.feature() * N..], -change.sign::<F>(), sums);
        }
        add::<F, N>(sums, one, row);
    }
    for change in changes.last().map_or(&[][..], PerspectiveChanges::active) {
        add::<F, N>(&mut features[change.feature() * N..], one, sums);
    }
    add::<F, N>(rest, one, sums);
}

#[cfg(test)]
mod tests;
