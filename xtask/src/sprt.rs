//! `cargo xtask sprt`: is the working tree better than a base?

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use koel_arena::contest::Conclusion;
use koel_arena::statistics::{Decision, Model, Sprt};
use xshell::Shell;

use crate::engines;
use crate::playing;
use crate::runners::Runner;
use crate::terms::Terms;

/// So many pairs without a difference, beside equal benches, show that there is none.
const ENOUGH_SAME_PAIRS: u64 = 16;

#[derive(Args)]
pub(crate) struct SprtCommand {
    /// What the change is held against: a git revision, which is built, or a program
    base: String,
    /// What is tested: `koel` for this working tree, a program, or a git revision
    #[arg(long, default_value = "koel")]
    engine: String,
    /// The lead if the change is not good enough
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The lead if it is
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often elo1 may be accepted when elo0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often elo0 may be accepted when elo1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What the bounds are in
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    model: Scale,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    /// Normalized Elo: the games a test takes depend on nothing else
    Normalized,
    /// Logistic Elo
    Logistic,
}

impl SprtCommand {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let sprt = self.test()?;
        let engine = engines::resolve(shell, &self.engine)?;
        let base = engines::resolve(shell, &self.base)?;
        let mut contest = self.terms.contest(shell, [&engine, &base], Some(sprt))?;
        let is_builtin = self.terms.runner == Runner::Builtin;
        if is_builtin && playing::is_exact(&contest) {
            // A program that has no bench may still be tested.
            let are_equal = playing::benches_are_equal(shell, &contest).unwrap_or(false);
            contest.same_pairs = are_equal.then_some(ENOUGH_SAME_PAIRS);
        }
        let (conclusion, standing) = playing::play(shell, &self.terms, &contest)?;
        match sprt.decide(&standing.pairs) {
            Decision::Open if conclusion == Conclusion::NoChange => {}
            Decision::Open => println!("undecided"),
            Decision::AcceptElo0 => println!("not good enough: elo0 is accepted"),
            Decision::AcceptElo1 => println!("good: elo1 is accepted"),
        }
        Ok(())
    }

    fn test(&self) -> Result<Sprt> {
        ensure!(self.elo0 < self.elo1, "elo0 must be below elo1");
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        ensure!(is_rate(self.alpha) && is_rate(self.beta), "alpha and beta are rates below 0.5");
        let model = match self.model {
            Scale::Normalized => Model::Normalized,
            Scale::Logistic => Model::Logistic,
        };
        let (elo0, elo1, alpha, beta) = (self.elo0, self.elo1, self.alpha, self.beta);
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}
