//! The command `sprt`: a sequential test of one engine against another.

use anyhow::Result;
use clap::Args;
use clap::error::ErrorKind;
use koel_files::print_line;

use super::context::CommandContext;
use super::engine_args::EngineList;
use super::match_args::MatchArgs;
use super::outcome::Outcome;
use super::play::play_match;
use crate::statistics::{EloModel, ResultCounts, Sprt};

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
    #[arg(long, value_enum, default_value_t)]
    model: EloModel,
    /// Play no game and judge these counts: pairs by their points LL,LD,DD+WL,WD,WW, or games
    /// WINS,DRAWS,LOSSES
    #[arg(long, value_delimiter = ',', value_name = "COUNTS")]
    counts: Option<Vec<u64>>,
    #[command(flatten)]
    match_args: MatchArgs,
}

/// The greatest normalized Elo of a hypothesis: the likelihoods of more are not found.
const MAX_NORMALIZED_ELO: f64 = 200.0;

impl SprtArgs {
    /// Sets a limit of nodes per move if the arguments have no limit.
    #[must_use]
    pub fn or_nodes(self, nodes: u64) -> SprtArgs {
        SprtArgs { match_args: self.match_args.or_nodes(nodes), ..self }
    }

    /// The arguments of the match.
    pub fn match_args(&self) -> &MatchArgs {
        &self.match_args
    }

    /// Tests whether the first engine is stronger than the second; they are names in the context.
    /// With counts on the command line no game is played.
    ///
    /// # Errors
    /// A [`clap::Error`] if the bounds, the counts or the number of engines are unusable; others if
    /// an engine is not found, or the match cannot be played.
    pub fn run(&self, context: &dyn CommandContext, engines: &EngineList) -> Result<Outcome> {
        let sprt = self.test()?;
        match self.counts.as_deref() {
            None => {}
            Some(&[ll, ld, even, wd, ww]) => return Ok(report(&sprt, [ll, ld, even, wd, ww])),
            Some(&[wins, draws, losses]) => return Ok(report(&sprt, [losses, draws, wins])),
            _ => {
                let expected = "five, of pairs by their points, or three: wins, draws, losses";
                return Err(wrong(&format!("counts are {expected}")).into());
            }
        }
        let engines = engines.read()?;
        if engines.len() != 2 {
            return Err(wrong("a test is between two engines").into());
        }
        let mut config = self.match_args.configure(context, &engines, Some(sprt))?;
        if config.is_deterministic() && context.engines_search_alike(&config) {
            config.identical_pairs = Some(ENOUGH_IDENTICAL_PAIRS);
        }
        play_match(context, &config, &self.match_args, Vec::new())
    }

    fn test(&self) -> Result<Sprt, clap::Error> {
        let are_numbers = self.elo0.is_finite() && self.elo1.is_finite();
        let is_far = |elo: f64| elo.abs() > MAX_NORMALIZED_ELO;
        let is_too_far =
            self.model == EloModel::Normalized && (is_far(self.elo0) || is_far(self.elo1));
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        let are_rates = is_rate(self.alpha) && is_rate(self.beta);
        for (holds, expected) in [
            (are_numbers, "elo0 and elo1 must be numbers, and finite"),
            (self.elo0 < self.elo1, "elo0 must be below elo1"),
            (!is_too_far, "normalized bounds must be from -200 to 200; see --model logistic"),
            (are_rates, "alpha and beta must be below 0.5"),
        ] {
            if !holds {
                return Err(wrong(expected));
            }
        }
        let &SprtArgs { elo0, elo1, alpha, beta, model, .. } = self;
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

/// Returns the error of arguments that are wrong together, which ends a program as those do that
/// are wrong alone.
pub(super) fn wrong(message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"))
}

/// Prints strength and verdict by counts that are known.
fn report<const K: usize>(sprt: &Sprt, counts: [u64; K]) -> Outcome {
    let counts = ResultCounts(counts);
    let (strength, (lower, upper)) = (counts.strength(), sprt.bounds());
    print_line!("Elo: {}, nElo: {}", strength.elo, strength.normalized_elo);
    print_line!("LOS: {:.2} %", 100.0 * strength.superiority);
    print_line!("LLR: {:.4} ({lower:.2}, {upper:.2})", sprt.llr(&counts));
    let outcome = Outcome::from(sprt.decide(&counts));
    print_line!("{}", outcome.verdict());
    outcome
}
