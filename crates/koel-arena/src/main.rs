//! The program `koel-arena`: matches between UCI engines.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![allow(clippy::print_stderr, reason = "a command-line tool")]

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use koel_arena::cli::{GauntletArgs, MatchArgs, SprtArgs, Standalone, is_interrupted, run_match};

/// Plays matches between two UCI chess engines and measures the difference in strength.
///
/// An engine is a path (./engine) or a program on the search path (stockfish). A match is written to
/// a state file and a PGN after every game; after Ctrl-C or a crash the same command resumes it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a match between two engines
    #[command(after_help = MATCH_EXAMPLES)]
    Match {
        /// First engine; the score is from its side
        first: String,
        /// Second engine
        second: String,
        #[command(flatten)]
        args: Box<MatchArgs>,
    },
    /// Tests whether an engine is stronger than another (SPRT)
    #[command(after_help = SPRT_EXAMPLES)]
    Sprt {
        /// Engine to be tested
        engine: String,
        /// Engine it is compared with
        base: String,
        #[command(flatten)]
        args: Box<SprtArgs>,
    },
    /// Estimates the rating of an engine from matches against opponents of known ratings
    #[command(after_help = GAUNTLET_EXAMPLES)]
    Gauntlet {
        /// Engine whose rating is estimated
        engine: String,
        #[command(flatten)]
        args: Box<GauntletArgs>,
    },
}

const MATCH_EXAMPLES: &str = "\
Examples:
  koel-arena match ./new ./old --games 1000 --tc 8+0.08
  koel-arena match ./new stockfish --option-second UCI_LimitStrength=true --option-second UCI_Elo=1800
  koel-arena match ./new ./old --nodes 20000 --openings book.pgn --plies 12 --concurrency 8";

const SPRT_EXAMPLES: &str = "\
Examples:
  koel-arena sprt ./new ./old                        is it stronger? [0, 10] normalized Elo
  koel-arena sprt ./new ./old --elo0 -5 --elo1 0     is it at least no weaker?
  koel-arena sprt ./new ./old --nodes 20000          without a clock: faster and repeatable";

const GAUNTLET_EXAMPLES: &str = "\
The file of opponents:
  [[engine]]
  name = \"stockfish at 1800\"
  command = \"stockfish\"
  rating = 1800
  options = { UCI_LimitStrength = true, UCI_Elo = 1800 }

Example:
  koel-arena gauntlet ./engine opponents.toml --games 200 --tc 10+0.1";

/// The exit status after Ctrl-C, as that of other programs.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) if is_interrupted() => ExitCode::from(INTERRUPTED),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let context = Standalone;
    match command {
        Command::Match { first, second, args } => {
            run_match(&context, [&first, &second], &args).map(drop)
        }
        Command::Sprt { engine, base, args } => args.run(&context, &engine, &base),
        Command::Gauntlet { engine, args } => args.run(&context, &engine),
    }
}
