//! The training loop over epochs and batches.

use std::thread;

use koel_random::Rng;
use serde::{Deserialize, Serialize};

use super::compute::ComputeOptions;
use super::dataset::Dataset;
use super::gradient::{GradientPass, ScratchBuffers};
use super::loss::Loss;
use super::network_optimizer::NetworkOptimizer;
use super::optimizer::Step;
use super::plan::TrainingPlan;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;
use super::{AlignedVec, zeros};

/// The parts of every batch, whatever the number of threads: their gradients are added up in order,
/// so threads change the duration, not the result.
const SHARDS: usize = 4;

/// The mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct EpochLoss {
    /// On the training set, over the epoch.
    pub(crate) training: f64,
    /// On the validation set, after the epoch, if the set has a game.
    pub(crate) validation: Option<f64>,
}

/// A training between two epochs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Training<F, const K: usize, const N: usize> {
    /// The weights after the last epoch.
    pub(crate) model: TrainableNetwork<F, K, N>,
    pub(super) optimizer: NetworkOptimizer<F, K, N>,
    /// The losses of the epochs so far.
    pub(crate) losses: Vec<EpochLoss>,
}

/// A part of a batch with its gradient and buffers.
struct Shard<F> {
    gradient: AlignedVec<F>,
    scratch: ScratchBuffers<F>,
    samples: Vec<TrainingPosition>,
    loss: f64,
}

impl<F: Real, const K: usize, const N: usize> Training<F, K, N> {
    /// Creates a training that has not begun.
    pub(crate) fn new(model: TrainableNetwork<F, K, N>) -> Training<F, K, N> {
        let optimizer = NetworkOptimizer::new();
        Training { model, optimizer, losses: Vec::new() }
    }

    /// Runs the next epoch and returns its losses. It depends on the plan, the dataset and the
    /// state alone: a training that was saved between two epochs continues as if it had not been.
    pub(crate) fn run_epoch(
        &mut self,
        dataset: &Dataset,
        plan: &TrainingPlan,
        compute: ComputeOptions,
    ) -> EpochLoss {
        let epoch = self.losses.len() as u32 + 1;
        let order = shuffled_order(dataset.training.len(), plan.seed, epoch);
        let batch_size = plan.batch_size.max(1);
        let batches = order.len().div_ceil(batch_size).max(1) as f64;
        let steps = batches * f64::from(plan.epochs);
        let mut shards = shards::<F, K, N>();
        let (loss, mut sum) = (Loss::new(plan.sigmoid_scale), 0.0);
        for (step, batch) in order.chunks(batch_size).enumerate() {
            let samples = (&dataset.training[..], batch);
            sum += sum_of_losses(&self.model, samples, loss, compute, &mut shards, true);
            let step = batches * f64::from(epoch - 1) + step as f64;
            let step = Step {
                samples: batch.len(),
                learning_rate: plan.learning_rate(step, steps),
                weight_decay: plan.weight_decay,
            };
            let parts = shards.iter_mut().map(|shard| &mut *shard.gradient).collect();
            self.optimizer.step(&mut self.model.weights, parts, step, plan, compute);
        }
        let validation = mean_loss(&self.model, &dataset.validation, loss, compute);
        let training = sum / dataset.training.len().max(1) as f64;
        let losses = EpochLoss { training, validation };
        self.losses.push(losses);
        losses
    }
}

/// Returns the order of the samples in an epoch, from 1: each epoch shuffles the order of the one
/// before.
fn shuffled_order(samples: usize, seed: u64, epoch: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..samples as u32).collect();
    for epoch in 1..=epoch {
        Rng::for_stream(seed, u64::from(epoch)).shuffle(&mut order);
    }
    order
}

fn shards<F: Real, const K: usize, const N: usize>() -> Vec<Shard<F>> {
    let shard = |_| Shard {
        gradient: zeros(TrainableNetwork::<F, K, N>::LAYOUT.len),
        scratch: ScratchBuffers::new::<N>(),
        samples: Vec::new(),
        loss: 0.0,
    };
    (0..SHARDS).map(shard).collect()
}

/// Returns the sum of the losses of samples, given by their places. With `adds_gradients`, adds
/// their gradients to those of the shards.
fn sum_of_losses<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    (samples, places): (&[TrainingPosition], &[u32]),
    loss: Loss<F>,
    compute: ComputeOptions,
    shards: &mut [Shard<F>],
    adds_gradients: bool,
) -> f64 {
    let parts = places.chunks(places.len().div_ceil(SHARDS).max(1));
    let parts = parts.chain(std::iter::repeat(&[][..]));
    let mut work: Vec<_> = shards.iter_mut().zip(parts).collect();
    let run_share = |work: &mut [(&mut Shard<F>, &[u32])]| {
        for (shard, part) in work {
            shard.samples.clear();
            shard.samples.extend(part.iter().map(|&at| samples[at as usize]));
            shard.loss = compute.instruction_set.run(GradientPass {
                model,
                samples: &shard.samples,
                loss,
                scratch: &mut shard.scratch,
                gradient: adds_gradients.then_some(&mut *shard.gradient),
            });
        }
    };
    let share = SHARDS.div_ceil(compute.threads.max(1));
    thread::scope(|scope| {
        for work in work.chunks_mut(share) {
            scope.spawn(|| run_share(work));
        }
    });
    shards.iter().map(|shard| shard.loss).sum()
}

/// Returns the mean loss of samples, if there are any.
fn mean_loss<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    samples: &[TrainingPosition],
    loss: Loss<F>,
    compute: ComputeOptions,
) -> Option<f64> {
    let places: Vec<u32> = (0..samples.len() as u32).collect();
    let mut shards = shards::<F, K, N>();
    let sum = sum_of_losses(model, (samples, &places), loss, compute, &mut shards, false);
    (!samples.is_empty()).then(|| sum / samples.len() as f64)
}

#[cfg(test)]
pub(crate) mod tests;
