//! The command `sprt`: a sequential test of one engine against another.

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};

use super::context::CommandContext;
use super::external_runner::Runner;
use super::match_args::MatchArgs;
use super::play::play_match;
use crate::match_config::Conclusion;
use crate::statistics::{Decision, EloModel, Sprt};

/// Number of identical pairs that, together with equal benchmarks, show that nothing has changed.
const ENOUGH_IDENTICAL_PAIRS: u64 = 16;

/// The arguments of a sequential probability ratio test.
#[derive(Args, Clone)]
pub struct SprtArgs {
    /// Elo difference of the null hypothesis (H0)
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_name = "ELO")]
    elo0: f64,
    /// Elo difference of the alternative hypothesis (H1)
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true, value_name = "ELO")]
    elo1: f64,
    /// Probability of accepting H1 when H0 is true
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    alpha: f64,
    /// Probability of accepting H0 when H1 is true
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    beta: f64,
    /// Unit of elo0 and elo1
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    model: Scale,
    #[command(flatten)]
    match_args: MatchArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Scale {
    /// Normalized Elo: the length of the test does not depend on draws and openings
    Normalized,
    /// Logistic Elo
    Logistic,
}

impl SprtArgs {
    /// Tests whether `engine` is stronger than `base`; both are names in the context.
    ///
    /// # Errors
    /// If the bounds are unusable, an engine is not found, or the match cannot be played.
    pub fn run(&self, context: &dyn CommandContext, engine: &str, base: &str) -> Result<()> {
        let sprt = self.test()?;
        let (engine, base) = (context.resolve(engine)?, context.resolve(base)?);
        let mut config = self.match_args.configure(context, [&engine, &base], Some(sprt))?;
        let is_builtin = self.match_args.runner == Runner::Builtin;
        if is_builtin && config.is_deterministic() && context.engines_search_alike(&config) {
            config.identical_pairs = Some(ENOUGH_IDENTICAL_PAIRS);
        }
        let (conclusion, score) = play_match(context, &self.match_args, &config)?;
        match sprt.decide(&score.pairs) {
            Decision::Open if conclusion == Conclusion::NoChange => {}
            Decision::Open => println!("undecided"),
            Decision::AcceptElo0 => println!("not good enough: elo0 is accepted (H0)"),
            Decision::AcceptElo1 => println!("good: elo1 is accepted (H1)"),
        }
        Ok(())
    }

    fn test(&self) -> Result<Sprt> {
        ensure!(self.elo0 < self.elo1, "elo0 must be below elo1");
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        ensure!(is_rate(self.alpha) && is_rate(self.beta), "alpha and beta must be below 0.5");
        let model = match self.model {
            Scale::Normalized => EloModel::Normalized,
            Scale::Logistic => EloModel::Logistic,
        };
        let (elo0, elo1, alpha, beta) = (self.elo0, self.elo1, self.alpha, self.beta);
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}
