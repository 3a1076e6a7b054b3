use std::fs;
use std::path::PathBuf;

use clap::Args;
use koel_train::{DatasetStats, SeenPositions};

use super::Failure;
use super::games::each_game;

/// The arguments of `stats`.
#[derive(Args)]
pub(crate) struct Stats {
    /// Folders of self-play
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// A folder for the charts pieces.svg and scores.svg; without it none are drawn
    #[arg(long)]
    charts: Option<PathBuf>,
}

impl Stats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (mut stats, mut seen) = (DatasetStats::default(), SeenPositions::new());
        each_game(&self.folders, |game| stats.count(game, &mut seen))?;
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
