//! `cargo xtask ci`: everything that must pass before a commit, the quickest failures first.

use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use xshell::{Cmd, Shell, cmd};

use crate::bench::Bench;
use crate::dist::Dist;
use crate::{deny, panics, sanitize, tidy};

#[derive(Args)]
pub(crate) struct Ci {
    /// Then run the slow tests too
    #[arg(long)]
    long: bool,
    /// Run this step alone; may be given more than once
    #[arg(long = "step", value_name = "NAME", conflicts_with = "long")]
    steps: Vec<Step>,
    /// Seconds of fuzzing for each format, in the step long-fuzz
    #[arg(long, default_value_t = 600)]
    fuzz_seconds: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Step {
    /// Formatting
    Fmt,
    /// Rules of the workspace
    Tidy,
    /// Licences and known security problems of what is linked, with cargo-deny where it is installed
    Deny,
    /// Lints of every target
    Clippy,
    /// Documentation without warnings
    Doc,
    /// Every test, with assertions on
    Test,
    /// Bench signature, with the release build
    Bench,
    /// No panic and no allocation in the node loop of that build
    Panics,
    /// The archive of a release, its program on an emulated processor too
    Dist,
    /// Long: every package built from what would be published
    LongPackages,
    /// Long: the board against shakmaty on 1,000,000 positions
    LongBoard,
    /// Long: cycle detection against brute force on 1,000,000 positions
    LongCycles,
    /// Long: the whole conformance suite generated again, and checked with python-chess
    LongConformance,
    /// Long: the transposition table under 50,000,000 operations, and in 1,000 interrupted searches
    LongTable,
    /// Long: the principal variations of 2,000 searches verified against the rules
    LongSearch,
    /// Long: every switch and parameter of the search, in a build with tuning options
    LongExperiments,
    /// Long: networks of two generations, 5,000 games each, reproduced from their manifests
    LongNetworks,
    /// Long: 200,000 random lines to the real program
    LongLines,
    /// Long: 10,000 dialogues in which every `go` is answered once
    LongDialogues,
    /// Long: every reader of text or files fuzzed, 10 minutes each
    LongFuzz,
    /// Long: ThreadSanitizer on searches with four threads, where it can be built
    LongRaces,
    /// Long: 20 games against itself in real time
    LongGames,
    /// Long: from commands to answers in real time, on a machine without other load
    LongTimes,
}

const USUAL: &[Step] = &[
    Step::Fmt,
    Step::Tidy,
    Step::Deny,
    Step::Clippy,
    Step::Doc,
    Step::Test,
    Step::Bench,
    Step::Panics,
    Step::Dist,
];
const LONG: &[Step] = &[
    Step::LongPackages,
    Step::LongBoard,
    Step::LongCycles,
    Step::LongConformance,
    Step::LongTable,
    Step::LongSearch,
    Step::LongExperiments,
    Step::LongNetworks,
    Step::LongLines,
    Step::LongDialogues,
    Step::LongFuzz,
    Step::LongRaces,
    Step::LongGames,
    Step::LongTimes,
];

impl Ci {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let started = Instant::now();
        for step in self.chosen() {
            println!("\n== {}", step.title());
            let step_started = Instant::now();
            step.run(shell, self.fuzz_seconds)
                .with_context(|| format!("{} failed", step.title()))?;
            println!("== ok in {:.0} s", step_started.elapsed().as_secs_f64());
        }
        println!("\nAll passed in {:.0} s.", started.elapsed().as_secs_f64());
        Ok(())
    }

    fn chosen(&self) -> Vec<Step> {
        match (self.steps.is_empty(), self.long) {
            (false, _) => self.steps.clone(),
            (true, false) => USUAL.to_vec(),
            (true, true) => [USUAL, LONG].concat(),
        }
    }
}

