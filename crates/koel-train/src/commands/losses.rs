use std::path::PathBuf;
use std::slice;

use clap::Args;
use koel_train::{LossComparison, TrainingPlan, load_evaluation};

use super::Failure;
use super::games::each_game;
use super::train::positive;

/// The arguments of `losses`.
#[derive(Args)]
pub(crate) struct Losses {
    /// Evaluations: `material`, or the names of networks of --nets; the others are compared with the
    /// first
    #[arg(required = true)]
    evaluations: Vec<String>,
    /// Folders of self-play, each of which is judged by itself
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
    /// λ of TD(λ) in the labels; with 0 the label is the score of the position's own search
    #[arg(long, default_value_t = TrainingPlan::default().td_lambda)]
    td_lambda: f64,
    /// Scale of the sigmoid function of the loss in centipawns
    #[arg(long, default_value_t = 160.0, value_parser = positive)]
    sigmoid_scale: f64,
}

impl Losses {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let named = |name: String| Ok((name.clone(), load_evaluation(&name, &self.nets)?));
        let evaluations: Result<Vec<_>, Failure> =
            self.evaluations.into_iter().map(named).collect();
        let evaluations = evaluations?;
        for folder in &self.data {
            let mut comparison =
                LossComparison::new(evaluations.clone(), self.td_lambda, self.sigmoid_scale);
            each_game(slice::from_ref(folder), |game| comparison.add(game))?;
            println!("{}\n{comparison}", folder.display());
        }
        Ok(())
    }
}
