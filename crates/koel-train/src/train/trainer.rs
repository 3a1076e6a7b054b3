//! The training loop over epochs and batches.

use std::thread;
use std::time::{Duration, Instant};

use koel_random::Rng;

use super::aligned_vec::AlignedVec;
use super::compute::ComputeOptions;
use super::dataset::Dataset;
use super::gradient::{GradientPass, ScratchBuffers};
use super::loss::Loss;
use super::optimizer::{AdamW, OptimizerStep, WeightBounds};
use super::plan::TrainingPlan;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;

/// The parts of every batch, whatever the number of threads: their gradients are added up in order,
/// so threads change the duration, not the result.
const SHARDS: usize = 4;

/// The mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct EpochLoss {
    /// On the training set, over the epoch.
    pub(crate) training: f64,
    /// On the validation set, after the epoch.
    pub(crate) validation: f64,
}

/// The result of a training.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainingResult<F, const K: usize, const N: usize> {
    /// The weights after the epoch with the least validation loss.
    pub(crate) model: TrainableNetwork<F, K, N>,
    /// That epoch, from 1.
    pub(crate) best_epoch: u32,
    /// The losses of all epochs.
    pub(crate) losses: Vec<EpochLoss>,
    /// The duration of the steps, without the computation of validation losses.
    pub(crate) elapsed: Duration,
}

/// A part of a batch with its gradient and buffers.
struct Shard<F> {
    gradient: AlignedVec<F>,
    scratch: ScratchBuffers<F>,
    samples: Vec<TrainingPosition>,
    loss: f64,
}

/// Trains a model with a dataset. `report` receives the number and the losses of each completed
/// epoch, and the duration of the steps so far.
pub(crate) fn train<F: Real, const K: usize, const N: usize>(
    mut model: TrainableNetwork<F, K, N>,
    dataset: &Dataset,
    plan: &TrainingPlan,
    compute: ComputeOptions,
    report: &mut dyn FnMut(u32, EpochLoss, Duration),
) -> TrainingResult<F, K, N> {
    let mut shards = shards::<F, K, N>();
    let mut optimizer = AdamW::new(model.weights.len(), bounds::<F, K, N>());
    let runs: Vec<&[TrainingPosition]> = dataset.training.chunks(plan.run_length.max(1)).collect();
    let mut order: Vec<u32> = (0..runs.len() as u32).collect();
    let batch_runs = plan.batch_size.div_ceil(plan.run_length.max(1)).max(1);
    let batches = order.len().div_ceil(batch_runs).max(1) as f64;
    let steps = batches * f64::from(plan.epochs);
    let mut result = TrainingResult {
        model: model.clone(),
        best_epoch: 0,
        losses: Vec::new(),
        elapsed: Duration::ZERO,
    };
    let mut least_loss = f64::INFINITY;
    for epoch in 1..=plan.epochs {
        let start = Instant::now();
        Rng::for_stream(plan.seed, u64::from(epoch)).shuffle(&mut order);
        let mut loss = 0.0;
        for (step, batch) in order.chunks(batch_runs).enumerate() {
            let batch: Vec<_> = batch.iter().map(|&run| runs[run as usize]).collect();
            loss += gradients(&model, &batch, plan, compute, &mut shards);
            let progress = (batches * f64::from(epoch - 1) + step as f64) / steps;
            let parts: Vec<&[F]> = shards.iter().map(|shard| &*shard.gradient).collect();
            compute.instruction_set.run(OptimizerStep {
                optimizer: &mut optimizer,
                weights: &mut model.weights,
                gradients: &parts,
                samples: batch.iter().map(|run| run.len()).sum(),
                learning_rate: plan.learning_rate(progress),
                weight_decay: plan.weight_decay,
            });
        }
        result.elapsed += start.elapsed();
        let validation = mean_loss(&model, &dataset.validation, Loss::of_plan(plan), compute);
        let losses =
            EpochLoss { training: loss / dataset.training.len().max(1) as f64, validation };
        result.losses.push(losses);
        if validation < least_loss || dataset.validation.is_empty() {
            least_loss = validation;
            result.best_epoch = epoch;
            result.model.clone_from(&model);
        }
        report(epoch, losses, result.elapsed);
    }
    result
}

/// Returns the bounds of the weights. Those of the first layer are limited by their integers. The
/// largest output weight determines the quantisation unit of all: a few large ones would cost more
/// than they gain.
fn bounds<F: Real, const K: usize, const N: usize>() -> WeightBounds {
    let layout = TrainableNetwork::<F, K, N>::LAYOUT;
    WeightBounds { max: 1.98, narrow: (layout.output_weights..layout.output_biases, 0.5) }
}

fn shards<F: Real, const K: usize, const N: usize>() -> Vec<Shard<F>> {
    let shard = |_| Shard {
        gradient: AlignedVec::zeros(TrainableNetwork::<F, K, N>::LAYOUT.len),
        scratch: ScratchBuffers::new::<K, N>(),
        samples: Vec::new(),
        loss: 0.0,
    };
    (0..SHARDS).map(shard).collect()
}

/// Computes the gradients of a batch into the shards, and returns the sum of the losses.
fn gradients<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    batch: &[&[TrainingPosition]],
    plan: &TrainingPlan,
    compute: ComputeOptions,
    shards: &mut [Shard<F>],
) -> f64 {
    let loss = Loss::of_plan(plan);
    let parts = batch.chunks(batch.len().div_ceil(SHARDS).max(1));
    let parts = parts.chain(std::iter::repeat(&[][..]));
    let mut work: Vec<_> = shards.iter_mut().zip(parts).collect();
    let run_share = |work: &mut [(&mut Shard<F>, &[&[TrainingPosition]])]| {
        for (shard, part) in work {
            shard.samples.clear();
            part.iter().for_each(|run| shard.samples.extend_from_slice(run));
            shard.gradient.fill(F::default());
            shard.loss = compute.instruction_set.run(GradientPass {
                model,
                samples: &shard.samples,
                loss,
                scratch: &mut shard.scratch,
                gradient: Some(&mut shard.gradient),
            });
        }
    };
    let share = SHARDS.div_ceil(compute.threads.max(1));
    if compute.threads <= 1 {
        run_share(&mut work);
    } else {
        thread::scope(|scope| {
            for work in work.chunks_mut(share) {
                scope.spawn(|| run_share(work));
            }
        });
    }
    shards.iter().map(|shard| shard.loss).sum()
}

/// Returns the mean loss of samples, 0 without samples.
#[must_use]
fn mean_loss<F: Real, const K: usize, const N: usize>(
    model: &TrainableNetwork<F, K, N>,
    samples: &[TrainingPosition],
    loss: Loss<F>,
    compute: ComputeOptions,
) -> f64 {
    let share = samples.len().div_ceil(SHARDS).max(1);
    let mut losses = [0.0; SHARDS];
    let mut work: Vec<_> = losses.iter_mut().zip(samples.chunks(share)).collect();
    let run_share = |work: &mut [(&mut f64, &[TrainingPosition])]| {
        let mut scratch = ScratchBuffers::new::<K, N>();
        for (sum, samples) in work {
            **sum = compute.instruction_set.run(GradientPass {
                model,
                samples,
                loss,
                scratch: &mut scratch,
                gradient: None,
            });
        }
    };
    let threads_share = SHARDS.div_ceil(compute.threads.max(1));
    thread::scope(|scope| {
        for work in work.chunks_mut(threads_share) {
            scope.spawn(|| run_share(work));
        }
    });
    losses.iter().sum::<f64>() / samples.len().max(1) as f64
}

#[cfg(test)]
pub(crate) mod tests;
