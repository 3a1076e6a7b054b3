//! `cargo xtask ci`: everything that must pass before a commit, the quickest failures first.

use std::env;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use xshell::{Shell, cmd};

use crate::bench::Bench;
use crate::{dist, message, panics, sanitize, tidy};

#[derive(Args)]
pub(crate) struct Ci {
    /// Then run the slow tests too
    #[arg(long)]
    long: bool,
    /// Run this step alone; may be given more than once
    #[arg(long = "step", value_name = "NAME", conflicts_with = "long",
        value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    steps: Vec<String>,
    /// Say what the steps check, and end
    #[arg(long)]
    list: bool,
}

struct Step {
    /// `long-...` for one of the slow tests.
    name: &'static str,
    about: &'static str,
    work: Work,
}

enum Work {
    /// Arguments of cargo, one command a line. Variables before them are set unless they are set
    /// already: `KOEL_LINES=100 cargo xtask ci --step long-search` is a shorter run.
    Cargo(&'static [&'static str]),
    Own(fn(&Shell) -> Result<()>),
}

const fn cargo(name: &'static str, about: &'static str, lines: &'static [&'static str]) -> Step {
    Step { name, about, work: Work::Cargo(lines) }
}

const fn own(name: &'static str, about: &'static str, run: fn(&Shell) -> Result<()>) -> Step {
    Step { name, about, work: Work::Own(run) }
}

/// The steps in their order, the slow tests last.
const STEPS: &[Step] = &[
    cargo("fmt", "formatting", &["fmt --all --check"]),
    own("message", "the bench in the message of the last commit", message::check),
    own("tidy", "rules of the workspace", tidy::run),
    own("deny", "licences, layers and known security problems of what is linked", deny),
    cargo(
        "clippy",
        "lints of every target, and of a build with switches and tuning options",
        &[
            "clippy --workspace --all-targets -- -D warnings",
            "clippy -p koel --features tune,switches -- -D warnings",
            "clippy -p koel --no-default-features -- -D warnings",
        ],
    ),
    cargo(
        "doc",
        "documentation without warnings",
        &["RUSTDOCFLAGS=-Dwarnings doc --workspace --no-deps"],
    ),
    cargo("test", "every test, with assertions on", &["test --workspace"]),
    own("bench", "the bench signature of the release build", |shell| Bench::default().run(shell)),
    own("panics", "no panic and no allocation in the node loop of that build", panics::run),
    own(
        "long-dist",
        "the archive of a release, its program on an emulated processor too",
        dist::make_first,
    ),
    own("long-packages", "every package built from what would be published", packages),
    cargo(
        "long-publish",
        "the crates that stand alone, as a registry takes them",
        &["publish --dry-run --allow-dirty --no-verify \
             -p koel-random -p koel-files -p koel-chart -p koel-cuckoo -p koel-tt -p koel-uci"],
    ),
    cargo(
        "long-board",
        "the board against shakmaty on 1,000,000 positions",
        &["KOEL_POSITIONS=1000000 test -p koel-board"],
    ),
    cargo(
        "long-cycles",
        "cycle detection against brute force on 1,000,000 positions",
        &["KOEL_CYCLE_POSITIONS=1000000 KOEL_CYCLE_SEEDS=100000 \
           test -p koel-cuckoo --test cuckoo -- --nocapture"],
    ),
    cargo(
        "long-conformance",
        "the whole conformance suite generated again, and checked with python-chess",
        &["KOEL_CONFORMANCE_RECORDS=1000 \
           test -p koel-cuckoo --example conformance -- --nocapture"],
    ),
    cargo(
        "long-table",
        "the table under 50,000,000 operations, and in 1,000 interrupted searches",
        &[
            "KOEL_TABLE_OPERATIONS=50000000 \
             test --release -p koel-tt --test tt -- --nocapture",
            "KOEL_TABLE_ROUNDS=1000 test -p koel --test uci table",
        ],
    ),
    cargo(
        "long-search",
        "the principal variations of 2,000 searches verified against the rules",
        &["KOEL_LINES=2000 test --release -p koel-search --test search lines -- --nocapture"],
    ),
    cargo(
        "long-experiments",
        "every switch and parameter of the search, in a build with tuning options",
        &[
            "test --release -p koel --features tune,switches --test uci experiments",
            "test -p koel-search --features tune,switches --lib",
        ],
    ),
    cargo(
        "long-commands",
        "each command of docs/cycles.md, with small numbers of games, positions and nodes",
        &["KOEL_PAGE_COMMANDS=1 test -p koel-lab --test page_commands -- --nocapture"],
    ),
    cargo(
        "long-networks",
        "networks of two generations, 5,000 games each, reproduced from their manifests",
        &["KOEL_REPRODUCE_GAMES=5000 test --release -p koel-train --lib networks_are_made_again"],
    ),
    cargo(
        "long-lines",
        "200,000 random lines to the real program",
        &["KOEL_FUZZ_LINES=200000 test -p koel --test uci fuzz"],
    ),
    cargo(
        "long-dialogues",
        "10,000 dialogues in which every `go` is answered once",
        &["KOEL_DIALOGUES=10000 test -p koel --test uci dialogues"],
    ),
    cargo(
        "long-pgn",
        "a PGN of 100,000 games read with one game in memory, and 1,000,000 words as moves",
        &[
            "KOEL_PGN_GAMES=100000 test --release -p koel-pgn --test memory -- --nocapture",
            "KOEL_TOKENS=1000000 test -p koel-pgn --lib every_letter -- --nocapture",
        ],
    ),
    cargo(
        "long-page",
        "the page of an analysis in Chromium, if it is there: clicks, keys, sorting, variations",
        &["test -p koel --test page -- --ignored --nocapture"],
    ),
    cargo(
        "long-interruptions",
        "1,000 interruptions of an analysis and of matches, after which nothing is lost",
        &[
            "KOEL_INTERRUPTIONS=1000 test -p koel --test analyze_interrupted random -- --nocapture",
            "KOEL_INTERRUPTIONS=1000 \
             test -p koel-arena --test interruptions random -- --nocapture",
        ],
    ),
    cargo(
        "long-fens",
        "a million damaged FENs, those that are accepted played by shakmaty",
        &["KOEL_FENS=1000000 test -p koel-board --test faulty_fen"],
    ),
    cargo(
        "long-fuzz",
        "every reader of text or files fuzzed, 10 minutes each",
        &["KOEL_FUZZ_SECONDS=600 test -p koel-lab --test fuzz -- --nocapture"],
    ),
    own("long-races", "ThreadSanitizer on searches with four threads", sanitize::run),
    cargo(
        "long-games",
        "20 games against itself in real time",
        &[
            "test --release -p koel --test games -- --ignored",
            "KOEL_CLOCK_GAMES=20 test --release -p koel --test clock -- --nocapture",
        ],
    ),
    cargo(
        "long-times",
        "from commands to answers in real time, on a machine without other load",
        &["test --release -p koel --test uci wall_time -- --ignored --test-threads 1"],
    ),
];

