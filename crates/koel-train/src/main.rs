//! The command line of the trainer.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod commands;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Makes Koel's network from nothing but Koel's own games.
#[derive(Parser)]
#[command(name = "koel-train")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let Koel play itself and write down the games
    Selfplay(commands::selfplay::Selfplay),
    /// Say what is in the games
    Stats(commands::stats::Statistics),
    /// Fit the chances to win, draw and lose to the games
    Chances(commands::chances::Chances),
    /// Train a network with games
    Train(commands::train::Train),
    /// Make a network again from its manifest and compare
    Reproduce(commands::reproduce::Reproduce),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Selfplay(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Chances(command) => command.run(),
        Command::Train(command) => command.run(),
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
