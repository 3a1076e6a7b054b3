//! The forward and the backward pass: the loss of samples and its gradient.
//!
//! Samples are processed in blocks, and consecutive samples of a game differ by a move or two. So
//! the accumulator of a perspective is that of the sample before, with the weights of a few
//! features added and subtracted, as in the engine. The backward pass works alike: a feature that
//! is active from one sample to another receives the sum of the gradients between, which is the
//! difference of two running sums. So a row of weights is read for each change, not for each piece
//! of each sample.

mod feature_changes;
mod hidden_layers;
mod transposed_weights;

use koel_eval::network::simd::Kernel;
use koel_eval::network::{OUTPUT_BUCKETS, output_bucket};

use self::feature_changes::{BLOCK, FeatureChange, FeatureChanges, PerspectiveChanges};
use self::hidden_layers::{GROUP, HiddenSlopes};
use self::transposed_weights::TransposedWeights;
use super::aligned_vec::AlignedVec;
use super::loss::Loss;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::{ActiveFeatures, TrainingPosition};

/// Buffers for one block, which are reused.
#[derive(Clone, Debug)]
pub(super) struct ScratchBuffers<F> {
    /// The accumulators of White and of Black for each sample; in the backward pass, the gradients
    /// with respect to them.
    accumulators: [AlignedVec<F>; 2],
    /// The running sum of gradients, one row.
    sums: AlignedVec<F>,
    /// Those behind the feature transformer.
    layers: LayerBuffers<F>,
    /// The transposed weights of the model.
    transposed: TransposedWeights<F>,
    changes: FeatureChanges,
}

/// Buffers for samples of one output bucket.
#[derive(Clone, Debug)]
struct LayerBuffers<F> {
    /// The pairwise products of each sample, those of the side to move first.
    products: AlignedVec<F>,
    /// The gradients with respect to the products.
    product_slopes: AlignedVec<F>,
}

