//! The command `sprt`: a sequential test of one engine against another.

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};

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
    /// Conditions of the games, if no other limit is given [default: decide]
    #[arg(long, value_enum, group = "limit")]
    level: Option<Level>,
    /// Play no game and judge these counts: pairs by their points LL,LD,DD+WL,WD,WW, or games
    /// WINS,DRAWS,LOSSES
    #[arg(long, value_delimiter = ',', value_name = "COUNTS")]
    counts: Option<Vec<u64>>,
    #[command(flatten)]
    match_args: MatchArgs,
}

/// The conditions of a test: each change of play is tried at the first, accepted at the second and,
/// if it depends on depth, confirmed at the third.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Level {
    /// 10,000 nodes a move: to try ideas
    Explore,
    /// 40,000 nodes a move: to accept a change
    Decide,
    /// 8+0.08: to confirm what changes pruning, reductions, extensions or time management
    Confirm,
}

impl Level {
    /// Returns the arguments with the limit of this level, unless they have one.
    fn apply(self, args: MatchArgs) -> MatchArgs {
        match self {
            Level::Explore => args.or_nodes(10_000),
            Level::Decide => args.or_nodes(40_000),
            // The default of every match.
            Level::Confirm => args,
        }
    }
}

impl SprtArgs {
    /// Tests whether the first engine is stronger than the second; they are names in the context. With
    /// counts on the command line no game is played.
    ///
    /// # Errors
    /// If the bounds are unusable, an engine is not found, or the match cannot be played.
    pub fn run(&self, context: &dyn CommandContext, engines: &EngineList) -> Result<Outcome> {
        let sprt = self.test()?;
        if let Some(counts) = &self.counts {
            return match counts[..] {
                [ll, ld, even, wd, ww] => Ok(report(&sprt, ResultCounts([ll, ld, even, wd, ww]))),
                [wins, draws, losses] => Ok(report(&sprt, ResultCounts([losses, draws, wins]))),
                _ => bail!(
                    "counts are five, of pairs by their points, or three: wins, draws, losses"
                ),
            };
        }
        let match_args = self.level.unwrap_or(Level::Decide).apply(self.match_args.clone());
        let engines = engines.read()?;
        ensure!(engines.len() == 2, "a test is between two engines");
        let mut config = match_args.configure(context, &engines, Some(sprt))?;
        if config.is_deterministic() && context.engines_search_alike(&config) {
            config.identical_pairs = Some(ENOUGH_IDENTICAL_PAIRS);
        }
        play_match(&config, &match_args, Vec::new())
    }

    fn test(&self) -> Result<Sprt> {
        let are_numbers = self.elo0.is_finite() && self.elo1.is_finite();
        ensure!(are_numbers, "elo0 and elo1 must be numbers, and finite");
        ensure!(self.elo0 < self.elo1, "elo0 must be below elo1");
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        ensure!(is_rate(self.alpha) && is_rate(self.beta), "alpha and beta must be below 0.5");
        let &SprtArgs { elo0, elo1, alpha, beta, model, .. } = self;
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }
}

/// Prints strength and verdict by counts that are known.
fn report<const K: usize>(sprt: &Sprt, counts: ResultCounts<K>) -> Outcome {
    let (strength, (lower, upper)) = (counts.strength(), sprt.bounds());
    println!("Elo: {}, nElo: {}", strength.elo, strength.normalized_elo);
    println!("LOS: {:.2} %", 100.0 * strength.superiority);
    println!("LLR: {:.4} ({lower:.2}, {upper:.2})", sprt.llr(&counts));
    let outcome = Outcome::from(sprt.decide(&counts));
    println!("{}", outcome.verdict());
    outcome
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: SprtArgs,
    }

    #[test]
    fn a_level_sets_the_limit_unless_one_is_given() {
        let description = |words: &str| {
            let words = ["sprt"].into_iter().chain(words.split_whitespace());
            let SprtArgs { level, match_args, .. } = CommandLine::try_parse_from(words).ok()?.args;
            Some(level.unwrap_or(Level::Decide).apply(match_args).description())
        };
        for (words, limit) in [
            ("", "40000 nodes"),
            ("--level explore", "10000 nodes"),
            ("--level confirm", "8+0.08"),
            ("--nodes 777", "777 nodes"),
            ("--tc 2+0.02", "2+0.02"),
        ] {
            assert_eq!(description(words).unwrap(), format!("{limit}, natural.epd"));
        }
        assert!(description("--level explore --nodes 5").is_none());
    }
}
