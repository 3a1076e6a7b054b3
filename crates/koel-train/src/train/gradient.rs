//! Forwards through the network and backwards: the loss of samples and its gradient.
//!
//! Samples go through in blocks, and of the samples of a game one differs from the next by a move
//! or two. So the neurons of a view are those of the sample before with the rows of a few inputs
//! added and taken away, as in the engine. Going back it is the same: an input that was on from one
//! sample to another gets the sum of the gradients between, which is the difference of two running
//! sums. So a row is fetched for every change, and not for every piece of every sample.

mod changes;

use koel_eval::network::output_bucket;
use koel_eval::network::simd::Kernel;

use self::changes::{Change, Changes, Seen};
use super::aligned::Aligned;
use super::model::Model;
use super::real::Real;
use super::sample::{Inputs, Sample};

/// Samples that go through together.
const BLOCK: usize = 128;

/// Sums that a dot product keeps, whatever the vectors of the machine hold.
const LANES: usize = 16;

/// Room for one block, used again and again.
#[derive(Clone, Debug)]
pub(super) struct Scratch<F> {
    /// Of White's view and of Black's, the neurons of each sample; going back, the gradient by them.
    views: [Aligned<F>; 2],
    /// One row.
    sums: Aligned<F>,
    changes: Changes,
}

impl<F: Real> Scratch<F> {
    pub(super) fn new<const K: usize, const N: usize>() -> Scratch<F> {
        let rows = |count| Aligned::zeros(count * N);
        Scratch { views: [rows(BLOCK), rows(BLOCK)], sums: rows(1), changes: Changes::new::<K>() }
    }
}

/// The sum of the losses of samples, and of their gradients if they are wanted.
pub(super) struct Pass<'a, F, const K: usize, const N: usize> {
    pub(super) model: &'a Model<F, K, N>,
    pub(super) samples: &'a [Sample],
    pub(super) lambda: F,
    pub(super) scratch: &'a mut Scratch<F>,
    /// As long as the numbers of the model; added to.
    pub(super) gradient: Option<&'a mut [F]>,
}

impl<F: Real, const K: usize, const N: usize> Kernel for Pass<'_, F, K, N> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        const { assert!(N.is_multiple_of(LANES), "rows are gone through in lanes") };
        let Pass { model, samples, lambda, scratch, mut gradient } = self;
        let mut loss = 0.0;
        for block in samples.chunks(BLOCK) {
            let Scratch { views, sums, changes } = &mut *scratch;
            changes.list::<K>(block);
            for (view, rows) in changes.views().into_iter().zip(views.iter_mut()) {
                view_forward(model, view, rows);
            }
            let [white, black] = &mut *views;
            let rows = white.chunks_exact_mut(N).zip(black.chunks_exact_mut(N));
            for (sample, (white, black)) in block.iter().zip(rows) {
                let [ours, theirs] =
                    if sample.is_white_to_move() { [white, black] } else { [black, white] };
                let bucket = output_bucket(sample.piece_count());
                let said = output(model, bucket, [ours, theirs]).sigmoid();
                let error = said - sample.target(lambda);
                loss += (error * error).wide();
                if let Some(gradient) = gradient.as_deref_mut() {
                    let slope = F::of(2.0) * error * said * (F::of(1.0) - said);
                    gradient[Model::<F, K, N>::LAYOUT.constants + bucket] += slope;
                    let at = Model::<F, K, N>::LAYOUT.outputs + bucket * 2 * N;
                    let (our_sums, their_sums) = gradient[at..][..2 * N].split_at_mut(N);
                    let [our_weights, their_weights] = model.outputs(bucket);
                    outputs_backward(slope, our_weights, our_sums, ours);
                    outputs_backward(slope, their_weights, their_sums, theirs);
                }
            }
            if let Some(gradient) = gradient.as_deref_mut() {
                for (view, rows) in changes.views().into_iter().zip(&*views) {
                    inputs_backward::<F, K, N>(view, rows, sums, gradient);
                }
            }
        }
        loss
    }
}

/// What a model says of a sample, in units of the scale, for the side to move.
pub(super) fn said<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    sample: &Sample,
) -> F {
    let [mut ours, mut theirs] = [[F::default(); N]; 2];
    let inputs = sample.inputs::<K>();
    forward(model, &inputs[0], &mut ours);
    forward(model, &inputs[1], &mut theirs);
    output(model, output_bucket(sample.piece_count()), [&ours, &theirs])
}

