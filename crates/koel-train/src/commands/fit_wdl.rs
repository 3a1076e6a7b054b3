use std::path::PathBuf;

use clap::Args;
use koel_train::{PositionFilter, WdlCounts};

use super::Failure;
use super::games::each_game;

/// The arguments of `fit-wdl`.
#[derive(Args)]
pub(crate) struct FitWdl {
    /// Folders of self-play
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Steps of gradient ascent
    #[arg(long, default_value_t = 3_000)]
    steps: u32,
}

impl FitWdl {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut counts = WdlCounts::default();
        each_game(&self.folders, |game| counts.count(game, &PositionFilter::default()))?;
        let model = counts.fit(self.steps);
        println!("{} positions\n{model}", counts.positions());
        println!("material  half won at  won, drawn, lost with 0, 100, 300 centipawns");
        for material in [20, 30, 40, 50, 60, 70, 78] {
            let half =
                (0..2_000).find(|&score| model.probabilities(score.into(), material)[0] >= 0.5);
            let rows = [0.0, 100.0, 300.0].map(|score| {
                let row = model.probabilities(score, material).map(|share| format!("{share:.2}"));
                row.join(" ")
            });
            println!("{material:>8}  {:>11}  {}", half.unwrap_or(2_000), rows.join("   "));
        }
        Ok(())
    }
}
