//! Interruptions of `koel analyze`, in a terminal and without one: no file is lost.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use koel_random::Rng;
use nix::sys::signal::Signal::{self, SIGHUP, SIGINT, SIGKILL, SIGTERM};
use support::pseudo_terminal::{Running, with_usual_signals};
use tempfile::TempDir;

const KOEL: &str = env!("CARGO_BIN_EXE_koel");

/// The interruptions of the random test without `KOEL_INTERRUPTIONS`.
const INTERRUPTIONS: usize = 10;

/// A folder that is removed at the end of the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

fn part_of(path: &str) -> String {
    format!("{path}.part")
}

fn has_content(path: &str) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0)
}

/// An end of a program that comes from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interruption {
    CtrlC,
    ClosedWindow,
    Signal(Signal),
}

impl Interruption {
    fn happen(self, running: &mut Running) {
        match self {
            Interruption::CtrlC => running.type_text("\x03"),
            Interruption::ClosedWindow => running.close_window(),
            Interruption::Signal(signal) => running.send(signal),
        }
    }

    /// Checks the exit status of a program that it ended.
    fn check(self, status: ExitStatus) {
        let signal = match self {
            Interruption::CtrlC => SIGINT,
            Interruption::ClosedWindow => SIGHUP,
            Interruption::Signal(signal) => signal,
        };
        match signal {
            SIGKILL => assert_eq!(status.signal(), Some(SIGKILL as i32)),
            _ => assert_eq!(status.code(), Some(128 + signal as i32), "{status}"),
        }
    }
}

fn start(arguments: &[&str], is_in_terminal: bool) -> Running {
    let arguments = [&["analyze"], arguments].concat();
    match is_in_terminal {
        true => Running::in_terminal(KOEL, &arguments),
        false => Running::spawn(
            with_usual_signals(KOEL).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()),
        ),
    }
}

#[test]
fn an_interruption_keeps_the_old_file_and_the_part() {
    let games = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(55);
    let old = "1. h4 {of somebody} *\n";
    let interruptions = [SIGINT, SIGTERM, SIGHUP, SIGKILL].map(Interruption::Signal);
    let in_terminal = [&interruptions[..], &[Interruption::CtrlC, Interruption::ClosedWindow]];
    let cases = in_terminal.concat().into_iter().map(|interruption| (interruption, true));
    let cases = cases.chain(interruptions.map(|interruption| (interruption, false)));
    for (interruption, is_in_terminal) in cases {
        let folder = Folder::new();
        let (input, output) = (folder.file("big.pgn", &games), folder.file("old.pgn", old));
        for arguments in
            [&["--in-place"][..], &["--in-place", "--jobs", "2"], &["--output", &output]]
        {
            let place = if arguments.contains(&&*output) { &output } else { &input };
            let part = part_of(place);
            let limits = [&input, "--nodes", "5000", "--hash", "1"];
            let mut running = start(&[&limits, arguments].concat(), is_in_terminal);
            assert!(running.wait_until(|_| has_content(&part)), "{}", running.shown());
            interruption.happen(&mut running);
            let (status, shown) = running.wait();
            interruption.check(status);
            let is_told = is_in_terminal
                && ![Interruption::ClosedWindow, Interruption::Signal(SIGKILL)]
                    .contains(&interruption);
            let told = format!(" positions; {place} is unchanged, what is done is in {part}");
            assert_eq!(shown.contains(&told), is_told, "{interruption:?}: {shown}");
            assert_eq!(fs::read_to_string(&input).unwrap(), games);
            assert_eq!(fs::read_to_string(&output).unwrap(), old);
            let done = fs::read_to_string(&part).unwrap();
            assert!(done.contains("[%eval ") && done.matches("1. e4").count() < 55, "{done}");
            fs::remove_file(&part).unwrap();
        }
    }
}

#[test]
fn a_complete_analysis_in_a_terminal_replaces_the_file() {
    let folder = Folder::new();
    let input = folder.file("games.pgn", "1. e4 e5 *\n\n1. d4 *\n");
    let running = start(&[&input, "--in-place", "--depth", "2", "--variation", "0"], true);
    let (status, shown) = running.wait();
    assert!(status.success(), "{shown}");
    assert_eq!(fs::read_to_string(&input).unwrap().matches("[%eval ").count(), 5);
    assert!(!Path::new(&part_of(&input)).exists());
}

#[test]
fn a_second_interruption_ends_at_once() {
    let folder = Folder::new();
    let input = folder.file("games.pgn", "1. e4 *\n");
    let mut running = start(&[&input, "--in-place", "--depth", "200"], true);
    let part = part_of(&input);
    assert!(running.wait_until(|_| Path::new(&part).exists()));
    running.type_text("\x03");
    assert!(running.wait_until(|running| running.shown().contains("once more ends it at once")));
    running.type_text("\x03");
    let (status, shown) = running.wait();
    assert_eq!(status.code(), Some(130), "{shown}");
    assert_eq!(fs::read_to_string(&input).unwrap(), "1. e4 *\n");
}

#[test]
fn a_signal_that_is_ignored_remains_so() {
    let folder = Folder::new();
    let input = folder.file("games.pgn", "1. e4 e5 *\n\n".repeat(20));
    let mut command = Command::new("nohup");
    command.args([KOEL, "analyze", &input, "--in-place", "--nodes", "5000", "--hash", "1"]);
    let mut running = Running::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let part = part_of(&input);
    assert!(running.wait_until(|_| has_content(&part)));
    running.send(SIGHUP);
    let (status, _) = running.wait();
    assert!(status.success(), "{status}");
    assert_eq!(fs::read_to_string(&input).unwrap().matches("[%eval ").count(), 60);
}

