//! The layers behind the feature transformer: pairwise products and two hidden layers.
//!
//! The products and the first hidden layer are computed with integers. The rest is in floating
//! point, by multiplications and additions in a fixed order, none of them fused, so every machine
//! computes the same bits.

use super::row::{AccumulatorRow, QA};

/// Neurons of the first hidden layer.
pub const HIDDEN1: usize = 16;

/// Neurons of the second hidden layer.
pub const HIDDEN2: usize = 32;

/// Products that the kernels of the first hidden layer process together.
pub(super) const GROUP: usize = 4;

/// The shift that takes a product of two neurons to a byte: [`QA`]² to [`MAX_PRODUCT`].
const PRODUCT_SHIFT: u32 = 10;

/// The largest product.
const MAX_PRODUCT: i16 = rounded_product(QA as u32, QA as u32) as i16;

/// The most that two weights of a neuron with the same sign, of adjacent products at an even place,
/// may add up to. Then the sum of these two fits into 16 bits, in which AVX2 computes it.
pub const MAX_WEIGHT_PAIR: i16 = i16::MAX / MAX_PRODUCT;

/// The unit of the pairwise products.
pub const PRODUCT_UNIT: f64 = (1 << PRODUCT_SHIFT) as f64 / (QA as f64 * QA as f64);

/// The weights of a group of products: for each neuron of the first hidden layer [`GROUP`] of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct GroupWeights(pub(super) [i8; HIDDEN1 * GROUP]);

/// The pairwise products of both perspectives, those of the side to move first.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Products<const N: usize>(pub(super) [u8; N]);

/// The layers behind the feature transformer, of one output bucket.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HiddenLayers<const N: usize> {
    pub(super) hidden1_weights: Box<[GroupWeights]>,
    /// For each neuron of the first hidden layer the value of 1 in its sum.
    pub(super) hidden1_units: [f32; HIDDEN1],
    pub(super) hidden1_biases: [f32; HIDDEN1],
    /// For each neuron of the first hidden layer the weights to the second.
    pub(super) hidden2_weights: [[f32; HIDDEN2]; HIDDEN1],
    pub(super) hidden2_biases: [f32; HIDDEN2],
    pub(super) output_weights: [f32; HIDDEN2],
    pub(super) output_bias: f32,
}

impl<const N: usize> HiddenLayers<N> {
    /// Creates layers with all weights zero.
    pub(super) fn zero() -> HiddenLayers<N> {
        HiddenLayers {
            hidden1_weights: vec![GroupWeights([0; HIDDEN1 * GROUP]); N / GROUP].into(),
            hidden1_units: [0.0; HIDDEN1],
            hidden1_biases: [0.0; HIDDEN1],
            hidden2_weights: [[0.0; HIDDEN2]; HIDDEN1],
            hidden2_biases: [0.0; HIDDEN2],
            output_weights: [0.0; HIDDEN2],
            output_bias: 0.0,
        }
    }

    /// Returns the output for the sums of the first hidden layer.
    #[inline(always)]
    pub(super) fn output_of_sums(&self, sums: &[i32; HIDDEN1]) -> f32 {
        let mut hidden2 = self.hidden2_biases;
        let affine = sums.iter().zip(&self.hidden1_units).zip(&self.hidden1_biases);
        for (((&sum, unit), bias), weights) in affine.zip(&self.hidden2_weights) {
            let neuron = screlu(bias + sum as f32 * unit);
            for (sum, weight) in hidden2.iter_mut().zip(weights) {
                *sum += neuron * weight;
            }
        }
        // The order of additions is that of vectors of eight.
        let mut lanes = [0.0; 8];
        for (neurons, weights) in hidden2.chunks_exact(8).zip(self.output_weights.chunks_exact(8)) {
            for ((lane, &neuron), weight) in lanes.iter_mut().zip(neurons).zip(weights) {
                *lane += screlu(neuron) * weight;
            }
        }
        let [a, b, c, d, e, f, g, h] = lanes;
        self.output_bias + (((a + b) + (c + d)) + ((e + f) + (g + h)))
    }
}

/// The squared clipped rectified linear unit.
#[inline(always)]
fn screlu(value: f32) -> f32 {
    let clipped = value.clamp(0.0, 1.0);
    clipped * clipped
}

/// Clips the neurons of both perspectives, and multiplies those of the first half of a perspective
/// with those of the second.
#[inline(always)]
pub(super) fn pairwise_products<const N: usize>(
    rows: [&AccumulatorRow<N>; 2],
    products: &mut Products<N>,
) {
    for (row, products) in rows.into_iter().zip(products.0.chunks_exact_mut(N / 2)) {
        let (first, second) = row.0.split_at(N / 2);
        for ((product, &one), &other) in products.iter_mut().zip(first).zip(second) {
            let [one, other] = [one, other].map(|value| u32::from(value.clamp(0, QA) as u16));
            *product = rounded_product(one, other);
        }
    }
}

/// Returns the product of two clipped neurons, rounded to a byte.
#[inline(always)]
const fn rounded_product(one: u32, other: u32) -> u8 {
    let rounding = 1 << (PRODUCT_SHIFT - 1);
    ((one * other + rounding) >> PRODUCT_SHIFT) as u8
}

/// Returns the sums of the first hidden layer.
#[inline(always)]
pub(super) fn hidden1_sums<const N: usize>(
    products: &Products<N>,
    weights: &[GroupWeights],
) -> [i32; HIDDEN1] {
    let mut sums = [0; HIDDEN1];
    for (group, weights) in products.0.chunks_exact(GROUP).zip(weights) {
        for (sum, weights) in sums.iter_mut().zip(weights.0.chunks_exact(GROUP)) {
            for (&product, &weight) in group.iter().zip(weights) {
                *sum += i32::from(product) * i32::from(weight);
            }
        }
    }
    sums
}
