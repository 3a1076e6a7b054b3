use std::fs;
use std::path::PathBuf;

use clap::Args;
use koel_train::distinct::Distinct;
use koel_train::stats::Stats;

use super::Failure;
use super::games::each_game;

/// The arguments of `stats`.
#[derive(Args)]
pub(crate) struct Statistics {
    /// Folders of self-play
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The folder for the charts, pieces.svg and scores.svg; without one they are not drawn
    #[arg(long)]
    charts: Option<PathBuf>,
}

impl Statistics {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (mut stats, distinct) = (Stats::default(), Distinct::new());
        each_game(&self.folders, |game| stats.count(game, &distinct))?;
        println!("{stats}");
        if let Some(folder) = &self.charts {
            fs::create_dir_all(folder)?;
            for (name, svg) in stats.charts() {
                fs::write(folder.join(format!("{name}.svg")), svg)?;
            }
        }
        Ok(())
    }
}
