//! Commands of other programs of the workspace, forwarded with all their arguments.

use std::ffi::OsString;

use anyhow::Result;
use clap::{Args, Subcommand};
use xshell::{Shell, cmd};

/// The forwarded commands. `--help` after the name shows the help of the command itself.
#[derive(Subcommand)]
pub(crate) enum Forwarded {
    /// Play a match between two engines
    Match(Arguments),
    /// Test whether the working tree is stronger than a git revision or a program (SPRT)
    Sprt(Arguments),
    /// Estimate the rating of an engine from matches against opponents of known ratings
    Gauntlet(Arguments),
    /// Generate a set of balanced openings
    Openings(Arguments),
    /// Measure the Elo, the nodes and the time of each feature of the search
    Ablate(Arguments),
    /// Tune parameters of the search by SPSA
    Tune(Arguments),
    /// Estimate the Elo of several changes at once
    Trial(Arguments),
    /// Search test positions with known best moves
    Suite(Arguments),
    /// Find draws by repetition that an engine overlooks, or sees where there is none
    Audit(Arguments),
    /// Generate an HTML report of all measurements
    Report(Arguments),
    /// Count the leaves of the move tree with a shared hash table and several threads
    Perft(Arguments),
    /// Compare the policies for path-dependent draws
    Ghi(Arguments),
    /// Compare changes by time and nodes to a fixed depth, with several threads
    Smp(Arguments),
    /// Measure the speed of the search by number of threads
    Speedtest(Arguments),
    /// Generate self-play games and train a network
    Net(Arguments),
}

/// All arguments of a forwarded command.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

/// Commands that measure the speed of Koel's own code, which need a release build.
const MEASUREMENTS: &[&str] = &["perft", "ghi", "speedtest", "net"];

impl Forwarded {
    /// Builds the program of the command and runs it.
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let (name, Arguments { words }) = match self {
            Forwarded::Match(arguments) => ("match", arguments),
            Forwarded::Sprt(arguments) => ("sprt", arguments),
            Forwarded::Gauntlet(arguments) => ("gauntlet", arguments),
            Forwarded::Openings(arguments) => ("openings", arguments),
            Forwarded::Ablate(arguments) => ("ablate", arguments),
            Forwarded::Tune(arguments) => ("tune", arguments),
            Forwarded::Trial(arguments) => ("trial", arguments),
            Forwarded::Suite(arguments) => ("suite", arguments),
            Forwarded::Audit(arguments) => ("audit", arguments),
            Forwarded::Report(arguments) => ("report", arguments),
            Forwarded::Perft(arguments) => ("perft", arguments),
            Forwarded::Ghi(arguments) => ("ghi", arguments),
            Forwarded::Smp(arguments) => ("smp", arguments),
            Forwarded::Speedtest(arguments) => ("speedtest", arguments),
            Forwarded::Net(arguments) => ("net", arguments),
        };
        // The trainer is a program of its own.
        let (package, command) = match name {
            "net" => ("koel-train", None),
            name => ("koel-lab", Some(name)),
        };
        let release = MEASUREMENTS.contains(&name).then_some("--release");
        let cargo = crate::cargo();
        cmd!(
            shell,
            "{cargo} run --quiet {release...} --package {package} -- {command...} {words...}"
        )
        .quiet()
        .run()?;
        Ok(())
    }
}
