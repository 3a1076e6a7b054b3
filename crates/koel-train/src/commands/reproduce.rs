use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::train::workforce;

/// The arguments of `reproduce`.
#[derive(Args)]
pub(crate) struct Reproduce {
    /// The manifest of the network
    manifest: PathBuf,
    /// The folder for its games; those that are there are gone on with
    #[arg(long)]
    work: PathBuf,
    /// How many games are played at once, and how many threads train
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Reproduce {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut tell = |line: &str| println!("{line}");
        let workforce = workforce(self.threads);
        koel_train::reproduce::reproduce(&self.manifest, &self.work, workforce, &mut tell)?;
        println!("games, checkpoint and network are the same");
        Ok(())
    }
}
