use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;
use koel_train::distinct::Distinct;
use koel_train::selfplay::GAMES_FILE;
use koel_train::stats::Stats;
use koel_train::viriformat::{GameReader, ViriformatError};

use super::Failure;

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
        for folder in &self.folders {
            let path = folder.join(GAMES_FILE);
            let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let file = File::open(&path).map_err(|error| said(&error))?;
            let mut games = GameReader::new(BufReader::with_capacity(1 << 20, file));
            loop {
                match games.next_game() {
                    Ok(Some(game)) => stats.count(&game, &distinct).map_err(|e| said(&e))?,
                    Ok(None) | Err(ViriformatError::Unfinished) => break,
                    Err(error) => return Err(said(&error).into()),
                }
            }
        }
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