/// The neurons of one view of all samples of a block, not yet clipped.
#[inline(always)]
fn view_forward<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    view: &[Seen],
    rows: &mut [F],
) {
    for (at, seen) in view.iter().enumerate() {
        let (before, here) = rows.split_at_mut(at * N);
        let here = &mut here[..N];
        let start = match seen.is_fresh {
            true => &model.start()[..N],
            false => &before[(at - 1) * N..][..N],
        };
        let row = |change: &Change| &model.input(change.input())[..N];
        let Some((first, rest)) = seen.steps().split_first() else {
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

/// Adds a row to a row, with a sign. Rows are gone through whole: they stand so far apart that
/// parts of many would share few places of the cache.
#[inline(always)]
fn add<F: Real, const N: usize>(sums: &mut [F], sign: F, row: &[F]) {
    for (sum, &value) in sums[..N].iter_mut().zip(&row[..N]) {
        *sum += sign * value;
    }
}

/// The neurons of one view, from nothing.
fn forward<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    inputs: &Inputs,
    neurons: &mut [F],
) {
    neurons.copy_from_slice(model.start());
    for &number in inputs.numbers() {
        add::<F, N>(neurons, F::of(1.0), model.input(usize::from(number)));
    }
}

/// What the network says, in units of the scale.
#[inline(always)]
fn output<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    bucket: usize,
    views: [&[F]; 2],
) -> F {
    let mut sums = [F::default(); LANES];
    for (neurons, weights) in views.into_iter().zip(model.outputs(bucket)) {
        let chunks = neurons.chunks_exact(LANES).zip(weights.chunks_exact(LANES));
        for (neurons, weights) in chunks {
            for ((sum, &neuron), &weight) in sums.iter_mut().zip(neurons).zip(weights) {
                let clipped = neuron.clipped();
                *sum += clipped * clipped * weight;
            }
        }
    }
    sums.into_iter().fold(model.constant(bucket), |all, sum| all + sum)
}

/// Adds the gradient by the output weights of a view, and puts that by its neurons in their place.
#[inline(always)]
fn outputs_backward<F: Real>(slope: F, weights: &[F], gradient: &mut [F], neurons: &mut [F]) {
    let double = F::of(2.0) * slope;
    for ((neuron, sum), &weight) in neurons.iter_mut().zip(gradient).zip(weights) {
        let clipped = neuron.clipped();
        *sum += slope * clipped * clipped;
        let is_between = clipped == *neuron;
        *neuron = if is_between { double * weight * clipped } else { F::default() };
    }
}

/// Adds the gradients by the neurons of a view to those by the inputs that were on. (An input that
/// came on behind a sample has no part in the sum so far, and one that went off has all of it.)
#[inline(always)]
fn inputs_backward<F: Real, const K: usize, const N: usize>(
    view: &[Seen],
    rows: &[F],
    sums: &mut [F],
    gradient: &mut [F],
) {
    let one = F::of(1.0);
    let (inputs, rest) = gradient.split_at_mut(Model::<F, K, N>::LAYOUT.start);
    sums.fill(F::default());
    for (seen, row) in view.iter().zip(rows.chunks_exact(N)) {
        let (pairs, last) = seen.changes().as_chunks::<2>();
        for pair in pairs {
            let places = pair.each_ref().map(|change| change.input() * N..(change.input() + 1) * N);
            let signs = pair.each_ref().map(|change| -change.sign::<F>());
            // No two changes are of one input.
            let Ok([one, other]) = inputs.get_disjoint_mut(places) else { continue };
            for ((one, other), &sum) in one.iter_mut().zip(other).zip(&sums[..N]) {
                *one += signs[0] * sum;
                *other += signs[1] * sum;
            }
        }
        for change in last {
            add::<F, N>(&mut inputs[change.input() * N..], -change.sign::<F>(), sums);
        }
        add::<F, N>(sums, one, row);
    }
    for change in view.last().map_or(&[][..], Seen::inputs) {
        add::<F, N>(&mut inputs[change.input() * N..], one, sums);
    }
    add::<F, N>(rest, one, sums);
}

#[cfg(test)]
mod tests;
