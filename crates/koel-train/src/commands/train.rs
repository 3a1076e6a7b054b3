use std::fs;
use std::path::PathBuf;

use clap::Args;
use koel_eval::network::simd::InstructionSet;
use koel_train::making::{Order, make};
use koel_train::train::learner::Workforce;
use koel_train::train::plan::Plan;

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
    /// The folder that NAME.koelnet, NAME.checkpoint, NAME.toml and NAME.svg are written to
    #[arg(long, default_value = "nets")]
    out: PathBuf,
    /// The network to go on from, whose checkpoint is in the same folder; it may have a single
    /// king bucket and fewer neurons. Without one the weights begin at random
    #[arg(long)]
    parent: Option<String>,
    /// Buckets of king squares, 1 or 4
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Neurons for each side
    #[arg(long, default_value_t = 256)]
    neurons: usize,
    /// How often all positions are gone through
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: u32,
    /// Positions for each step
    #[arg(long, default_value_t = Plan::default().batch)]
    batch: usize,
    /// The step size at the beginning
    #[arg(long, default_value_t = Plan::default().first_rate)]
    first_rate: f64,
    /// The step size at the end
    #[arg(long, default_value_t = Plan::default().last_rate)]
    last_rate: f64,
    /// The weight of the result beside the score, from 0 to 1
    #[arg(long, default_value_t = Plan::default().lambda)]
    lambda: f64,
    /// How much each later search of the game says about a position, as a share of the one before
    #[arg(long, default_value_t = Plan::default().foresight)]
    foresight: f64,
    /// Decides the first weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads, at most 4; they change nothing but the time
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Train {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let parent = self.parent.map(|name| {
            let path = self.out.join(format!("{name}.checkpoint"));
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok::<_, String>((name, bytes))
        });
        let order = Order {
            name: self.name,
            folders: self.data,
            shape: (self.king_buckets, self.neurons),
            parent: parent.transpose()?,
            plan: Plan {
                epochs: self.epochs,
                batch: self.batch,
                first_rate: self.first_rate,
                last_rate: self.last_rate,
                lambda: self.lambda,
                foresight: self.foresight,
                seed: self.seed,
                ..Plan::default()
            },
            workforce: workforce(self.threads),
        };
        let made = make(&order, &mut |line| println!("{line}"))?;
        let error = made.manifest.quantisation;
        println!(
            "epoch {} is kept; quantised: mean {:.2} cp, at most {:.1} cp off over {} positions",
            made.manifest.best_epoch, error.mean, error.most, error.positions
        );
        Ok(made.save(&self.out)?)
    }
}

/// So many threads with all that this machine can do.
pub(super) fn workforce(threads: usize) -> Workforce {
    Workforce { threads, level: InstructionSet::all().pop().unwrap_or(InstructionSet::BASELINE) }
}
