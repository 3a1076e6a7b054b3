//! Forwards through the network and backwards: the loss of samples and its gradient.
//!
//! Samples go through in blocks. A block's neurons stay in the cache; going back, its inputs are
//! sorted by number, so that each row of the gradient is fetched once for all samples that share
//! the input.

use koel_eval::network::simd::Kernel;
use koel_eval::network::{FEATURES, output_bucket};

use super::model::Model;
use super::real::Real;
use super::sample::{Inputs, Sample};

/// Samples that go through together.
const BLOCK: usize = 128;

/// Numbers that are added up in registers. Loops over them are written out, not hidden in closures:
/// what is not inlined is not compiled for the machine.
const CHUNK: usize = 64;

/// Sums that a dot product keeps, whatever the vectors of the machine hold.
const LANES: usize = 16;

/// Room for one block, used again and again.
#[derive(Clone, Debug)]
pub(super) struct Scratch<F> {
    /// Neurons of both views of each sample; going back, the gradient by them.
    neurons: Vec<F>,
    inputs: Vec<[Inputs; 2]>,
    /// For each input where its uses begin among `uses`.
    starts: Vec<u32>,
    /// Rows of `neurons`, sorted by input.
    uses: Vec<u32>,
}

impl<F: Real> Scratch<F> {
    pub(super) fn new<const K: usize, const N: usize>() -> Scratch<F> {
        Scratch {
            neurons: vec![F::default(); BLOCK * 2 * N],
            inputs: Vec::with_capacity(BLOCK),
            starts: vec![0; K * FEATURES + 1],
            uses: Vec::new(),
        }
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
        const { assert!(N.is_multiple_of(CHUNK), "rows are gone through in chunks") };
        let Pass { model, samples, lambda, scratch, mut gradient } = self;
        let mut loss = 0.0;
        for block in samples.chunks(BLOCK) {
            scratch.inputs.clear();
            for sample in block {
                scratch.inputs.push(sample.inputs::<K>());
            }
            let rows = scratch.neurons.chunks_exact_mut(2 * N);
            for ((sample, inputs), neurons) in block.iter().zip(&scratch.inputs).zip(rows) {
                let [ours, theirs] = inputs;
                let (our_neurons, their_neurons) = neurons.split_at_mut(N);
                forward(model, ours, our_neurons);
                forward(model, theirs, their_neurons);
                let bucket = output_bucket(sample.piece_count());
                let said = output(model, bucket, [our_neurons, their_neurons]).sigmoid();
                let error = said - sample.target(lambda);
                loss += (error * error).wide();
                if let Some(gradient) = gradient.as_deref_mut() {
                    let slope = F::of(2.0) * error * said * (F::of(1.0) - said);
                    gradient[Model::<F, K, N>::LAYOUT.constants + bucket] += slope;
                    outputs_backward(model, bucket, slope, neurons, gradient);
                }
            }
            if let Some(gradient) = gradient.as_deref_mut() {
                inputs_backward::<F, K, N>(block.len(), scratch, gradient);
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

/// The neurons of one view, not yet clipped.
#[inline(always)]
fn forward<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    inputs: &Inputs,
    neurons: &mut [F],
) {
    for at in (0..N).step_by(CHUNK) {
        let mut sums = [F::default(); CHUNK];
        sums.copy_from_slice(&model.start()[at..][..CHUNK]);
        for &number in inputs.numbers() {
            let row = &model.input(usize::from(number))[at..][..CHUNK];
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        neurons[at..][..CHUNK].copy_from_slice(&sums);
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

/// Adds the gradient by the output weights, and puts that by the neurons in their place.
#[inline(always)]
fn outputs_backward<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    bucket: usize,
    slope: F,
    neurons: &mut [F],
    gradient: &mut [F],
) {
    let at = Model::<F, K, N>::LAYOUT.outputs + bucket * 2 * N;
    let gradient = &mut gradient[at..][..2 * N];
    let weights = &model.numbers[at..][..2 * N];
    let double = F::of(2.0) * slope;
    for ((neuron, sum), &weight) in neurons.iter_mut().zip(gradient).zip(weights) {
        let clipped = neuron.clipped();
        *sum += slope * clipped * clipped;
        let is_between = clipped == *neuron;
        *neuron = if is_between { double * weight * clipped } else { F::default() };
    }
}

/// Adds the gradients by the neurons of a block to those by the inputs that were on.
#[inline(always)]
fn inputs_backward<F: Real, const K: usize, const N: usize>(
    samples: usize,
    scratch: &mut Scratch<F>,
    gradient: &mut [F],
) {
    sort_uses(scratch);
    let (inputs, rest) = gradient.split_at_mut(Model::<F, K, N>::LAYOUT.start);
    for (number, row) in inputs.chunks_exact_mut(N).enumerate() {
        let uses = scratch.starts[number] as usize..scratch.starts[number + 1] as usize;
        if !uses.is_empty() {
            add_rows::<F, N>(row, &scratch.neurons, scratch.uses[uses].iter().copied());
        }
    }
    add_rows::<F, N>(&mut rest[..N], &scratch.neurons, 0..2 * samples as u32);
}

/// Lists for each input the views in which it is on, in order. (Counting sort.)
#[inline(always)]
fn sort_uses<F>(scratch: &mut Scratch<F>) {
    let Scratch { inputs, starts, uses, .. } = scratch;
    starts.fill(0);
    for inputs in inputs.as_flattened() {
        for &number in inputs.numbers() {
            starts[usize::from(number)] += 1;
        }
    }
    let mut end = 0;
    for start in starts.iter_mut() {
        end += *start;
        *start = end;
    }
    uses.resize(end as usize, 0);
    // From the last to the first, so that each start comes down to where it begins.
    for (view, inputs) in inputs.as_flattened().iter().enumerate().rev() {
        for &number in inputs.numbers() {
            let start = &mut starts[usize::from(number)];
            *start -= 1;
            uses[*start as usize] = view as u32;
        }
    }
}

/// Adds these of the rows to one row.
#[inline(always)]
fn add_rows<F: Real, const N: usize>(
    row: &mut [F],
    rows: &[F],
    which: impl Iterator<Item = u32> + Clone,
) {
    for at in (0..N).step_by(CHUNK) {
        let mut sums = [F::default(); CHUNK];
        sums.copy_from_slice(&row[at..][..CHUNK]);
        for view in which.clone() {
            let other = &rows[view as usize * N + at..][..CHUNK];
            for (sum, &value) in sums.iter_mut().zip(other) {
                *sum += value;
            }
        }
        row[at..][..CHUNK].copy_from_slice(&sums);
    }
}

#[cfg(test)]
mod tests;
