//! Runs Koel under python-chess, which lichess-bot uses, if it is installed.

#![allow(clippy::print_stdout, reason = "reports a skipped test")]

use std::process::Command;

#[test]
fn python_chess_reports_no_error() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/python/drive_uci.py");
    let run = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_koel")).output();
    let output = match run {
        Ok(output) => output,
        Err(error) => return println!("skipped: no python3: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    println!("{}", text(&output.stdout));
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
