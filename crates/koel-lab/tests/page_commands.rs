//! The commands in the `sh` blocks of docs/cycles.md: each is one that this commit has, and with
//! `KOEL_PAGE_COMMANDS=1` each is run, made small.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use koel_arena::cli::find_program;

/// Options that decide how long a command takes, and the values with which it is run.
const SMALL: [(&str, &str); 10] = [
    ("bench", "5"),
    ("--games", "2"),
    ("--random", "2"),
    ("--nodes", "300"),
    ("--depth", "4"),
    ("--moves", "2"),
    ("--count", "4"),
    ("--lines", "20"),
    ("--tc", "1+0.01"),
    ("--concurrency", "1"),
];
/// The sizes of the steps of `cargo xtask ci` that the page names.
const SMALL_STEPS: [(&str, &str); 3] = [
    ("KOEL_CYCLE_POSITIONS", "1000"),
    ("KOEL_CYCLE_SEEDS", "100"),
    ("KOEL_CONFORMANCE_RECORDS", "100"),
];
/// Options whose files are written to a folder of the test.
const WRITTEN: [&str; 6] = ["--json", "--output", "--pgn", "--state", "--run", "--svg"];
/// Commands that play as many games as they are allowed.
const PLAYING: [&str; 6] = ["match", "tournament", "sprt", "gauntlet", "trial", "tune"];
/// Commands of `cargo xtask` that are not forwarded to koel-lab.
const OTHERS: [&str; 6] = ["bench", "ci", "dist", "net", "panics", "tidy"];
/// The statuses of a command that did its work: a test of two games is undecided.
const DONE: [i32; 4] = [0, 3, 4, 6];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Returns the commands of the `sh` blocks, one a line.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("\n```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let text = blocks.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let lines = text.lines().map(|line| line.split(" #").next().unwrap());
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Returns a command with small numbers, which writes to this folder.
fn small(command: &str, folder: &Path) -> String {
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        let option = words[index - 1].as_str();
        let value = SMALL.iter().find(|(name, _)| *name == option).map(|(_, value)| *value);
        if let Some(value) = value {
            words[index] = value.to_owned();
        } else if WRITTEN.contains(&option) {
            let name = Path::new(&words[index]).file_name().unwrap();
            words[index] = folder.join(name).display().to_string();
        }
    }
    let command = words.get(2).cloned().unwrap_or_default();
    let mut add = |option: &str, value: String| {
        if !words.iter().any(|word| word == option) {
            words.extend([option.to_owned(), value]);
        }
    };
    if PLAYING.contains(&command.as_str()) {
        add("--games", "2".to_owned());
    }
    if ["trial", "tune"].contains(&command.as_str()) {
        add("--run", folder.join("run.json").display().to_string());
    }
    words.join(" ")
}

/// Runs a line of a shell in the root of the workspace. Returns its status and its output.
fn shell(line: &str) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    let output = command.args(["-c", line]).current_dir(root()).envs(SMALL_STEPS).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), text.concat())
}

#[test]
fn the_page_on_cycles_names_commands_that_exist() {
    let commands = commands(&fs::read_to_string(root().join("docs/cycles.md")).unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-commands");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let is_run = std::env::var_os("KOEL_PAGE_COMMANDS").is_some();
    let (mut checked, mut failures) = (0, Vec::new());
    for command in &commands {
        let (line, done) = match command.strip_prefix("cargo xtask ") {
            _ if is_run => (small(command, &folder), &DONE[..]),
            Some(words) if OTHERS.contains(&words.split(' ').next().unwrap()) => continue,
            // With --help every word before it is read, and nothing is done.
            Some(words) => (format!("{} {words} --help", env!("CARGO_BIN_EXE_koel-lab")), &[0][..]),
            None => continue,
        };
        if is_run {
            println!("$ {line}");
            let tool = line.split(' ').find(|word| !word.contains('=')).unwrap();
            if !tool.contains('/') && find_program(tool).is_none() {
                println!("skipped: {tool} is not on the search path");
                checked += 1;
                continue;
            }
        }
        let (status, text) = shell(&line);
        if !status.is_some_and(|status| done.contains(&status)) {
            failures.push(format!("{line}: {status:?}\n{text}"));
        }
        checked += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(checked > 0 && (checked == commands.len() || !is_run), "{commands:?}");
}

#[test]
fn commands_are_taken_from_shell_blocks_and_made_small() {
    let page = "a\n\n```sh\ncargo xtask sprt A --nodes 5000 \\\n    --json docs/x.json  # why\n\
                # not\n```\n\n```text\nno\n```\n\n```sh\ncargo xtask trial a --random 6000\n```\n";
    let found = commands(page);
    assert_eq!(
        found,
        ["cargo xtask sprt A --nodes 5000 --json docs/x.json", "cargo xtask trial a --random 6000"]
    );
    let small: Vec<_> = found.iter().map(|line| small(line, Path::new("/f"))).collect();
    assert_eq!(
        small,
        [
            "cargo xtask sprt A --nodes 300 --json /f/x.json --games 2",
            "cargo xtask trial a --random 2 --games 2 --run /f/run.json"
        ]
    );
}
