use std::path::PathBuf;

use clap::Args;
use koel_train::ComputeOptions;

use super::Failure;

/// The arguments of `reproduce`.
#[derive(Args)]
pub(crate) struct Reproduce {
    /// The manifest of the network, in a folder with the networks and checkpoints that it names
    manifest: PathBuf,
    /// The folder for the games; an interrupted run there is continued
    #[arg(long)]
    work: PathBuf,
    /// Threads of self-play and training
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Reproduce {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut report = |line: &str| println!("{line}");
        let compute = ComputeOptions::with_threads(self.threads);
        koel_train::reproduce(&self.manifest, &self.work, compute, &mut report)?;
        println!("games, checkpoint and network are identical");
        Ok(())
    }
}
