//! The developer commands of the workspace: `cargo xtask --help`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod bench;
mod ci;
mod dist;
mod forward;
mod message;
mod panics;
mod sanitize;
mod tidy;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use xshell::Shell;

/// The developer commands of Koel's workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = forward::HELP)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all checks that must pass before a commit
    Ci(ci::Ci),
    /// Check the rules of the repository that no compiler checks
    Tidy,
    /// Run the bench and compare its node count with the signature
    Bench(bench::Bench),
    /// Make the archives of a release for this platform, and check their programs
    Dist(dist::Dist),
    /// Check that the node loop of the search neither panics nor allocates
    Panics,
    #[command(external_subcommand)]
    Forwarded(Vec<OsString>),
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root()?);
    match task {
        Task::Ci(ci) => ci.run(&shell),
        Task::Tidy => tidy::run(&shell),
        Task::Bench(bench) => bench.run(&shell),
        Task::Dist(dist) => dist.run(&shell),
        Task::Panics => panics::run(&shell),
        Task::Forwarded(words) => forward::run(&shell, &words),
    }
}

/// The root of the workspace. Cargo states it at run time, since clones that share a target folder
/// share this program too.
fn root() -> Result<PathBuf> {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR");
    let xtask = xtask.context("start this with `cargo xtask`")?;
    Ok(Path::new(&xtask).parent().context("xtask has no parent folder")?.to_owned())
}

/// The cargo that started this program.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