impl<F: Real> ScratchBuffers<F> {
    pub(super) fn new<const K: usize, const N: usize>() -> ScratchBuffers<F> {
        let rows = |count| AlignedVec::zeros(count * N);
        let accumulators = [rows(BLOCK), rows(BLOCK)];
        let [products, product_slopes] = [rows(GROUP), rows(GROUP)];
        ScratchBuffers {
            accumulators,
            sums: rows(1),
            layers: LayerBuffers { products, product_slopes },
            transposed: TransposedWeights::zeros(N),
            changes: FeatureChanges::new::<K>(),
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
        let ScratchBuffers { accumulators, sums, layers, transposed, changes } = scratch;
        transposed.copy(model);
        let mut sum = 0.0;
        for block in samples.chunks(BLOCK) {
            changes.find::<K>(block);
            for (changes, rows) in changes.perspectives().into_iter().zip(accumulators.iter_mut()) {
                accumulators_forward(model, changes, rows);
            }
            let order = order_by_bucket(block);
            let bucket_of = |at: u8| output_bucket(block[usize::from(at)].piece_count());
            for run in
                order[..block.len()].chunk_by(|&one, &other| bucket_of(one) == bucket_of(other))
            {
                for group in run.chunks(GROUP) {
                    let bucket = bucket_of(group[0]);
                    let rows = accumulators.each_mut().map(|rows| &mut rows[..]);
                    let pass = GroupPass { model, transposed, block, group, bucket, loss, layers };
                    sum += pass.run(rows, gradient.as_deref_mut());
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

/// Returns the places of the samples of a block, those of each output bucket together.
fn order_by_bucket(block: &[TrainingPosition]) -> [u8; BLOCK] {
    const { assert!(BLOCK <= 256, "places fit into a byte") };
    let mut order = [0; BLOCK];
    let mut ends = [0; OUTPUT_BUCKETS + 1];
    for sample in block {
        ends[output_bucket(sample.piece_count()) + 1] += 1;
    }
    for bucket in 0..OUTPUT_BUCKETS {
        ends[bucket + 1] += ends[bucket];
    }
    for (at, sample) in block.iter().enumerate() {
        let end = &mut ends[output_bucket(sample.piece_count())];
        order[*end] = at as u8;
        *end += 1;
    }
    order
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
    layers: &'a mut LayerBuffers<F>,
}

impl<F: Real, const K: usize, const N: usize> GroupPass<'_, F, K, N> {
    /// Returns the sum of the losses. With a gradient, adds those of the layers to it, and replaces
    /// the accumulators of White and of Black by the gradients with respect to them.
    #[inline(always)]
    fn run(self, [white, black]: [&mut [F]; 2], mut gradient: Option<&mut [F]>) -> f64 {
        let GroupPass { model, transposed, block, group, bucket, loss, layers } = self;
        let LayerBuffers { products, product_slopes } = layers;
        let (weights, transposed) = (model.bucket(bucket), transposed.bucket(bucket));
        let samples = || group.iter().map(|&at| (usize::from(at) * N, &block[usize::from(at)]));
        for ((place, sample), products) in samples().zip(products.chunks_exact_mut(N)) {
            let [ours, theirs] = by_turn(sample, [&white[place..][..N], &black[place..][..N]]);
            let (our_products, their_products) = products.split_at_mut(N / 2);
            hidden_layers::pairwise_products::<F, N>(ours, our_products);
            hidden_layers::pairwise_products::<F, N>(theirs, their_products);
        }
        let hidden1 = hidden_layers::hidden1_forward::<F, N>(weights, transposed, products);
        let mut slopes = [HiddenSlopes::default(); GROUP];
        let mut sum = 0.0;
        for (((_, sample), hidden1), slopes) in samples().zip(hidden1).zip(&mut slopes) {
            let (output, values) = hidden_layers::output_forward(weights, hidden1);
            let prediction = loss.expected_score(output);
            let error = prediction - sample.label(loss);
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
        for ((place, sample), slopes) in samples().zip(product_slopes.chunks_exact(N)) {
            let rows = [&mut white[place..][..N], &mut black[place..][..N]];
            let [ours, theirs] = by_turn(sample, rows);
            let (our_slopes, their_slopes) = slopes.split_at(N / 2);
            hidden_layers::products_backward::<F, N>(ours, our_slopes);
            hidden_layers::products_backward::<F, N>(theirs, their_slopes);
        }
        sum
    }
}

/// Returns what belongs to White and Black with that of the side to move first.
#[inline(always)]
fn by_turn<T>(sample: &TrainingPosition, [white, black]: [T; 2]) -> [T; 2] {
    if sample.is_white_to_move() { [white, black] } else { [black, white] }
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
        Predictor { model, transposed, products: AlignedVec::zeros(GROUP * N) }
    }

    /// Returns the evaluation of a sample for the side to move, in units of the scale.
    pub(super) fn predict(&mut self, sample: &TrainingPosition) -> F {
        self.products(sample);
        let Predictor { model, transposed, products } = self;
        let bucket = output_bucket(sample.piece_count());
        let (weights, transposed) = (model.bucket(bucket), transposed.bucket(bucket));
        let [hidden1, ..] = hidden_layers::hidden1_forward::<F, N>(weights, transposed, products);
        hidden_layers::output_forward(weights, hidden1).0
    }

    /// Returns the pairwise products of a sample, those of the side to move first.
    pub(super) fn products(&mut self, sample: &TrainingPosition) -> &[F] {
        let Predictor { model, products, .. } = self;
        let [mut ours, mut theirs] = [[F::default(); N]; 2];
        let features = sample.features::<K>();
        refresh(model, &features[0], &mut ours);
        refresh(model, &features[1], &mut theirs);
        let (our_products, their_products) = products[..N].split_at_mut(N / 2);
        hidden_layers::pairwise_products::<F, N>(&ours, our_products);
        hidden_layers::pairwise_products::<F, N>(&theirs, their_products);
        &self.products[..N]
    }
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
