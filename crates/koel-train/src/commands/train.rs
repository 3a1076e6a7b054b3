use std::fs;
use std::path::PathBuf;

use clap::Args;
use koel_files::IN_MEMORY;
use koel_train::{
    ComputeOptions, ENGINE_SHAPE, LossExponent, TrainingJob, TrainingPlan, train_network,
};

use super::Failure;

/// The arguments of `train`.
#[derive(Args)]
pub(crate) struct Train {
    /// Folders of self-play
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The name of the network
    #[arg(long)]
    name: String,
    /// The folder for NAME.koelnet, NAME.checkpoint, NAME.toml and NAME.svg, and during the training
    /// NAME.training, from which the same command continues after an interruption
    #[arg(long, default_value = "nets")]
    out: PathBuf,
    /// The network whose checkpoint in the same folder the training continues from; it may have a
    /// single king bucket and fewer neurons. Without one the initial weights are random
    #[arg(long)]
    parent: Option<String>,
    /// King buckets, 1 or 4
    #[arg(long, default_value_t = ENGINE_SHAPE.0)]
    king_buckets: usize,
    /// Neurons for each side
    #[arg(long, default_value_t = ENGINE_SHAPE.1)]
    neurons: usize,
    /// Passes over all training positions
    #[arg(long, default_value_t = TrainingPlan::default().epochs)]
    epochs: u32,
    /// Positions for each step of the optimizer
    #[arg(long, default_value_t = TrainingPlan::default().batch_size)]
    batch_size: usize,
    /// Steps over which the learning rate rises from zero
    #[arg(long, default_value_t = 0)]
    warm_up_steps: u32,
    /// Exponent of the loss, 2 or 2.5
    #[arg(long, default_value = "2")]
    loss_exponent: LossExponent,
    /// Fraction of each weight that a step with learning rate 1 removes
    #[arg(long, default_value_t = TrainingPlan::default().weight_decay)]
    weight_decay: f64,
    /// Learning rate of the first step after these
    #[arg(long, default_value_t = TrainingPlan::default().initial_learning_rate)]
    initial_learning_rate: f64,
    /// Learning rate of the last step
    #[arg(long, default_value_t = TrainingPlan::default().final_learning_rate)]
    final_learning_rate: f64,
    /// Weight of the game's result in the label, from 0 (scores only) to 1 (results only)
    #[arg(long, default_value_t = TrainingPlan::default().wdl_blend)]
    wdl_blend: f64,
    /// λ of TD(λ): the weight of each later search of the game relative to the one before, below 1
    #[arg(long, default_value_t = TrainingPlan::default().td_lambda)]
    td_lambda: f64,
    /// Scale of the sigmoid function of the loss in centipawns
    #[arg(long, default_value_t = TrainingPlan::default().sigmoid_scale, value_parser = positive)]
    sigmoid_scale: f64,
    /// The seed of the initial weights and of the shuffles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads, at most 4; the result does not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Parses a finite number above zero.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("`{text}` is not a number above zero"))
}

impl Train {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let parent = self.parent.map(|name| {
            let path = self.out.join(format!("{name}.checkpoint"));
            let bytes = koel_files::read(&path, IN_MEMORY)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            Ok::<_, String>((name, bytes))
        });
        let mut plan = TrainingPlan::default();
        plan.epochs = self.epochs;
        plan.batch_size = self.batch_size;
        plan.initial_learning_rate = self.initial_learning_rate;
        plan.final_learning_rate = self.final_learning_rate;
        plan.wdl_blend = self.wdl_blend;
        plan.td_lambda = self.td_lambda;
        plan.sigmoid_scale = self.sigmoid_scale;
        plan.warm_up_steps = self.warm_up_steps;
        plan.loss_exponent = self.loss_exponent;
        plan.weight_decay = self.weight_decay;
        plan.seed = self.seed;
        let mut job = TrainingJob::new(&self.name, self.data);
        job.shape = (self.king_buckets, self.neurons);
        job.parent = parent.transpose()?;
        job.plan = plan;
        job.compute = ComputeOptions::with_threads(self.threads);
        fs::create_dir_all(&self.out)?;
        let state_file = self.out.join(format!("{}.training", self.name));
        job.state_file = Some(state_file.clone());
        let trained = train_network(&job, &mut |line| println!("{line}"))?;
        let error = trained.manifest.quantisation;
        println!(
            "epoch {} is kept; quantisation error: mean {:.2} cp, maximum {:.1} cp, {} positions",
            trained.manifest.best_epoch, error.mean, error.max, error.positions
        );
        trained.save(&self.out)?;
        Ok(fs::remove_file(state_file)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_above_zero() {
        assert_eq!(positive("160"), Ok(160.0));
        for invalid in ["0", "-1", "inf", "NaN", "a"] {
            assert!(positive(invalid).is_err(), "{invalid}");
        }
    }
}
