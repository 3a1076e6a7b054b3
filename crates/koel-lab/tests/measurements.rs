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
        ("speedtest WRONG", "there is no switch `WRONG`"),
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

/// A stand-in for an engine with switches: it searches half as many nodes with the switch.
#[cfg(unix)]
fn stand_in(name: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\nn=1000\nwhile read -r line; do case \"$line\" in\n\
        uci) echo 'option name Hash type spin default 16 min 1 max 64'\n\
        echo 'option name Threads type spin default 1 min 1 max 8'\n\
        echo 'option name Switch_halve type check default false'; echo uciok;;\n\
        isready) echo readyok;;\n\
        'setoption name Switch_halve value true') n=500;;\n\
        go*) echo \"info depth 1 score cp 0 nodes $n pv e2e4\"; echo bestmove 0000;;\n\
        quit) exit;;\nesac; done\n";
    let engine = temporary_file(name, script);
    std::fs::set_permissions(&engine, PermissionsExt::from_mode(0o755)).unwrap();
    engine.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn speedtest_measures_each_number_of_threads_and_change() {
    let engine = stand_in("speed.sh");
    let speedtest =
        |words: &[&str]| koel_lab(&[&["speedtest", "--engine", engine.as_str()], words].concat());
    let (output, error, is_success) = speedtest(&["halve", "--threads", "1,3", "--depth", "4"]);
    assert!(is_success, "{output}{error}");
    let mut lines = output.lines();
    assert_eq!(lines.next(), Some("40 positions to depth 4, hash 64 MiB, runs: 1"));
    let rows: Vec<_> =
        lines.skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>()).collect();
    let names: Vec<_> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(names, [["1", "none"], ["1", "halve"], ["3", "none"], ["3", "halve"]], "{output}");
    let nodes = rows.iter().map(|row| row[row.len() - 5]).collect::<Vec<_>>();
    assert_eq!(nodes, ["+0.0", "-50.0", "+0.0", "-50.0"], "{output}");
    let (_, error, is_success) = speedtest(&["double"]);
    assert!(!is_success && error.contains("there is no switch `double`"), "{error}");
}

#[test]
fn perft_counts_and_checks() {
    let (output, error, is_success) = koel_lab(&["perft", "3", "--hash", "1", "--check"]);
    assert!(is_success && output.contains("\nNodes searched: 8902\n"), "{output}{error}");
    assert!(output.contains("Check: plain perft agrees"), "{output}");
}
