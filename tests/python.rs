//! Runs Koel under python-chess, which lichess-bot uses, and computations in Python, if it is
//! installed.

#![allow(clippy::print_stdout, reason = "reports a skipped test")]

use std::process::Command;

/// Runs a script, which must succeed, unless there is no Python.
fn run(script: &str, argument: &str) {
    let script = format!("{}/../../tests/python/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = match Command::new("python3").arg(script).arg(argument).output() {
        Ok(output) => output,
        Err(error) => return println!("skipped: no python3: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    println!("{}", text(&output.stdout));
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn python_chess_reports_no_error() {
    run("drive_uci.py", env!("CARGO_BIN_EXE_koel"));
}

#[test]
fn accuracies_are_those_of_a_second_computation() {
    let games = "/../koel-analyze/src/six_games.txt";
    run("accuracy.py", &format!("{}{games}", env!("CARGO_MANIFEST_DIR")));
}
