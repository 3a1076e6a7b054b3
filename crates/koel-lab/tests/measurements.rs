//! The measurements of the search, by the real program.
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the program and returns its output, its standard error and true if it succeeded.
fn koel_lab(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_koel-lab")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

fn temporary_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn ghi_reports_every_policy_on_the_positions_of_a_file() {
    let fens =
        "# locked\n8/8/5p2/p4P2/P7/5k2/8/4K3 w - - 0 1\n4K3/2k3p1/6P1/1p6/1P6/8/8/8 w - - 0 1\n";
    let file = temporary_file("ghi.txt", fens);
    let path = file.to_str().unwrap();
    let truth = ["ghi", "--depth", "9", "--nodes", "1000000", "--positions", path];
    let (text, _, is_success) = koel_lab(&truth);
    let head = "\ngiven: 2 positions, 18 values, depths 1 to 9, lines of 1\n";
    assert!(is_success && text.starts_with(head), "{text}");
    let wrong = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        line.split(" | ").nth(2).unwrap().parse::<u32>().unwrap()
    };
    // Each position has a false draw if the draw scores of the table are trusted.
    assert_eq!(["trust", "refuse", "relative"].map(wrong), [2, 0, 0]);
    let rules = ["ghi", "--no-progress", "--depth", "8", "--positions", path];
    let (text, _, is_success) = koel_lab(&rules);
    assert!(is_success && text.contains("\n| relative | tracked | "), "{text}");
}

#[test]
fn ghi_refuses_illegal_positions() {
    let file = temporary_file("illegal.txt", "8/8/8/8/8/8/8/8 w - - 0 1\n");
    let path = file.to_str().unwrap();
    let (_, error, is_success) = koel_lab(&["ghi", "--positions", path]);
    assert!(!is_success && error.contains("illegal.txt, line 1: "), "{error}");
}

/// A cargo that cannot build: a name that is refused only after a build is not refused for its own
/// sake.
#[cfg(unix)]
#[test]
fn wrong_names_are_refused_before_anything_is_built() {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\n[ \"$1\" = build ] && exit 7\nexec cargo \"$@\"\n";
    let cargo = temporary_file("cargo-that-cannot-build", script);
    std::fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).unwrap();
    for (command, error) in [
        ("sprt WRONG", "`WRONG` is neither `koel`, a program, nor a git revision"),
        ("sprt HEAD --engine WRONG", "`WRONG` is neither"),
        ("match koel WRONG", "`WRONG` is neither"),
        ("trial tt_cutoff WRONG", "there is no switch `WRONG`"),
        ("tune WRONG", "there is no group or parameter `WRONG`"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_koel-lab"))
            .args(command.split(' '))
            .env("CARGO", &cargo)
            .output()
            .unwrap();
        let found = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && found.contains(error), "{command}: {found}");
    }
}

#[test]
fn perft_counts_and_checks() {
    let (output, error, is_success) = koel_lab(&["perft", "3", "--hash", "1", "--check"]);
    assert!(is_success && output.contains("\nNodes searched: 8902\n"), "{output}{error}");
    assert!(output.contains("Check: plain perft agrees"), "{output}");
}
