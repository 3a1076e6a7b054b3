//! Commands of other programs of the workspace, forwarded with all their arguments.

use std::ffi::OsString;
use std::process::{Command, exit};

use anyhow::Result;
use xshell::{Shell, cmd};

/// The list of the forwarded commands, for the help of this program.
pub(crate) const HELP: &str = "\
Commands of koel-lab and koel-train, with all their arguments (`cargo xtask NAME --help`):
  match, tournament, sprt, gauntlet   play matches between engines
  trial, tune                         estimate and tune switches and parameters of the search
  perft, ghi, audit                   measure the engine
  net                                 generate self-play games and train a network";

/// Builds the program of the command and runs it; `words` begin with the command's name. Cargo
/// shows its progress on a terminal. The exit status of the program is that of this one.
pub(crate) fn run(shell: &Shell, words: &[OsString]) -> Result<()> {
    let name = words.first().and_then(|name| name.to_str()).unwrap_or_default();
    // The trainer is a program of its own.
    let (package, words) = match name {
        "net" => ("koel-train", &words[1..]),
        _ => ("koel-lab", words),
    };
    // These run Koel's own code for long.
    let release = ["perft", "ghi", "net"].contains(&name).then_some("--release");
    let cargo = crate::cargo();
    let choice = [Some("--package"), Some(package), release].into_iter().flatten();
    let choice: Vec<&str> = choice.collect();
    cmd!(shell, "{cargo} build").args(&choice).quiet().run()?;
    let run = cmd!(shell, "{cargo} run --quiet").args(choice).arg("--").args(words);
    let status = Command::from(run).status()?;
    if !status.success() {
        // The program has said why.
        exit(status.code().unwrap_or(1));
    }
    Ok(())
}
