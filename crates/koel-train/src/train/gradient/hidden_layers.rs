//! The layers behind the feature transformer, forward and backward, for samples of one output
//! bucket.
//!
//! The neurons of a perspective are clipped to 0..=1, and those of the first half multiplied with
//! those of the second (pairwise products). Two hidden layers with squared clipped ReLU follow.
//!
//! Most weights of these layers are those of the first hidden layer. Samples are processed together
//! so that these weights and their gradient are read from the cache once for all of them.

use std::array;

use koel_eval::network::training::{HIDDEN1, HIDDEN2};

use super::super::real::Real;
use super::super::trainable_network::{BucketWeights, TrainableNetwork};
use super::transposed_weights::TransposedBucket;

/// The number of samples that are processed together.
pub(super) const GROUP: usize = 8;

/// Samples whose sums fit into the vector registers.
const FORWARD_SAMPLES: usize = 4;

const _: () = assert!(GROUP.is_multiple_of(FORWARD_SAMPLES), "no sample is left over");

/// The values of the hidden layers before their activation.
#[derive(Clone, Copy, Debug)]
pub(super) struct HiddenValues<F> {
    hidden1: [F; HIDDEN1],
    hidden2: [F; HIDDEN2],
}

/// The factors of the gradients of the hidden layers' weights, for one sample; zero for one that is
/// missing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HiddenSlopes<F> {
    /// The neurons of the first hidden layer.
    active1: [F; HIDDEN1],
    /// The gradient with respect to the values of the first hidden layer.
    slopes1: [F; HIDDEN1],
    /// The gradient with respect to the values of the second hidden layer.
    slopes2: [F; HIDDEN2],
}

/// Computes the pairwise products of a perspective.
#[inline(always)]
pub(super) fn pairwise_products<F: Real, const N: usize>(neurons: &[F], products: &mut [F]) {
    let (first, second) = neurons[..N].split_at(N / 2);
    for ((product, &one), &other) in products[..N / 2].iter_mut().zip(first).zip(second) {
        *product = one.clipped() * other.clipped();
    }
}

/// Returns the values of the first hidden layer, for each row of products of a group.
#[inline(always)]
pub(super) fn hidden1_forward<F: Real, const N: usize>(
    weights: BucketWeights<'_, F>,
    transposed: TransposedBucket<'_, F>,
    products: &[F],
) -> [[F; HIDDEN1]; GROUP] {
    let mut values = [*weights.hidden1_biases; GROUP];
    let products = products.chunks_exact(FORWARD_SAMPLES * N);
    for (values, products) in values.chunks_exact_mut(FORWARD_SAMPLES).zip(products) {
        // Compilers keep arrays with names in registers, and an array of arrays in memory.
        let [values0, values1, values2, values3] = values else { continue };
        let [mut sums0, mut sums1, mut sums2, mut sums3] = [*values0, *values1, *values2, *values3];
        let [row0, row1, row2, row3] = array::from_fn(|sample| &products[sample * N..][..N]);
        for (at, weights) in transposed.hidden1_weights[..N].iter().enumerate() {
            add_multiple(&mut sums0, row0[at], weights);
            add_multiple(&mut sums1, row1[at], weights);
            add_multiple(&mut sums2, row2[at], weights);
            add_multiple(&mut sums3, row3[at], weights);
        }
        [*values0, *values1, *values2, *values3] = [sums0, sums1, sums2, sums3];
    }
    values
}

/// Adds the multiple of a row to another.
#[inline(always)]
fn add_multiple<F: Real, const LEN: usize>(sums: &mut [F; LEN], factor: F, row: &[F; LEN]) {
    for at in 0..LEN {
        sums[at] += factor * row[at];
    }
}

/// Returns the output and the hidden values for the values of the first hidden layer.
#[inline(always)]
pub(super) fn output_forward<F: Real>(
    weights: BucketWeights<'_, F>,
    hidden1: [F; HIDDEN1],
) -> (F, HiddenValues<F>) {
    let mut hidden2 = *weights.hidden2_biases;
    for (&value, row) in hidden1.iter().zip(weights.hidden2_weights) {
        let clipped = value.clipped();
        add_multiple(&mut hidden2, clipped * clipped, row);
    }
    let mut output = weights.output_bias;
    for (&value, &weight) in hidden2.iter().zip(weights.output_weights) {
        let clipped = value.clipped();
        output += clipped * clipped * weight;
    }
    (output, HiddenValues { hidden1, hidden2 })
}

/// Returns the slope of a squared clipped ReLU.
#[inline(always)]
fn slope_of_square<F: Real>(value: F) -> F {
    let clipped = value.clipped();
    if clipped == value { clipped + clipped } else { F::default() }
}