impl Ci {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let started = Instant::now();
        if self.list {
            STEPS.iter().for_each(|step| println!("{:16}  {}", step.name, step.about));
            return Ok(());
        }
        for step in STEPS.iter().filter(|step| self.chooses(step.name)) {
            println!("\n== {}: {}", step.name, step.about);
            let step_started = Instant::now();
            step.run(shell).with_context(|| format!("{} failed", step.name))?;
            println!("== ok in {:.0} s", step_started.elapsed().as_secs_f64());
        }
        println!("\nAll passed in {:.0} s.", started.elapsed().as_secs_f64());
        Ok(())
    }

    fn chooses(&self, name: &str) -> bool {
        match self.steps.is_empty() {
            true => self.long || !name.starts_with("long-"),
            false => self.steps.iter().any(|step| step == name),
        }
    }
}

impl Step {
    fn run(&self, shell: &Shell) -> Result<()> {
        let lines = match self.work {
            Work::Own(run) => return run(shell),
            Work::Cargo(lines) => lines,
        };
        for line in lines {
            println!("$ cargo {line}");
            let (variables, arguments) = variables(line);
            let cargo = crate::cargo();
            let unset = variables.into_iter().filter(|(name, _)| env::var_os(name).is_none());
            cmd!(shell, "{cargo} {arguments...}").envs(unset).quiet().run()?;
        }
        Ok(())
    }
}

/// Splits `NAME=value` words in front from the arguments behind them.
fn variables(line: &str) -> (Vec<(&str, &str)>, Vec<&str>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let variables: Vec<_> = words.iter().map_while(|word| word.split_once('=')).collect();
    let arguments = words[variables.len()..].to_vec();
    (variables, arguments)
}

/// Runs `cargo deny check`. Without the program, or without access to the database of security
/// problems, the part that needs it is skipped with a message.
fn deny(shell: &Shell) -> Result<()> {
    let cargo = crate::cargo();
    let is_done = |arguments: &[&str]| {
        let command = cmd!(shell, "{cargo} deny {arguments...}").quiet();
        command.ignore_stdout().ignore_stderr().run().is_ok()
    };
    if !is_done(&["--version"]) {
        println!("skipped: cargo-deny is not installed; `cargo install cargo-deny` gets it");
        return Ok(());
    }
    cmd!(shell, "{cargo} deny check bans licenses sources").quiet().run()?;
    if !is_done(&["fetch", "db"]) {
        println!("skipped: the database of security problems cannot be fetched");
        return Ok(());
    }
    Ok(cmd!(shell, "{cargo} deny check advisories").quiet().run()?)
}

/// Builds every package from what would be published. (In a folder used before, cargo would build
/// the packages of the earlier run.)
fn packages(shell: &Shell) -> Result<()> {
    let folder = shell.create_temp_dir()?;
    let (cargo, folder) = (crate::cargo(), folder.path());
    cmd!(shell, "{cargo} package --workspace --locked --allow-dirty --target-dir {folder}")
        .run()?;
    Ok(())
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

    #[test]
    fn every_step_runs_by_default_or_with_long() {
        let chosen = |arguments: &[&str]| {
            let ci = Whole::parse_from([&["ci"], arguments].concat()).ci;
            STEPS.iter().map(|step| step.name).filter(|name| ci.chooses(name)).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&["--long"]).len(), STEPS.len());
        assert_eq!(chosen(&[]).last(), Some(&"panics"));
        assert_eq!(chosen(&["--step", "doc", "--step", "fmt"]), ["fmt", "doc"]);
    }

    #[test]
    fn variables_stand_in_front() {
        let (set, arguments) = variables("A=1 B=x test -p c --cfg=d");
        assert_eq!(set, [("A", "1"), ("B", "x")]);
        assert_eq!(arguments, ["test", "-p", "c", "--cfg=d"]);
    }
}
