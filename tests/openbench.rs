//! The engine entry of `docs/openbench.md` and the Makefile, checked against the requirements of
//! OpenBench.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail by a panic, and prints what it skips"
)]

use std::path::Path;

use serde_json::Value;

const PAGE: &str = include_str!("../docs/openbench.md");

fn entry() -> Value {
    let (_, rest) = PAGE.split_once("```json\n").unwrap();
    serde_json::from_str(rest.split_once("```").unwrap().0).unwrap()
}

#[test]
fn the_entry_has_all_required_fields() {
    let entry = entry();
    assert!(entry["private"] == false && entry["nps"].as_u64() > Some(100_000));
    assert!(entry["source"].as_str().unwrap().starts_with("https://"));
    let build = &entry["build"];
    let rust = format!("cargo>={}.0", env!("CARGO_PKG_RUST_VERSION"));
    assert_eq!((build["path"].as_str(), build["compilers"][0].as_str()), (Some(""), Some(&*rust)));
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(entry[kind]["default"].is_object(), "{kind}");
    }
    for (name, preset) in entry["test_presets"].as_object().unwrap() {
        if name != "default" {
            let options = preset["both_options"].as_str().unwrap();
            assert!(options.contains("Threads=") && options.contains("Hash="), "{name}");
            assert!(preset["both_time_control"].is_string(), "{name}");
        }
        for interval in ["test_bounds", "test_confidence"].map(|field| &preset[field]) {
            let Some(text) = interval.as_str() else { continue };
            let numbers: Vec<f64> = serde_json::from_str(text).unwrap();
            assert!(numbers.len() == 2 && numbers[0] <= numbers[1], "{name}: {text}");
        }
    }
}

/// The output of `make`; `None` where there is no `make`.
fn make(words: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut make = std::process::Command::new("make");
    let output = make.current_dir(root).args(words).env_remove("MAKEFLAGS").output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(unix)]
#[test]
fn make_accepts_the_arguments_of_a_worker() {
    let Some(plain) = make(&["-n", "-j", "EXE=some/Koel-1", "CC=cargo"]) else {
        println!("skipped: there is no make");
        return;
    };
    let command = "cargo build --release --package koel --bin koel --no-default-features";
    assert!(plain.contains(command), "{plain}");
    assert!(plain.contains("cp target/release/koel some/Koel-1\n"), "{plain}");
    assert!(!plain.contains(" --features"), "{plain}");
    let variables = make(&["-n", "-p", "EXE=Koel-1", "EVALFILE=nets/v15.koelnet"]).unwrap();
    let is_network =
        |line: &str| line.starts_with("KOEL_NETWORK := /") && line.ends_with("/nets/v15.koelnet");
    assert!(variables.lines().any(is_network));
    assert!(make(&["-n", "FEATURES=tune"]).unwrap().contains("--features tune"));
    // What a person builds has the commands for the shell.
    let own = make(&["-n"]).unwrap();
    assert!(own.contains("cargo build --release --package koel --bin koel"), "{own}");
    assert!(!own.contains("--no-default-features") && own.contains(" koel\n"), "{own}");
}
