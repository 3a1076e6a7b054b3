//! The chores of the workspace: `cargo xtask --help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod ablate;
mod arena;
mod bench;
mod ci;
mod engines;
mod forward;
mod panics;
mod report;
mod sanitize;
mod suite;
mod tidy;
mod tune;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use xshell::Shell;

use crate::forward::Forwarded;

/// The chores of Koel's workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run everything that must pass before a commit
    Ci(ci::Ci),
    /// Check the rules of the house that no compiler checks
    Tidy,
    /// Run the bench and compare its node count with the signature
    Bench(bench::Bench),
    /// Check that nothing panics or allocates while nodes are searched
    Panics,
    /// Count the leaves of the move tree with a shared hash table and several threads
    Perft(Forwarded),
    /// Compare the policies for path-dependent draws
    Ghi(Forwarded),
    /// Compare the SMP modes
    Smp(Forwarded),
    /// Measure the speed of the search by number of threads
    Speedtest(Forwarded),
    /// Let two engines play
    Match(arena::MatchCommand),
    /// Test whether the working tree is better than a base
    Sprt(arena::SprtCommand),
    /// Measure what each idea of the search is worth
    Ablate(ablate::Ablate),
    /// Tune numbers of the search by games
    Tune(tune::Tune),
    /// Estimate a rating from games against engines of known ratings
    Gauntlet(arena::GauntletCommand),
    /// Generate self-play games and train a network
    Net(Forwarded),
    /// Ask an engine for the best moves of test positions
    Suite(suite::Suite),
    /// Write a page with plots of what the matches, tests and tunings came to
    Report(report::Report),
    /// Make the set of openings that matches are played from
    Openings(arena::OpeningsCommand),
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    let shell = Shell::new()?;
    let root = root()?;
    // Paths of arguments are relative to the root, wherever the command was given.
    std::env::set_current_dir(&root)?;
    shell.change_dir(root);
    match chore {
        Chore::Ci(ci) => ci.run(&shell),
        Chore::Tidy => tidy::run(&shell),
        Chore::Bench(bench) => bench.run(&shell),
        Chore::Panics => panics::run(&shell),
        Chore::Perft(forwarded) => forwarded.measurement(&shell, "perft"),
        Chore::Ghi(forwarded) => forwarded.measurement(&shell, "ghi"),
        Chore::Smp(forwarded) => forwarded.measurement(&shell, "smp"),
        Chore::Speedtest(forwarded) => forwarded.measurement(&shell, "speedtest"),
        Chore::Match(command) => command.run(&shell),
        Chore::Sprt(sprt) => sprt.run(&shell),
        Chore::Ablate(ablate) => ablate.run(&shell),
        Chore::Tune(tune) => tune.run(&shell),
        Chore::Gauntlet(gauntlet) => gauntlet.run(&shell),
        Chore::Net(forwarded) => forwarded.trainer(&shell),
        Chore::Suite(suite) => suite.run(&shell),
        Chore::Report(report) => report.run(&shell),
        Chore::Openings(openings) => openings.run(&shell),
    }
}

/// The root of the workspace, wherever the command was given. It is asked of cargo, since clones
/// that share a build folder share this program too.
fn root() -> Result<PathBuf> {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR");
    let xtask = xtask.context("start this with `cargo xtask`")?;
    Ok(Path::new(&xtask).parent().context("xtask has no parent folder")?.to_owned())
}

/// The cargo that started this program.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
