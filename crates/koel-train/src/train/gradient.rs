//! The forward and the backward pass: the loss of samples and its gradient.

mod hidden_layers;
mod transposed_weights;

use std::array;

use koel_eval::network::output_bucket;
use koel_eval::network::simd::Kernel;

use self::hidden_layers::{GROUP, HiddenSlopes};
use self::transposed_weights::TransposedWeights;
use super::loss::Loss;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::{ActiveFeatures, TrainingPosition};
use super::{AlignedVec, zeros};

/// Samples processed together, so few that their places fit into a byte.
const BLOCK: usize = 128;

/// Buffers for one block, which are reused.
#[derive(Clone, Debug)]
pub(super) struct ScratchBuffers<F> {
    /// The active features of each sample for the side to move and for the opponent.
    features: Vec<[ActiveFeatures; 2]>,
    /// The accumulators of the side to move and of the opponent for each sample; in the backward
    /// pass, the gradients with respect to them.
    accumulators: [AlignedVec<F>; 2],
    /// The pairwise products of each sample of a group, those of the side to move first.
    products: AlignedVec<F>,
    /// The gradients with respect to the products.
    product_slopes: AlignedVec<F>,
    /// The transposed weights of the model.
    transposed: TransposedWeights<F>,
}

impl<F: Real> ScratchBuffers<F> {
    pub(super) fn new<const N: usize>() -> ScratchBuffers<F> {
        let rows = |count| zeros(count * N);
        ScratchBuffers {
            features: Vec::with_capacity(BLOCK),
            accumulators: [rows(BLOCK), rows(BLOCK)],
            products: rows(GROUP),
            product_slopes: rows(GROUP),
            transposed: TransposedWeights::zeros(N),
        }
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
        let GradientPass { model, samples, loss, scratch, mut gradient } = self;
        let ScratchBuffers { features, accumulators, products, product_slopes, transposed } =
            scratch;
        transposed.copy(model);
        let mut sum = 0.0;
        for block in samples.chunks(BLOCK) {
            features.clear();
            features.extend(block.iter().map(TrainingPosition::features::<K>));
            for (side, rows) in accumulators.iter_mut().enumerate() {
                for (features, row) in features.iter().zip(rows.chunks_exact_mut(N)) {
                    refresh(model, &features[side], row);
                }
            }
            let bucket_of = |at: u8| output_bucket(block[usize::from(at)].piece_count());
            // The places of the samples, those of each output bucket together.
            let mut order: [u8; BLOCK] = array::from_fn(|at| at as u8);
            order[..block.len()].sort_by_key(|&at| bucket_of(at));
            for run in
                order[..block.len()].chunk_by(|&one, &other| bucket_of(one) == bucket_of(other))
            {
                for group in run.chunks(GROUP) {
                    let bucket = bucket_of(group[0]);
                    let rows = accumulators.each_mut().map(|rows| &mut rows[..]);
                    let buffers = [&mut **products, &mut **product_slopes];
                    let pass = GroupPass { model, transposed, block, group, bucket, loss };
                    sum += pass.run(rows, buffers, gradient.as_deref_mut());
                }
            }
            if let Some(gradient) = gradient.as_deref_mut() {
                for (side, rows) in accumulators.iter().enumerate() {
                    for (features, row) in features.iter().zip(rows.chunks_exact(N)) {
                        features_backward::<F, K, N>(&features[side], row, gradient);
                    }
                }
            }
        }
        sum
    }
}

/// The part of a pass behind the feature transformer, for samples of a block that are in one output
/// bucket.
struct GroupPass<'a, F, const K: usize, const N: usize> {
    model: &'a TrainableNetwork<F, K, N>,
    transposed: &'a TransposedWeights<F>,
    block: &'a [TrainingPosition],
    /// The places of the samples in the block; at most [`GROUP`].
    group: &'a [u8],
    bucket: usize,
    loss: Loss<F>,
}

