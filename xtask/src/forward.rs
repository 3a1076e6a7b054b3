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
    /// Search test positions with known best moves
    Suite(Arguments),
    /// Generate an HTML report of all measurements
    Report(Arguments),
    /// Count the leaves of the move tree with a shared hash table and several threads
    Perft(Arguments),
    /// Compare the policies for path-dependent draws
    Ghi(Arguments),
    /// Compare the SMP modes: time and nodes to a fixed depth
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

/// Builds that measure the speed of Koel's own code are release builds.
const RELEASE: &[&str] = &["--release"];
/// Everything else starts sooner in the development profile.
const DEVELOPMENT: &[&str] = &[];

impl Forwarded {
    /// Builds the program of the command and runs it.
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let (profile, package, command, arguments) = match self {
            Forwarded::Match(arguments) => (DEVELOPMENT, "koel-lab", Some("match"), arguments),
            Forwarded::Sprt(arguments) => (DEVELOPMENT, "koel-lab", Some("sprt"), arguments),
            Forwarded::Gauntlet(arguments) => {
                (DEVELOPMENT, "koel-lab", Some("gauntlet"), arguments)
            }
            Forwarded::Openings(arguments) => {
                (DEVELOPMENT, "koel-lab", Some("openings"), arguments)
            }
            Forwarded::Ablate(arguments) => (DEVELOPMENT, "koel-lab", Some("ablate"), arguments),
            Forwarded::Tune(arguments) => (DEVELOPMENT, "koel-lab", Some("tune"), arguments),
            Forwarded::Suite(arguments) => (DEVELOPMENT, "koel-lab", Some("suite"), arguments),
            Forwarded::Report(arguments) => (DEVELOPMENT, "koel-lab", Some("report"), arguments),
            Forwarded::Perft(arguments) => (RELEASE, "koel-lab", Some("perft"), arguments),
            Forwarded::Ghi(arguments) => (RELEASE, "koel-lab", Some("ghi"), arguments),
            Forwarded::Smp(arguments) => (RELEASE, "koel-lab", Some("smp"), arguments),
            Forwarded::Speedtest(arguments) => (RELEASE, "koel-lab", Some("speedtest"), arguments),
            Forwarded::Net(arguments) => (RELEASE, "koel-train", None, arguments),
        };
        let (cargo, words) = (crate::cargo(), arguments.words);
        cmd!(
            shell,
            "{cargo} run --quiet {profile...} --package {package} -- {command...} {words...}"
        )
        .quiet()
        .run()?;
        Ok(())
    }
}
