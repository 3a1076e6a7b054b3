//! The command `time-left`: the use of the clock in the games of a PGN.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_files::ANY_SIZE;

use crate::time_left::{TimeLeft, read_time_left};

/// The arguments of the table of the time left.
#[derive(Args, Clone)]
pub struct TimeLeftArgs {
    /// PGN files of matches
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Numbers of moves after which the clocks are read
    #[arg(long, value_delimiter = ',', default_values_t = [20, 40, 60, 80])]
    moves: Vec<u32>,
}

impl TimeLeftArgs {
    /// Prints a table for each file: the median and the range of the time that each player has
    /// left, in percent of the initial time.
    ///
    /// # Errors
    /// If a file cannot be read, or has no game with a time control.
    pub fn run(&self) -> Result<()> {
        for path in &self.files {
            let file =
                koel_files::open(path, ANY_SIZE).with_context(|| path.display().to_string())?;
            let players = read_time_left(file, &self.moves);
            let players = players.with_context(|| path.display().to_string())?;
            ensure!(!players.is_empty(), "{}: no game has a time control", path.display());
            println!("{}", path.display());
            for (name, player) in &players {
                println!(
                    "  {name}: {} games, {} lost on time",
                    player.at_the_end.len(),
                    player.time_losses
                );
                print_rows(player);
            }
        }
        Ok(())
    }
}

fn print_rows(player: &TimeLeft) {
    let rows = player.after.iter().map(|(number, shares)| (format!("move {number}"), shares));
    let end = std::iter::once(("the end".to_owned(), &player.at_the_end));
    for (name, shares) in rows.chain(end) {
        let (Some(least), Some(most)) = (shares.first(), shares.last()) else { continue };
        let median = shares[shares.len() / 2];
        let [median, least, most] = [median, *least, *most].map(|share| 100.0 * share);
        println!(
            "    {name:<8} median {median:5.1} %, from {least:.1} to {most:.1} % ({} games)",
            shares.len()
        );
    }
}
