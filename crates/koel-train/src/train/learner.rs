//! The loop: batch after batch, epoch after epoch.

use std::thread;
use std::time::{Duration, Instant};

use koel_eval::network::simd::InstructionSet;

use super::aligned::Aligned;
use super::dataset::Dataset;
use super::gradient::{Pass, Scratch};
use super::model::Model;
use super::optimizer::{AdamW, Bounds, Step};
use super::plan::Plan;
use super::real::Real;
use super::sample::Sample;
use koel_random::Rng;

/// Parts that every batch is cut into, however many threads there are: their gradients are added
/// up in order, so threads change nothing but the time.
pub const SHARDS: usize = 4;

/// The mean losses after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpochLoss {
    /// Over the epoch, on what was learned from.
    pub learned: f64,
    /// After it, on what was held out.
    pub held_out: f64,
}

/// What a training gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned<F, const K: usize, const N: usize> {
    /// The weights after the epoch with the least loss on what was held out.
    pub model: Model<F, K, N>,
    /// That epoch, from 1.
    pub best_epoch: u32,
    /// The losses of all epochs.
    pub losses: Vec<EpochLoss>,
    /// How long the steps took, without judging what was held out.
    pub elapsed: Duration,
}

/// Who does the work. It changes how long it takes and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workforce {
    /// Threads, of which more than [`SHARDS`] are of no use.
    pub threads: usize,
    /// The instructions of each.
    pub level: InstructionSet,
}

/// One thread's part of a batch: a gradient, and room to compute it.
struct Shard<F> {
    gradient: Aligned<F>,
    scratch: Scratch<F>,
    samples: Vec<Sample>,
    loss: f64,
}

/// Trains a model with the samples of a dataset. `tell` gets the number and the losses of each
/// epoch as it ends, and how long the steps took so far.
pub fn learn<F: Real, const K: usize, const N: usize>(
    mut model: Model<F, K, N>,
    dataset: &Dataset,
    plan: &Plan,
    workforce: Workforce,
    tell: &mut dyn FnMut(u32, EpochLoss, Duration),
) -> Learned<F, K, N> {
    let mut shards = shards::<F, K, N>();
    let mut optimizer = AdamW::new(model.numbers.len(), bounds::<F, K, N>());
    let runs: Vec<&[Sample]> = dataset.learned.chunks(plan.run.max(1)).collect();
    let mut order: Vec<u32> = (0..runs.len() as u32).collect();
    let batch_runs = plan.batch.div_ceil(plan.run.max(1)).max(1);
    let batches = order.len().div_ceil(batch_runs).max(1) as f64;
    let steps = batches * f64::from(plan.epochs);
    let mut learned = Learned {
        model: model.clone(),
        best_epoch: 0,
        losses: Vec::new(),
        elapsed: Duration::ZERO,
    };
    let mut least = f64::INFINITY;
    for epoch in 1..=plan.epochs {
        let begun = Instant::now();
        Rng::for_stream(plan.seed, u64::from(epoch)).shuffle(&mut order);
        let mut loss = 0.0;
        for (step, batch) in order.chunks(batch_runs).enumerate() {
            let batch: Vec<_> = batch.iter().map(|&run| runs[run as usize]).collect();
            loss += gradients(&model, &batch, plan, workforce, &mut shards);
            let done = (batches * f64::from(epoch - 1) + step as f64) / steps;
            let parts: Vec<&[F]> = shards.iter().map(|shard| &*shard.gradient).collect();
            workforce.level.run(Step {
                optimizer: &mut optimizer,
                numbers: &mut model.numbers,
                gradients: &parts,
                samples: batch.iter().map(|run| run.len()).sum(),
                rate: plan.rate(done),
                decay: plan.decay,
            });
        }
        learned.elapsed += begun.elapsed();
        let held_out = mean_loss(&model, &dataset.held_out, plan.lambda, workforce);
        let losses = EpochLoss { learned: loss / dataset.learned.len().max(1) as f64, held_out };
        learned.losses.push(losses);
        if held_out < least || dataset.held_out.is_empty() {
            least = held_out;
            learned.best_epoch = epoch;
            learned.model.clone_from(&model);
        }
        tell(epoch, losses, learned.elapsed);
    }
    learned
}

/// The first layer may go as far as its integers allow. The largest output weight decides the scale
/// of all: a few large ones would cost more than they gain.
fn bounds<F: Real, const K: usize, const N: usize>() -> Bounds {
    let layout = Model::<F, K, N>::LAYOUT;
    Bounds { most: 1.98, narrow: (layout.outputs..layout.constants, 0.5) }
}

fn shards<F: Real, const K: usize, const N: usize>() -> Vec<Shard<F>> {
    let shard = |_| Shard {
        gradient: Aligned::zeros(Model::<F, K, N>::LAYOUT.len),
        scratch: Scratch::new::<K, N>(),
        samples: Vec::new(),
        loss: 0.0,
    };
    (0..SHARDS).map(shard).collect()
}

/// Computes the gradients of a batch into the shards, and gives the sum of the losses.
fn gradients<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    batch: &[&[Sample]],
    plan: &Plan,
    workforce: Workforce,
    shards: &mut [Shard<F>],
) -> f64 {
    let lambda = F::of(plan.lambda);
    let parts = batch.chunks(batch.len().div_ceil(SHARDS).max(1));
    let parts = parts.chain(std::iter::repeat(&[][..]));
    let mut work: Vec<_> = shards.iter_mut().zip(parts).collect();
    let one_share = |work: &mut [(&mut Shard<F>, &[&[Sample]])]| {
        for (shard, part) in work {
            shard.samples.clear();
            part.iter().for_each(|run| shard.samples.extend_from_slice(run));
            shard.gradient.fill(F::default());
            shard.loss = workforce.level.run(Pass {
                model,
                samples: &shard.samples,
                lambda,
                scratch: &mut shard.scratch,
                gradient: Some(&mut shard.gradient),
            });
        }
    };
    let share = SHARDS.div_ceil(workforce.threads.max(1));
    if workforce.threads <= 1 {
        one_share(&mut work);
    } else {
        thread::scope(|scope| {
            for work in work.chunks_mut(share) {
                scope.spawn(|| one_share(work));
            }
        });
    }
    shards.iter().map(|shard| shard.loss).sum()
}

/// The mean loss of samples; 0 of none.
#[must_use]
pub fn mean_loss<F: Real, const K: usize, const N: usize>(
    model: &Model<F, K, N>,
    samples: &[Sample],
    lambda: f64,
    workforce: Workforce,
) -> f64 {
    let share = samples.len().div_ceil(SHARDS).max(1);
    let mut losses = [0.0; SHARDS];
    let mut work: Vec<_> = losses.iter_mut().zip(samples.chunks(share)).collect();
    let one_share = |work: &mut [(&mut f64, &[Sample])]| {
        let mut scratch = Scratch::new::<K, N>();
        for (loss, samples) in work {
            let lambda = F::of(lambda);
            **loss = workforce.level.run(Pass {
                model,
                samples,
                lambda,
                scratch: &mut scratch,
                gradient: None,
            });
        }
    };
    let threads_share = SHARDS.div_ceil(workforce.threads.max(1));
    thread::scope(|scope| {
        for work in work.chunks_mut(threads_share) {
            scope.spawn(|| one_share(work));
        }
    });
    losses.iter().sum::<f64>() / samples.len().max(1) as f64
}

#[cfg(test)]
pub(crate) mod tests;
