//! The program `koel-arena`: matches between UCI engines.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![allow(clippy::print_stderr, reason = "a command-line tool")]

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use koel_arena::cli::{
    EXIT_STATUSES, EngineList, MatchArgs, Outcome, SprtArgs, Standalone, run_check, run_match,
};

/// Plays matches and tournaments between UCI chess engines and measures their strength.
///
/// An engine is a path (./engine) or a program on the search path (stockfish). A match is written
/// to a state file and a PGN after every game; after Ctrl-C or a crash the same command resumes it.
#[derive(Parser)]
#[command(version, after_help = EXIT_STATUSES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a match between two engines, or a round robin of more
    #[command(visible_alias = "tournament", after_help = MATCH_EXAMPLES)]
    Match {
        #[command(flatten)]
        engines: EngineList,
        #[command(flatten)]
        args: Box<MatchArgs>,
    },
    /// Tests whether an engine is stronger than another (SPRT)
    #[command(after_help = SPRT_EXAMPLES)]
    Sprt {
        #[command(flatten)]
        engines: EngineList,
        #[command(flatten)]
        args: Box<SprtArgs>,
    },
    /// Estimates the rating of an engine from matches against opponents of known ratings
    #[command(after_help = GAUNTLET_EXAMPLES)]
    Gauntlet {
        #[command(flatten)]
        engines: EngineList,
        #[command(flatten)]
        args: Box<MatchArgs>,
    },
    /// Checks whether engines keep to the UCI protocol
    Check {
        #[command(flatten)]
        engines: EngineList,
    },
}

const MATCH_EXAMPLES: &str = "\
Examples:
  koel-arena match ./new ./old --games 1000 --tc 8+0.08
  koel-arena match ./new ./sf --option-second UCI_LimitStrength=true --option-second UCI_Elo=1800
  koel-arena match ./new ./old --nodes 20000 --openings book.pgn --plies 12 --concurrency 8
  koel-arena match --engine cmd=./new,tc=4+0.04 --engine cmd=./old,tc=8+0.08
  koel-arena tournament ./a ./b ./c ./d --rounds 50 --tc 4+0.04";

const SPRT_EXAMPLES: &str = "\
Examples:
  koel-arena sprt ./new ./old                        is it stronger? [0, 10] normalized Elo
  koel-arena sprt ./new ./old --elo0 -5 --elo1 0     is it at least no weaker?
  koel-arena sprt ./new ./old --nodes 20000          without a clock: faster and repeatable
  koel-arena sprt --counts 12,341,805,389,18         the verdict by known counts";

const GAUNTLET_EXAMPLES: &str = "\
The file of opponents:
  [[engine]]
  name = \"stockfish at 1800\"
  command = \"stockfish\"
  rating = 1800
  options = { UCI_LimitStrength = true, UCI_Elo = 1800 }

Example:
  koel-arena gauntlet ./engine opponents.toml --games 200 --tc 10+0.1";

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
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

fn run(command: Command) -> Result<Outcome> {
    let context = Standalone;
    match command {
        Command::Match { engines, args } => run_match(&context, &engines, &args),
        Command::Check { engines } => run_check(&context, &engines),
        Command::Sprt { engines, args } => args.run(&context, &engines),
        Command::Gauntlet { engines, mut args } => {
            args.is_gauntlet = true;
            run_match(&context, &engines, &args)
        }
    }
}
