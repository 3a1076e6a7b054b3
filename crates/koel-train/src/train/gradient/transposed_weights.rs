//! Transposed copies of the weights of the hidden layers: a row for each product, and for each
//! neuron of the second hidden layer. So the sums of all neurons of the first hidden layer, and the
//! gradients with respect to them, are computed side by side.

use koel_eval::network::OUTPUT_BUCKETS;
use koel_eval::network::training::{HIDDEN1, HIDDEN2};

use super::super::real::Real;
use super::super::trainable_network::TrainableNetwork;
use super::super::{AlignedVec, zeros};

/// The transposed weights of all output buckets.
#[derive(Clone, Debug)]
pub(super) struct TransposedWeights<F> {
    hidden1: AlignedVec<F>,
    hidden2: AlignedVec<F>,
    neurons: usize,
}

/// The transposed weights of one output bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransposedBucket<'a, F> {
    /// For each product the weights to the neurons of the first hidden layer.
    pub(super) hidden1_weights: &'a [[F; HIDDEN1]],
    /// For each neuron of the second hidden layer the weights from those of the first.
    pub(super) hidden2_weights: &'a [[F; HIDDEN1]],
}

impl<F: Real> TransposedWeights<F> {
    /// Creates the weights for a network with this many neurons in the feature transformer, all
    /// zero.
    pub(super) fn zeros(neurons: usize) -> TransposedWeights<F> {
        TransposedWeights {
            hidden1: zeros(OUTPUT_BUCKETS * HIDDEN1 * neurons),
            hidden2: zeros(OUTPUT_BUCKETS * HIDDEN1 * HIDDEN2),
            neurons,
        }
    }

    /// Copies the weights of a network with as many neurons.
    #[inline(always)]
    pub(super) fn copy<const K: usize, const N: usize>(
        &mut self,
        model: &TrainableNetwork<F, K, N>,
    ) {
        for bucket in 0..OUTPUT_BUCKETS {
            let weights = model.bucket(bucket);
            let hidden1 = &mut self.hidden1[bucket * HIDDEN1 * N..][..HIDDEN1 * N];
            transpose(weights.hidden1_weights, hidden1);
            let hidden2 = &mut self.hidden2[bucket * HIDDEN1 * HIDDEN2..][..HIDDEN1 * HIDDEN2];
            transpose(weights.hidden2_weights.as_flattened(), hidden2);
        }
    }

    /// Returns the weights of an output bucket.
    #[inline(always)]
    pub(super) fn bucket(&self, bucket: usize) -> TransposedBucket<'_, F> {
        let (hidden1, _) = self.hidden1.as_chunks();
        let (hidden2, _) = self.hidden2.as_chunks();
        TransposedBucket {
            hidden1_weights: &hidden1[bucket * self.neurons..][..self.neurons],
            hidden2_weights: &hidden2[bucket * HIDDEN2..][..HIDDEN2],
        }
    }
}

/// Writes a matrix with a row for each neuron of the first hidden layer with a row for each column.
#[inline(always)]
fn transpose<F: Real>(from: &[F], to: &mut [F]) {
    let columns = from.len() / HIDDEN1;
    for (neuron, row) in from.chunks_exact(columns).enumerate() {
        for (&weight, to) in row.iter().zip(to.chunks_exact_mut(HIDDEN1)) {
            to[neuron] = weight;
        }
    }
}
