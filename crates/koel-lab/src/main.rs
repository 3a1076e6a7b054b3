//! Experiments on Koel: `koel-lab --help`.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![allow(clippy::print_stderr, reason = "a command-line tool")]

mod audit;
mod engine_bench;
mod fastchess;
mod ghi;
mod hashed_perft;
mod json_file;
mod perft;
mod reference_search;
mod series;
mod switches;
mod trial;
mod tune;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
use koel_arena::cli::{
    CommandContext, EXIT_STATUSES, EngineList, MatchArgs, Outcome, SprtArgs, run_match,
};

use crate::fastchess::{Fastchess, RunnerArgs};
use crate::workspace::Workspace;

/// Experiments on the chess engine Koel.
///
/// An engine is `koel` for a release build of the working tree, a path, a git revision, which is
/// built, or a program on the search path.
#[derive(Parser)]
#[command(name = "koel-lab", version)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Play a match between two engines, or a round robin of more
    #[command(visible_alias = "tournament", after_help = EXIT_STATUSES)]
    Match {
        #[command(flatten)]
        engines: EngineList,
        #[command(flatten)]
        runner: RunnerArgs,
        #[command(flatten)]
        args: Box<MatchArgs>,
    },
    /// Test whether the working tree is stronger than a git revision or a program (SPRT)
    #[command(after_help = EXIT_STATUSES)]
    Sprt {
        /// Engine it is compared with: a git revision, which is built, or a program
        base: String,
        /// Engine to be tested: `koel` for the working tree, a program, or a git revision
        #[arg(long, default_value = "koel")]
        engine: String,
        /// Conditions of the games, if no other limit is given
        #[arg(long, value_enum, group = "limit", default_value = "decide")]
        level: Level,
        #[command(flatten)]
        runner: RunnerArgs,
        #[command(flatten)]
        args: Box<SprtArgs>,
    },
    /// Estimate the rating of an engine from matches against opponents of known ratings
    Gauntlet {
        /// Opponents: programs, revisions and TOML files (.toml) with tables `[[engine]]`
        #[arg(required = true)]
        opponents: Vec<String>,
        #[command(flatten)]
        args: Box<MatchArgs>,
        /// Engine whose rating is estimated: `koel`, a program, or a git revision
        #[arg(long, default_value = "koel")]
        engine: String,
    },
    /// Tune parameters of the search by SPSA.
    /// By default 15,000 games with 10,000 nodes per move
    Tune(Box<tune::Tune>),
    /// Estimate the Elo of several changes at once, and what each switch of the search is worth.
    /// By default 3,000 games with 10,000 nodes per move
    Trial(Box<trial::Trial>),
    /// Find draws by repetition that an engine overlooks, or sees where there is none
    Audit(audit::Audit),
    /// Count the leaves of the move tree with a shared hash table and several threads
    Perft(perft::Perft),
    /// Compare the policies for path-dependent draws (graph history interaction).
    ///
    /// Counts the wrong values of a plain alpha-beta search with a transposition table, compared
    /// with a search that is free of the problem, on random positions: for each policy, or with
    /// --no-progress for each setting of that rule
    Ghi(ghi::Ghi),
}

/// The conditions of a test: each change of play is tried at the first, accepted at the second and,
/// if it depends on depth, confirmed at the third.
#[derive(Clone, Copy, ValueEnum)]
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
    fn apply(self, args: SprtArgs) -> SprtArgs {
        match self {
            Level::Explore => args.or_nodes(10_000),
            Level::Decide => args.or_nodes(40_000),
            // The default of every match.
            Level::Confirm => args,
        }
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse().experiment) {
        Ok(outcome) => ExitCode::from(outcome.status()),
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(wrong_arguments) => wrong_arguments.exit(),
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        },
    }
}

fn run(experiment: Experiment) -> Result<Outcome> {
    let workspace = Workspace::find;
    let measured = match experiment {
        Experiment::Match { engines, runner, args } => {
            let workspace = workspace()?;
            let fastchess = runner.fastchess(&workspace, &args)?;
            return run_match(context(&workspace, fastchess.as_ref()), &engines, &args);
        }
        Experiment::Sprt { base, engine, level, runner, args } => {
            let (workspace, args) = (workspace()?, level.apply(*args));
            let fastchess = runner.fastchess(&workspace, args.match_args())?;
            let engines = EngineList::of_words(vec![engine, base]);
            return args.run(context(&workspace, fastchess.as_ref()), &engines);
        }
        Experiment::Gauntlet { opponents, mut args, engine } => {
            args.is_gauntlet = true;
            let engines = EngineList::of_words([vec![engine], opponents].concat());
            return run_match(&workspace()?, &engines, &args);
        }
        Experiment::Tune(tune) => return tune.run(&workspace()?),
        Experiment::Trial(trial) => return trial.run(&workspace()?),
        Experiment::Audit(audit) => audit.run(&workspace()?),
        Experiment::Perft(perft) => perft.run(),
        Experiment::Ghi(ghi) => ghi.run(),
    };
    measured.map(|()| Outcome::Complete)
}

/// Returns what plays a match: fastchess if it is chosen.
fn context<'c>(
    workspace: &'c Workspace,
    fastchess: Option<&'c Fastchess<'_>>,
) -> &'c dyn CommandContext {
    fastchess.map_or(workspace, |fastchess| fastchess)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_limit_like_others() {
        let parse = |words: &str| {
            Arguments::try_parse_from(
                ["koel-lab", "sprt", "HEAD"].into_iter().chain(words.split_whitespace()),
            )
        };
        for words in ["", "--level explore", "--nodes 777", "--tc 2+0.02"] {
            assert!(parse(words).is_ok(), "{words}");
        }
        assert!(parse("--level explore --nodes 5").is_err());
    }
}
