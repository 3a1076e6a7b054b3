//! Runs of `tune` and `trial`, by the real program, with an engine that is a script.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// An engine with a parameter and a switch, which plays two moves from the initial position. GO is
/// what it does before it moves.
const ENGINE: &str = "#!/bin/sh\n\
    [ \"$1\" = spsa ] && echo 'speed, int, 20.0, 0.0, 100.0, 5.0, 0.002' && exit\n\
    cd \"${0%/*}\"\n\
    while read -r line; do case \"$line\" in\n\
    uci) echo 'option name speed type spin default 20 min 0 max 100'\n\
    echo 'option name Switch_razoring type check default true'; echo uciok;;\n\
    isready) echo readyok;;\n\
    position*moves*) move=a7a6;;\n\
    position*) move=a2a3;;\n\
    go*) GO\n\
    echo \"bestmove $move\";;\n\
    quit) exit;;\n\
    esac; done\n";

/// Crashes once, after the ninth search of all.
const CRASH_ONCE: &str = "echo >>searches\n\
    [ \"$(wc -l <searches)\" -gt 9 ] && mkdir crashed 2>/dev/null && exit 3";

/// Never moves.
const SILENT: &str = "echo >searches; continue";

/// A folder with an engine and an opening.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, go: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("series").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let engine = folder.join("engine");
        fs::write(&engine, ENGINE.replace("GO", go)).unwrap();
        fs::set_permissions(engine, PermissionsExt::from_mode(0o755)).unwrap();
        let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
        fs::write(folder.join("book.epd"), opening).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Returns the program with arguments, for games of two plies.
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koel-lab"));
        command.args(words.split(' ')).args(["--max-moves", "1", "--run", &self.path("run.json")]);
        command.args(["--engine", &self.path("engine"), "--openings", &self.path("book.epd")]);
        command
    }

    /// Runs the program and returns its exit status and its output.
    fn run(&self, words: &str) -> (Option<i32>, String) {
        result(self.command(words).output().unwrap())
    }

    /// Runs the program, interrupts it during the first search, and returns the same.
    fn interrupt(&self, words: &str) -> (Option<i32>, String) {
        let mut command = self.command(words);
        let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !self.0.join("searches").exists() {
            assert!(running.try_wait().unwrap().is_none(), "it ended before it was interrupted");
            std::thread::yield_now();
        }
        let id = running.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        result(running.wait_with_output().unwrap())
    }

    /// Returns the numbers of pairs by the run, and of games by the PGN.
    fn counts(&self) -> (u64, usize) {
        let text = fs::read_to_string(self.path("run.json")).unwrap();
        let run: Value = serde_json::from_str(&text).unwrap();
        let games = fs::read_to_string(self.path("run.pgn")).unwrap();
        (run["done"].as_u64().unwrap(), games.matches("[Result ").count())
    }
}

fn result(output: Output) -> (Option<i32>, String) {
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), text.concat())
}

#[test]
fn a_run_has_the_pairs_and_the_conditions_that_are_asked_for() {
    let folder = Folder::new("conditions", "");
    for _ in 0..2 {
        let (status, text) = folder.run("tune --rounds 3");
        assert!(status == Some(0) && text.contains("3 of 3 pairs"), "{text}");
        assert_eq!(folder.counts(), (3, 6));
    }
    let (status, text) = folder.run("tune --rounds 3 --resign 0");
    assert!(status == Some(1) && text.contains("has another run"), "{text}");
    for command in ["tune", "trial razoring"] {
        let (status, text) = folder.run(&format!("{command} --rounds 3 --start 7 --epdout x"));
        assert!(status == Some(2) && text.contains("has no --start, --epdout"), "{text}");
    }
}

#[test]
fn a_fault_of_an_engine_ends_the_run_and_is_named() {
    let folder = Folder::new("fault", CRASH_ONCE);
    let (status, text) = folder.run("tune --games 1000 --concurrency 2");
    let is_named = text.contains("a fault of an engine in pair ") && text.contains(": crash");
    assert!(status == Some(1) && is_named, "{text}");
    let (pairs, games) = folder.counts();
    assert!(pairs < 100 && games as u64 == 2 * pairs, "{pairs} pairs, {games} games");
}

#[test]
fn an_interrupted_run_says_so_and_is_not_published() {
    for words in ["tune", "trial razoring --write"] {
        let folder = Folder::new("interrupted", SILENT);
        let (status, text) = folder.interrupt(words);
        let is_said = text.contains("interrupted; the same command resumes");
        assert!(status == Some(130) && is_said, "{words}: {status:?} {text}");
    }
}
