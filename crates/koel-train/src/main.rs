//! The command line of the trainer.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Self-play, training data and the trainer of Koel's networks
#[derive(Parser)]
#[command(name = "koel-train")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of self-play and write them to a file
    Selfplay(commands::selfplay::Selfplay),
    /// Import games in PGN, as OpenBench's workers play them
    Import(commands::import::Import),
    /// List the runs of self-play in the store and update its index
    Runs(commands::runs::Runs),
    /// Print statistics of games
    Stats(commands::stats::Stats),
    /// Fit the win-draw-loss model to games
    FitWdl(commands::fit_wdl::FitWdl),
    /// Train a network with games
    Train(commands::train::Train),
    /// Compare the losses of networks on the same games
    Losses(commands::losses::Losses),
    /// Generate natural openings for matches
    Openings(commands::openings::Openings),
    /// Reproduce a network from its manifest and compare the hashes
    Reproduce(commands::reproduce::Reproduce),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Selfplay(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Runs(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::FitWdl(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Losses(command) => command.run(),
        Command::Openings(command) => command.run(),
        Command::Reproduce(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