impl Step {
    fn title(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn run(self, shell: &Shell, fuzz_seconds: u64) -> Result<()> {
        let cargo = |arguments| cargo_command(shell, arguments);
        match self {
            Step::Fmt => cargo("fmt --all --check").run()?,
            Step::Tidy => tidy::run(shell)?,
            Step::Deny => deny::run(shell)?,
            Step::Clippy => {
                cargo("clippy --workspace --all-targets -- -D warnings").run()?;
                cargo("clippy -p koel --features tune,ablate -- -D warnings").run()?;
            }
            Step::Doc => {
                cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings").run()?;
            }
            Step::Test => cargo("test --workspace").run()?,
            Step::Bench => Bench::default().run(shell)?,
            Step::Panics => panics::run(shell)?,
            Step::Dist => Dist::first().run(shell)?,
            Step::LongPackages => {
                // In a folder used before, cargo would build the packages of the earlier run.
                let folder = shell.create_temp_dir()?;
                cargo("package --workspace --locked --allow-dirty --target-dir")
                    .arg(folder.path())
                    .run()?;
            }
            Step::LongBoard => {
                cargo("test -p koel-board").env("KOEL_POSITIONS", "1000000").run()?;
            }
            Step::LongCycles => cargo("test -p koel-cuckoo --test cuckoo -- --nocapture")
                .env("KOEL_CYCLE_POSITIONS", "1000000")
                .env("KOEL_CYCLE_SEEDS", "100000")
                .run()?,
            Step::LongConformance => {
                cargo("test -p koel-cuckoo --example conformance -- --nocapture")
                    .env("KOEL_CONFORMANCE_RECORDS", "1000")
                    .run()?;
            }
            Step::LongTable => stress_table(shell)?,
            Step::LongSearch => {
                cargo("test --release -p koel-search --test search lines -- --nocapture")
                    .env("KOEL_LINES", "2000")
                    .run()?;
            }
            Step::LongExperiments => {
                cargo("test --release -p koel --features tune,ablate --test uci experiments")
                    .run()?;
            }
            Step::LongNetworks => {
                cargo("test --release -p koel-train --lib networks_are_made_again")
                    .env("KOEL_REPRODUCE_GAMES", "5000")
                    .run()?;
            }
            Step::LongLines => {
                cargo("test -p koel --test uci fuzz").env("KOEL_FUZZ_LINES", "200000").run()?;
            }
            Step::LongDialogues => {
                cargo("test -p koel --test uci dialogues").env("KOEL_DIALOGUES", "10000").run()?;
            }
            Step::LongFuzz => fuzz(shell, fuzz_seconds)?,
            Step::LongRaces => sanitize::run(shell)?,
            Step::LongTimes => {
                let tests = "test --release -p koel --test uci wall_time";
                cargo(&format!("{tests} -- --ignored --test-threads 1")).run()?;
            }
            Step::LongGames => {
                cargo("test --release -p koel --test games -- --ignored").run()?;
                cargo("test --release -p koel --test clock -- --nocapture")
                    .env("KOEL_CLOCK_GAMES", "20")
                    .run()?;
            }
        }
        Ok(())
    }
}

/// Runs the long tests of the transposition table.
fn stress_table(shell: &Shell) -> Result<()> {
    cargo_command(shell, "test --release -p koel-tt --test tt -- --nocapture")
        .env("KOEL_TABLE_OPERATIONS", "50000000")
        .run()?;
    let command = cargo_command(shell, "test -p koel --test uci table");
    Ok(command.env("KOEL_TABLE_ROUNDS", "1000").run()?)
}

/// Fuzzes each format for so many seconds.
fn fuzz(shell: &Shell, seconds: u64) -> Result<()> {
    let command = cargo_command(shell, "test -p koel-lab --test fuzz -- --nocapture");
    Ok(command.env("KOEL_FUZZ_SECONDS", seconds.to_string()).run()?)
}

fn cargo_command<'a>(shell: &'a Shell, arguments: &str) -> Cmd<'a> {
    println!("$ cargo {arguments}");
    let (cargo, arguments) = (crate::cargo(), arguments.split(' '));
    cmd!(shell, "{cargo} {arguments...}").quiet()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Whole {
        #[command(flatten)]
        ci: Ci,
    }

    fn chosen(arguments: &[&str]) -> Vec<Step> {
        Whole::parse_from([&["ci"], arguments].concat()).ci.chosen()
    }

    #[test]
    fn every_step_runs_by_default_or_with_long() {
        assert_eq!(chosen(&[]), USUAL);
        assert_eq!(chosen(&["--long"]), Step::value_variants());
        assert_eq!(chosen(&["--step", "doc", "--step", "fmt"]), [Step::Doc, Step::Fmt]);
    }
}