impl<F: Real, const K: usize, const N: usize> GroupPass<'_, F, K, N> {
    /// Returns the sum of the losses. With a gradient, adds those of the layers to it, and replaces
    /// the accumulators by the gradients with respect to them.
    #[inline(always)]
    fn run(
        self,
        [ours, theirs]: [&mut [F]; 2],
        [products, product_slopes]: [&mut [F]; 2],
        mut gradient: Option<&mut [F]>,
    ) -> f64 {
        let GroupPass { model, transposed, block, group, bucket, loss } = self;
        let (weights, transposed) = (model.bucket(bucket), transposed.bucket(bucket));
        let samples = || group.iter().map(|&at| (usize::from(at) * N, &block[usize::from(at)]));
        for ((place, _), products) in samples().zip(products.chunks_exact_mut(N)) {
            let (our_products, their_products) = products.split_at_mut(N / 2);
            hidden_layers::pairwise_products::<F, N>(&ours[place..][..N], our_products);
            hidden_layers::pairwise_products::<F, N>(&theirs[place..][..N], their_products);
        }
        let hidden1 = hidden_layers::hidden1_forward::<F, N>(weights, transposed, products);
        let mut slopes = [HiddenSlopes::default(); GROUP];
        let mut sum = 0.0;
        for (((_, sample), hidden1), slopes) in samples().zip(hidden1).zip(&mut slopes) {
            let (output, values) = hidden_layers::output_forward(weights, hidden1);
            let prediction = loss.expected_score(output);
            let error = prediction - sample.label();
            sum += (error * error).to_f64();
            if let Some(gradient) = gradient.as_deref_mut() {
                let slope = loss.slope(prediction, error);
                *slopes = hidden_layers::output_backward::<F, K, N>(
                    weights, transposed, bucket, slope, &values, gradient,
                );
            }
        }
        let Some(gradient) = gradient else { return sum };
        hidden_layers::hidden_backward::<F, K, N>(
            weights,
            bucket,
            &slopes,
            products,
            product_slopes,
            gradient,
        );
        for ((place, _), slopes) in samples().zip(product_slopes.chunks_exact(N)) {
            let (our_slopes, their_slopes) = slopes.split_at(N / 2);
            hidden_layers::products_backward::<F, N>(&mut ours[place..][..N], our_slopes);
            hidden_layers::products_backward::<F, N>(&mut theirs[place..][..N], their_slopes);
        }
        sum
    }
}

/// Evaluates samples one by one.
pub(super) struct Predictor<'a, F, const K: usize, const N: usize> {
    model: &'a TrainableNetwork<F, K, N>,
    transposed: TransposedWeights<F>,
    products: AlignedVec<F>,
}

impl<'a, F: Real, const K: usize, const N: usize> Predictor<'a, F, K, N> {
    /// Creates a predictor of this network.
    pub(super) fn new(model: &'a TrainableNetwork<F, K, N>) -> Predictor<'a, F, K, N> {
        let mut transposed = TransposedWeights::zeros(N);
        transposed.copy(model);
        Predictor { model, transposed, products: zeros(GROUP * N) }
    }

    /// Returns the evaluation of a sample for the side to move, in units of the scale.
    #[inline(always)]
    pub(super) fn predict(&mut self, sample: &TrainingPosition) -> F {
        let Predictor { model, transposed, products } = self;
        for (features, products) in
            sample.features::<K>().iter().zip(products.chunks_exact_mut(N / 2))
        {
            let mut neurons = [F::default(); N];
            refresh(model, features, &mut neurons);
            hidden_layers::pairwise_products::<F, N>(&neurons, products);
        }
        let bucket = output_bucket(sample.piece_count());
        let (weights, transposed) = (model.bucket(bucket), transposed.bucket(bucket));
        let [hidden1, ..] = hidden_layers::hidden1_forward::<F, N>(weights, transposed, products);
        hidden_layers::output_forward(weights, hidden1).0
    }
}

/// Computes the accumulator of one perspective from the biases.
#[inline(always)]
fn refresh<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    features: &ActiveFeatures,
    neurons: &mut [F],
) {
    let row = |feature: u16| &model.feature_weights(usize::from(feature))[..N];
    let neurons = &mut neurons[..N];
    neurons.copy_from_slice(&model.feature_biases()[..N]);
    // Two rows at a time, so that the sums are loaded and stored half as often.
    let (pairs, last) = features.indices().as_chunks::<2>();
    for &[one, other] in pairs {
        let (one, other) = (row(one), row(other));
        for at in 0..N {
            neurons[at] = neurons[at] + one[at] + other[at];
        }
    }
    for &feature in last {
        add::<F, N>(neurons, row(feature));
    }
}

/// Adds the gradient with respect to the neurons of a perspective to those of its active features
/// and of the biases.
#[inline(always)]
fn features_backward<F: Real, const K: usize, const N: usize>(
    features: &ActiveFeatures,
    row: &[F],
    gradient: &mut [F],
) {
    for &feature in features.indices() {
        add::<F, N>(&mut gradient[usize::from(feature) * N..], row);
    }
    add::<F, N>(&mut gradient[TrainableNetwork::<F, K, N>::LAYOUT.feature_biases..], row);
}

/// Adds a row to a row.
#[inline(always)]
fn add<F: Real, const N: usize>(sums: &mut [F], row: &[F]) {
    for (sum, &value) in sums[..N].iter_mut().zip(&row[..N]) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests;
