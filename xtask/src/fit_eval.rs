//! `cargo xtask fit-eval`: the weights of the hand-written evaluation, fitted to games.
//!
//! A position of a game says how the game should end: the worth w in centipawns stands for the
//! expected result 1 / (1 + exp(-k w)). The weights are chosen so that the squared differences
//! from the results are smallest. (Texel's tuning method, Österlund 2014.)

mod descent;
mod games;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use koel_eval::tuning;
use xshell::Shell;

use descent::{Descent, Schedule, error, fitted_steepness};
use games::Sample;

const TABLE: &str = "crates/koel-eval/src/table.rs";

/// Reads games with scores in the comments, as `cargo xtask match` writes them, and fits the
/// weights to the positions where nothing is about to be taken. One opening in ten is held out:
/// its games judge the fit and do not take part in it.
///
/// To make it all anew:
///
/// cargo xtask match koel koel --nodes-first 1000 --nodes-second 1200 --nodes 3000 --games 3000
/// --pgn games.pgn
///
/// cargo xtask fit-eval --pgn games.pgn --write
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct FitEval {
    /// Games; may be given more than once
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pgn: Vec<PathBuf>,
    /// How much the result counts; the rest is the score that the search gave
    #[arg(long, default_value_t = 0.4, value_name = "SHARE")]
    result_share: f32,
    /// How often every position is seen
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Centipawns that a weight may go in the first steps
    #[arg(long, default_value_t = 1.0, value_name = "CENTIPAWNS")]
    rate: f32,
    /// Centipawns by which the weights at the start may well be wrong: those that seldom count
    /// are held by it, those that often count hardly
    #[arg(long, default_value_t = 8.0, value_name = "CENTIPAWNS")]
    doubt: f32,
    /// Write the table of weights; without this it is only printed
    #[arg(long)]
    write: bool,
}

impl FitEval {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.result_share), "a share is from 0 to 1");
        let mut samples = Vec::new();
        for path in &self.pgn {
            let before = samples.len();
            let games = games::read(&shell.current_dir().join(path), &mut samples)?;
            let positions = samples.len() - before;
            eprintln!("{}: {games} games, {positions} positions", path.display());
        }
        let (held_out, fitted): (Vec<_>, Vec<_>) =
            samples.into_iter().partition(|sample| sample.is_held_out);
        ensure!(!held_out.is_empty() && !fitted.is_empty(), "too few games");
        let values = self.fit(&fitted, &held_out);
        let source = tuning::source(&values);
        if self.write {
            shell.write_file(TABLE, source)?;
            eprintln!("{TABLE} is new; run the tests, then a match");
        } else {
            print!("{source}");
        }
        Ok(())
    }

    fn fit(&self, fitted: &[Sample], held_out: &[Sample]) -> tuning::Values {
        let mut values = tuning::values();
        let steepness = fitted_steepness(fitted, &values);
        let goal = descent::Goal { steepness, result_share: self.result_share };
        let judge = descent::Goal { steepness, result_share: 1.0 };
        eprintln!("{} positions, {} held out", fitted.len(), held_out.len());
        eprintln!("steepness {steepness:.6}: 100 centipawns are {:.3}", judge.expected(100.0));
        let mut descent = Descent::new(&values);
        for epoch in 0..=self.epochs {
            if epoch % 5 == 0 || epoch == self.epochs {
                let [here, there] = [fitted, held_out].map(|set| error(set, &values, &judge));
                eprintln!("epoch {epoch}: error {here:.6}, held out {there:.6}");
            }
            if epoch < self.epochs {
                let cooling = 1.0 - epoch as f32 / self.epochs as f32;
                let schedule = Schedule { rate: self.rate * cooling, doubt: self.doubt };
                descent.epoch(fitted, &mut values, &goal, &schedule);
            }
        }
        values
    }
}