/// Returns games with much that is not Koel's, as bytes that are not all UTF-8.
fn foreign_games(random: &mut Rng) -> Vec<u8> {
    const GAMES: [&str; 5] = [
        "[White \"M\u{fc}ller\"]\n\n{first} 1. e4 $1 {[%clk 0:01:00] good} ( 1. d4 d5 ) \
         1... e5 1-0\n",
        "; a remark\n[Event \"x\"]\n\n1. f3 e5 2. g4 $4 {[%eval 0.1] old} Qh4# 0-1 {the end}\n",
        "% escaped\n[Event \"broken\"]\n\n1. e4 Sf6 2. e5 *\n",
        "[Event \"null\"]\n\n1. d4 -- 2. c4 *\n",
        "[Event \"plain\"]\n\n1. c4 c5 2. Nc3 Nc6 3. g3 g6 4. Bg2 Bg7 1/2-1/2\n",
    ];
    let text: String = (0..6 + random.below(6))
        .map(|number| format!("{}\n; after {number}\n\n", GAMES[random.below(GAMES.len())]))
        .collect();
    text.chars().map(|character| character as u8).collect()
}

/// Returns the words of games without those of Koel's comments.
fn without_own(text: &[u8]) -> Vec<String> {
    // A score of another program becomes words where Koel writes its own.
    let text = String::from_utf8_lossy(text).replace("{[%eval 0.1] old}", "{eval 0.1 old}");
    let mut words = Vec::new();
    let mut is_own = false;
    for word in text.split_whitespace() {
        is_own |= word == "{";
        // A number is due after a comment.
        if !is_own && !word.ends_with("...") && !["$6", "$2", "$4"].contains(&word) {
            words.push(word.to_owned());
        }
        is_own &= word != "}";
    }
    words
}

/// Games, and the analysis of them without an interruption.
struct Whole {
    input: Vec<u8>,
    output: Vec<u8>,
    arguments: Vec<&'static str>,
    duration: Duration,
}

impl Whole {
    fn new(folder: &Folder, random: &mut Rng) -> Whole {
        let input = foreign_games(random);
        let jobs = ["1", "2"][random.below(2)];
        let limits = ["--nodes", "1000", "--hash", "1", "--variation", "0"];
        let arguments = [&["--in-place", "--jobs", jobs], &limits[..]].concat();
        let path = folder.file("whole.pgn", &input);
        let started = Instant::now();
        let (status, _) = start(&[&[&*path], &arguments[..]].concat(), false).wait();
        assert!(matches!(status.code(), Some(0 | 3)), "{status}");
        let output = fs::read(path).unwrap();
        Whole { input, output, arguments, duration: started.elapsed() }
    }

    /// Checks what an interruption has left: the games of the file in their order, up to one of
    /// them.
    fn check_part(&self, part: &[u8]) {
        let own = without_own(part);
        let whole = without_own(&self.output);
        // A killed process may leave a word that is not complete.
        let complete = own.len().saturating_sub(1);
        assert_eq!(own[..complete], whole[..complete.min(whole.len())]);
    }
}

#[test]
fn random_interruptions_lose_nothing() {
    let asked = std::env::var("KOEL_INTERRUPTIONS");
    let asked = asked.map_or(INTERRUPTIONS, |text| text.parse().unwrap());
    let mut random = Rng::new(73);
    let folder = Folder::new();
    let (mut interrupted, mut completed, mut parts) = ([0; 3], 0, 0);
    while interrupted.iter().sum::<usize>() < asked {
        let whole = Whole::new(&folder, &mut random);
        let path = folder.file("games.pgn", &whole.input);
        let part = part_of(&path);
        let arguments = [&[&*path], &whole.arguments[..]].concat();
        // At last it is left in peace.
        let attempts = random.below(4);
        for attempt in 0..=attempts {
            let is_in_terminal = random.below(2) == 0;
            let mut running = start(&arguments, is_in_terminal);
            let kind = random.below(3);
            let interruption = match kind {
                0 if is_in_terminal => Interruption::CtrlC,
                _ => Interruption::Signal([SIGINT, SIGTERM, SIGKILL][kind]),
            };
            if attempt < attempts {
                let share = random.below(1000) as f64 / 1000.0;
                std::thread::sleep(whole.duration.mul_f64(share));
                interruption.happen(&mut running);
            }
            let (status, shown) = running.wait();
            let found = fs::read(&path).unwrap();
            let is_complete = matches!(status.code(), Some(0 | 3));
            // It may be killed after all is done.
            if found == whole.output && (is_complete || status.signal() == Some(SIGKILL as i32)) {
                completed += 1;
                break;
            }
            assert!(attempt < attempts, "{status} {shown}");
            interrupted[kind] += 1;
            assert!(found == whole.input, "{status} {shown}");
            if let Ok(bytes) = fs::read(&part) {
                parts += 1;
                whole.check_part(&bytes);
                let (status, _) = start(&arguments, false).wait();
                assert_eq!(status.code(), Some(1), "the part is in the way");
                assert_eq!(fs::read(&part).unwrap(), bytes);
                fs::remove_file(&part).unwrap();
            }
        }
        assert!(!Path::new(&part).exists());
        let written = fs::read(&path).unwrap();
        assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&whole.output));
    }
    println!(
        "SIGINT, SIGTERM, SIGKILL: {interrupted:?}; {parts} parts, {completed} analyses complete"
    );
}
