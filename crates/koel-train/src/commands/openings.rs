use std::fs;
use std::path::PathBuf;

use clap::Args;
use koel_eval::BUILT_IN;
use koel_train::{load_evaluation, match_openings};

use super::Failure;

/// The arguments of `openings`.
#[derive(Args)]
pub(crate) struct Openings {
    /// EPD file for the openings
    #[arg(long)]
    output: PathBuf,
    /// Number of openings
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// The random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The evaluation: `material` (with piece-square tables), or the name of a network of --nets
    #[arg(long, default_value = BUILT_IN)]
    evaluation: String,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
}

impl Openings {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let evaluation = load_evaluation(&self.evaluation, &self.nets)?;
        let mut report = |found: usize| {
            if found.is_multiple_of(1_000) {
                eprintln!("{found} openings");
            }
        };
        let lines = match_openings(&evaluation, self.count, self.seed, &mut report)?;
        fs::write(&self.output, lines.join("\n") + "\n")?;
        println!("{} openings in {}", lines.len(), self.output.display());
        Ok(())
    }
}
