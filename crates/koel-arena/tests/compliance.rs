//! The command `check` against engines that misbehave on purpose.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod support;

use std::process::Command;

use support::scripted;

/// Returns the exit status and the checks that fail.
fn failures(fault: &str) -> (i32, Vec<String>) {
    let engine = scripted("engine", &[]).command;
    let output = Command::new(env!("CARGO_BIN_EXE_koel-arena"))
        .args(["check", "--engine", &format!("cmd={},arg={fault}", engine.display())])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let failed = text.lines().filter_map(|line| line.strip_prefix("FAIL  ")).map(str::to_owned);
    (output.status.code().unwrap(), failed.collect())
}

#[test]
fn each_fault_fails_the_checks_that_it_concerns() {
    // The first legal move does not mate.
    let sound = failures("none");
    assert_eq!(sound.0, 5);
    assert_eq!(sound.1, ["a mate in one is found and named: f1a1 does not mate"]);
    let cases = [
        ("illegal", &["`go depth` is obeyed", "`go nodes` is", "`go movetime` is", "a clock"][..]),
        ("deaf", &["`quit` ends the program: the program goes on", "a closed input ends"]),
        ("bad-option", &["every option has a valid declaration: `option name Skill"]),
        ("hasty", &["`go infinite` waits for `stop`: `bestmove` before `stop`"]),
        ("stray", &["`go depth` is obeyed with a legal move: a second `bestmove`"]),
        ("crash", &["`go depth` is obeyed with a legal move: the engine ended: a fault on demand"]),
        ("illegal-pv", &["every PV is legal and begins with the move played: IllegalPvMove"]),
    ];
    let assert_failures = |(fault, checks): (&str, &[&str])| {
        let (status, failed) = failures(fault);
        assert_eq!(status, 5, "{fault}");
        for check in checks {
            assert!(failed.iter().any(|line| line.starts_with(check)), "{fault}: {failed:?}");
        }
    };
    // What does not start is not started again.
    let (status, failed) = failures("slow-start");
    assert_eq!((status, failed.len()), (5, 1), "{failed:?}");
    // Most of the time is spent waiting for answers that do not come.
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || assert_failures(case));
        }
    });
}
