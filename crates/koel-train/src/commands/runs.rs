use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::user_store::user_store;

/// The arguments of `runs`.
#[derive(Args)]
pub(crate) struct Runs {
    /// The folder of the store [default: $KOEL_DATA, or .local/share/koel/games in the home folder]
    #[arg(long)]
    store: Option<PathBuf>,
}

impl Runs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let store = user_store(self.store)?;
        let runs = store.runs()?;
        println!("{}", store.folder().display());
        println!(
            "{:>6} {:>10} {:>8} {:>6} {:>10} {:>12} {:>12} sha256",
            "run", "commit", "network", "nodes", "games", "positions", "kept"
        );
        for run in &runs {
            let (settings, totals) = (&run.settings, run.totals);
            println!(
                "{:>6} {:>10.10} {:>8} {:>6} {:>10} {:>12} {:>12} {:.16}",
                settings.run,
                settings.commit,
                settings.evaluation,
                settings.soft_nodes,
                totals.games,
                totals.positions,
                totals.kept,
                run.sha256
            );
        }
        let kept: u64 = runs.iter().map(|run| run.totals.kept).sum();
        println!("{} runs, {kept} positions kept", runs.len());
        Ok(())
    }
}
