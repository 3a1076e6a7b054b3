//! A match in a terminal and without one, interrupted at random and resumed: no game is lost, none
//! is there twice, and what others wrote stays byte for byte.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

#[path = "../../../tests/support/pseudo_terminal.rs"]
mod pseudo_terminal;
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use koel_arena::{GameId, read_state};
use koel_random::Rng;
use nix::sys::signal::Signal;
use pseudo_terminal::{Running, with_usual_signals};
use support::{read_back, scripted};

/// A generous limit for what takes a moment.
pub(crate) const SOON: Duration = Duration::from_secs(60);

const OTHERS: &str = "[Event \"of somebody else\"]\n\n1. e4 e5 *";

/// The files of a match in a folder that holds games of somebody else.
struct Match {
    state: PathBuf,
    pgn: PathBuf,
    engine: PathBuf,
    pairs: u32,
}

impl Match {
    fn new(name: &str, pairs: u32) -> Match {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interruptions").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let pgn = folder.join("all games.pgn");
        fs::write(&pgn, OTHERS).unwrap();
        let engine = scripted("engine", &[]).command;
        Match { state: folder.join("match.json"), pgn, engine, pairs }
    }

    fn arguments(&self) -> Vec<String> {
        let engine = self.engine.to_str().unwrap();
        let rounds = self.pairs.to_string();
        let fixed = ["match", engine, engine, "--depth", "1", "--max-moves", "4"];
        let more = ["--concurrency", "2", "--no-pinning", "--rounds", &rounds];
        let files = ["--state", self.state.to_str().unwrap(), "--pgn", self.pgn.to_str().unwrap()];
        [&fixed[..], &more, &files].concat().into_iter().map(str::to_owned).collect()
    }

    fn start(&self, is_in_terminal: bool) -> Running {
        let arguments = self.arguments();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let program = env!("CARGO_BIN_EXE_koel-arena");
        if is_in_terminal {
            return Running::in_terminal(program, &arguments);
        }
        let mut command = with_usual_signals(program);
        command.args(arguments).stdin(Stdio::null());
        Running::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// The finished games by the state.
    fn known(&self) -> BTreeSet<GameId> {
        let state = read_state(&self.state).unwrap().unwrap_or_default();
        state.games.into_keys().collect()
    }

    /// Asserts that both files have every game once, and the games of others as they were.
    fn assert_complete(&self) {
        let known = self.known();
        assert_eq!(known.len() as u32, 2 * self.pairs);
        let text = fs::read_to_string(&self.pgn).unwrap();
        let own = text.strip_prefix(OTHERS).expect("the text of others is as it was");
        let rounds = read_back(own);
        let distinct: BTreeSet<_> = rounds.iter().cloned().collect();
        assert_eq!(rounds.len(), distinct.len(), "a game is there twice");
        assert_eq!(distinct, known.iter().map(ToString::to_string).collect());
        let expected: BTreeSet<_> = (1..=self.pairs).flat_map(GameId::of_pair).collect();
        assert_eq!(known, expected);
    }
}

#[test]
fn an_interrupt_in_a_terminal_is_said_and_the_match_resumed() {
    for (name, signal) in
        [("ctrl-c", None), ("terminate", Some(Signal::SIGTERM)), ("hang-up", Some(Signal::SIGHUP))]
    {
        let played = Match::new(name, 20);
        let mut running = played.start(true);
        running.wait_until(|_| !played.known().is_empty());
        match signal {
            None => running.type_text("\x03"),
            Some(signal) => running.send(signal),
        }
        let (status, shown) = running.wait();
        // A fast machine may have played all games before.
        if played.known().len() < 40 {
            assert_eq!(status.code(), Some(130), "{name}: {shown}");
            assert!(shown.contains("the same command resumes the match"), "{name}: {shown}");
        }
        assert!(played.start(true).wait().0.success());
        played.assert_complete();
    }
}

#[test]
fn a_closed_window_loses_nothing() {
    let played = Match::new("closed", 20);
    let mut running = played.start(true);
    running.wait_until(|_| !played.known().is_empty());
    running.close_window();
    drop(running.wait());
    assert!(played.start(false).wait().0.success());
    played.assert_complete();
}

#[test]
fn running_games_may_end_first() {
    let played = Match::new("after-current", 20);
    let mut arguments = played.arguments();
    arguments[2] = "--stop-after-current".to_owned();
    arguments.push("--engine".to_owned());
    arguments.push(format!("name=slow,cmd={},arg=slow", played.engine.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_koel-arena"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = Running::spawn(&mut command);
    running.wait_until(|_| !played.known().is_empty());
    let before = played.known().len();
    running.send(Signal::SIGINT);
    assert_eq!(running.wait().0.code(), Some(130));
    let after = played.known().len();
    assert!(before < after && after < 40, "{before} games, then {after}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_interrupt_leaves_no_engine() {
    use std::os::unix::fs::PermissionsExt;

    let played = Match::new("twice", 1);
    let [stuck, id] = ["stuck.sh", "id"].map(|name| played.pgn.with_file_name(name));
    let engine = played.engine.display();
    let script = format!("#!/bin/sh\necho $$ > '{}'\nexec '{engine}' silent deaf\n", id.display());
    fs::write(&stuck, script).unwrap();
    fs::set_permissions(&stuck, fs::Permissions::from_mode(0o755)).unwrap();
    // What has ended has no command line, also before its parent asks for its status.
    let is_running = || {
        let id = fs::read_to_string(&id).ok().filter(|id| id.ends_with('\n'));
        let line = id.and_then(|id| fs::read(format!("/proc/{}/cmdline", id.trim())).ok());
        line.is_some_and(|line| !line.is_empty())
    };
    let mut arguments = played.arguments();
    arguments[2] = stuck.display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_koel-arena"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = Running::spawn(&mut command);
    running.wait_until(|_| is_running());
    running.send(Signal::SIGINT);
    // While the runner waits for the engine to end by itself.
    std::thread::sleep(Duration::from_millis(100));
    running.send(Signal::SIGINT);
    assert_eq!(running.wait().0.code(), Some(130));
    assert!(!is_running());
}

/// `KOEL_INTERRUPTIONS=1000` for the long run.
#[test]
fn a_match_interrupted_at_random_moments_loses_no_game_and_has_none_twice() {
    let count = std::env::var("KOEL_INTERRUPTIONS").map_or(12, |text| text.parse().unwrap());
    let mut random = Rng::new(20_261_129);
    let mut interruptions = 0;
    let mut matches = 0;
    while interruptions < count {
        let played = Match::new("random", 30);
        matches += 1;
        let mut earlier = BTreeSet::new();
        while played.known().len() < 60 {
            let running = played.start(random.next_u64().is_multiple_of(2));
            let pause = Duration::from_micros(random.next_u64() % 120_000);
            std::thread::sleep(pause);
            let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL, Signal::SIGHUP];
            running.send(signals[random.next_u64() as usize % signals.len()]);
            drop(running.wait());
            interruptions += 1;
            let now = played.known();
            assert!(now.is_superset(&earlier), "a finished game is lost");
            earlier = now;
        }
        // The state has all games; the PGN may lack the text of the last one, which this run
        // writes.
        assert!(played.start(false).wait().0.success());
        played.assert_complete();
    }
    println!("{interruptions} interruptions of {matches} matches");
}