/// Adds the gradients of the output layer and of the biases, for one sample. Returns those with
/// respect to the hidden values.
#[inline(always)]
pub(super) fn output_backward<F: Real, const K: usize, const N: usize>(
    weights: BucketWeights<'_, F>,
    transposed: TransposedBucket<'_, F>,
    bucket: usize,
    slope: F,
    values: &HiddenValues<F>,
    gradient: &mut [F],
) -> HiddenSlopes<F> {
    let layout = TrainableNetwork::<F, K, N>::LAYOUT;
    gradient[layout.output_biases + bucket] += slope;
    let mut slopes2 = [F::default(); HIDDEN2];
    let output_gradient = &mut gradient[layout.output_weights + bucket * HIDDEN2..][..HIDDEN2];
    for at in 0..HIDDEN2 {
        let clipped = values.hidden2[at].clipped();
        output_gradient[at] += slope * clipped * clipped;
        slopes2[at] = slope * weights.output_weights[at] * slope_of_square(values.hidden2[at]);
    }
    let biases = &mut gradient[layout.hidden2_biases + bucket * HIDDEN2..][..HIDDEN2];
    biases.iter_mut().zip(&slopes2).for_each(|(sum, &slope)| *sum += slope);
    let mut slopes1 = [F::default(); HIDDEN1];
    for (&slope, row) in slopes2.iter().zip(transposed.hidden2_weights) {
        add_multiple(&mut slopes1, slope, row);
    }
    let mut active1 = values.hidden1;
    for (slope, value) in slopes1.iter_mut().zip(&mut active1) {
        *slope = *slope * slope_of_square(*value);
        *value = value.clipped() * value.clipped();
    }
    let biases = &mut gradient[layout.hidden1_biases + bucket * HIDDEN1..][..HIDDEN1];
    biases.iter_mut().zip(&slopes1).for_each(|(sum, &slope)| *sum += slope);
    HiddenSlopes { active1, slopes1, slopes2 }
}

/// Adds the gradients of the weights of the hidden layers, and sets the rows of `product_slopes` to
/// the gradients with respect to the products, for a group of samples.
#[inline(always)]
pub(super) fn hidden_backward<F: Real, const K: usize, const N: usize>(
    weights: BucketWeights<'_, F>,
    bucket: usize,
    slopes: &[HiddenSlopes<F>; GROUP],
    products: &[F],
    product_slopes: &mut [F],
    gradient: &mut [F],
) {
    let layout = TrainableNetwork::<F, K, N>::LAYOUT;
    let hidden2 = &mut gradient[layout.hidden2_weights + bucket * HIDDEN1 * HIDDEN2..];
    let slopes2 = slopes.each_ref().map(|slopes| &slopes.slopes2[..]);
    add_products(hidden2, HIDDEN2, slopes.map(|slopes| slopes.active1), slopes2);
    let hidden1 = &mut gradient[layout.hidden1_weights + bucket * HIDDEN1 * N..];
    let products = array::from_fn(|sample| &products[sample * N..][..N]);
    add_products(hidden1, N, slopes.map(|slopes| slopes.slopes1), products);
    let rows: [&[F]; HIDDEN1] =
        array::from_fn(|neuron| &weights.hidden1_weights[neuron * N..][..N]);
    for (slopes, product_slopes) in slopes.iter().zip(product_slopes.chunks_exact_mut(N)) {
        for at in 0..N {
            let mut sum = F::default();
            for (&slope, row) in slopes.slopes1.iter().zip(&rows) {
                sum += slope * row[at];
            }
            product_slopes[at] = sum;
        }
    }
}

/// Adds for each sample of a group the products of its factors with its row to the rows of a
/// matrix, of this length.
#[inline(always)]
fn add_products<F: Real>(
    matrix: &mut [F],
    length: usize,
    factors: [[F; HIDDEN1]; GROUP],
    rows: [&[F]; GROUP],
) {
    let rows = rows.map(|row| &row[..length]);
    for (at, sums) in matrix.chunks_exact_mut(length).take(HIDDEN1).enumerate() {
        let factors = factors.map(|factors| factors[at]);
        for at in 0..length {
            let mut sum = sums[at];
            for sample in 0..GROUP {
                sum += factors[sample] * rows[sample][at];
            }
            sums[at] = sum;
        }
    }
}

/// Replaces the neurons of a perspective by the gradient with respect to them.
#[inline(always)]
pub(super) fn products_backward<F: Real, const N: usize>(neurons: &mut [F], product_slopes: &[F]) {
    let (first, second) = neurons[..N].split_at_mut(N / 2);
    for ((one, other), &slope) in first.iter_mut().zip(second).zip(&product_slopes[..N / 2]) {
        let [a, b] = [one.clipped(), other.clipped()];
        let [a_is_between, b_is_between] = [a == *one, b == *other];
        *one = if a_is_between { slope * b } else { F::default() };
        *other = if b_is_between { slope * a } else { F::default() };
    }
}
