//! Tests of the commands beyond UCI in the real program: in a session and as arguments.

use std::process::Command;

use koel_board::Position;

use crate::support::{Engine, SOON, dialogue, errors, koel};

fn answers(text: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send(text);
    engine.sync()
}

#[test]
fn flip_exchanges_the_colours() {
    let lines = answers("position startpos moves e2e5\nflip");
    assert!(lines[1].ends_with("error: flip: the last position could not be set up"), "{lines:#?}");
    let replies = answers("position startpos moves e2e4 d7d5 e4d5\nflip\nd");
    let flipped = "Fen: rnbqkbnr/pppp1ppp/8/8/3p4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
    assert!(replies.iter().any(|line| line == flipped), "{replies:#?}");
    let twice = answers("position startpos moves e2e4\nflip\nflip\nd");
    assert!(twice.iter().any(|line| line.contains("/4P3/")), "{twice:#?}");
    let (output, ..) = koel(&["flip", "e2e4"]);
    assert!(output.contains("/4p3/"), "{output}");
}

#[test]
fn compiler_and_license_are_printed() {
    let replies = answers("compiler");
    assert_eq!(replies[0], koel::ENGINE_NAME);
    assert!(replies[1].starts_with("rustc 1."), "{replies:?}");
    assert!(replies[2].starts_with("Target: "), "{replies:?}");
    assert_eq!(koel(&["compiler"]).0.lines().collect::<Vec<_>>(), replies);
    let replies = answers("license");
    assert!(replies.concat().contains("GNU General"), "{replies:?}");
    assert_eq!(koel(&["license"]).0.lines().collect::<Vec<_>>(), replies);
}

#[test]
fn a_build_that_is_no_release_names_date_and_commit() {
    let name = koel::ENGINE_NAME;
    let version = env!("CARGO_PKG_VERSION");
    let (_, build) = name.split_once(version).unwrap();
    if let Some(build) = build.strip_prefix("-dev-") {
        let (date, commit) = build.split_once('-').unwrap();
        assert!(date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
        assert!(commit.len() >= 8 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    } else {
        // A release, or a source without its history.
        assert_eq!(build, "");
    }
    assert_eq!(answers("uci")[0], format!("id name {name}"));
    assert_eq!(koel(&["--version"]).0.trim(), name.replace("Koel", "koel"));
}

#[test]
fn bench_takes_hash_threads_and_depth() {
    let nodes = |arguments: &[&str]| {
        let (output, _, is_success) = koel(&[&["bench"], arguments].concat());
        assert!(is_success && output.ends_with(" nps\n"), "{arguments:?}: {output}");
        output.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(nodes(&["4"]), nodes(&["16", "1", "4"]));
    assert!(nodes(&["8", "2", "4"]) > 0);
    for wrong in ["bench 0 1 3", "bench 16 0 3", "bench 16 1025 3", "bench 1 2", "bench x"] {
        let replies = dialogue(format!("{wrong}\n"));
        assert!(errors(&replies)[0].starts_with("bench: expected DEPTH, or HASH"), "{replies:?}");
    }
}

#[test]
fn speedtest_prints_the_speed() {
    let (output, _, is_success) = koel(&["speedtest", "2", "8", "1"]);
    assert!(is_success && output.ends_with(" nps\n"), "{output}");
    assert!(!errors(&dialogue("speedtest 0\n")).is_empty());
}

#[test]
fn uci_as_an_argument_starts_a_session() {
    let mut engine = Engine::spawn(Command::new(env!("CARGO_BIN_EXE_koel")).arg("uci"));
    engine.send("isready");
    assert_eq!(engine.receive_line(SOON), "readyok");
}

#[test]
fn eval_shows_every_term_and_ends_with_the_sum() {
    let replies = answers("position fen 4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\neval");
    assert!(replies.len() > 5, "{replies:#?}");
    let sum = replies.last().unwrap().split_whitespace().last().unwrap();
    assert!(sum.parse::<f64>().unwrap() > 5.0, "White's point of view: {sum}");
}

/// Calls `genfens` as OpenBench does.
#[test]
fn genfens_generates_balanced_positions() {
    let fens = |line: &str| {
        let (output, _, is_success) = koel(&[line, "quit"]);
        assert!(is_success, "{output}");
        let fens = output.lines().filter_map(|line| line.strip_prefix("info string genfens "));
        fens.map(str::to_owned).collect::<Vec<_>>()
    };
    let made = fens("genfens 40 seed 7 book None");
    assert_eq!(made.len(), 40);
    for fen in &made {
        let position = Position::from_fen(fen).unwrap();
        assert!(position.has_legal_moves() && !position.is_check(), "{fen}");
    }
    assert_eq!(made, fens("genfens 40 seed 7 book None ignored"), "the seed decides");
    assert_ne!(made, fens("genfens 40 seed 8 book None"));

    // Arguments are separated by spaces, so the book name cannot contain one.
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "8/pppk4/8/8/8/8/4KPPP/8 w - - bm f4;\n\n# no position\n").unwrap();
    let made = fens(&format!("genfens 5 seed 1 book {}", book.display()));
    assert!(made.len() == 5 && made.iter().all(|fen| !fen.contains(['q', 'Q', 'r'])), "{made:?}");
    let replies = answers("genfens 5 seed 1 book /nowhere/at/all\ngenfens five");
    assert_eq!(errors(&replies).len(), 2, "{replies:#?}");
    let mut engine = Engine::start();
    engine.send("genfens 999999999 seed 1 book None");
    engine.receive_until("info string genfens ", SOON);
    engine.send("stop");
    engine.receive_until("info string error: genfens: stopped", SOON);
}

#[test]
fn what_is_not_obeyed_gives_a_failure() {
    for lines in [
        &["go depth x", "wait"][..],
        &["go perft 30", "wait"],
        &["go searchmoves e2e5 depth 1", "wait"],
        &["position fen bad", "go depth 1"],
        &["genfens", "2", "seed", "1", "book", "my book.epd"],
    ] {
        let (output, _, is_success) = koel(lines);
        assert!(!is_success, "{lines:?}: {output}");
    }
    assert!(koel(&["go depth 1", "wait"]).2);
}

#[test]
fn arguments_with_spaces_are_a_session() {
    let (output, _, is_success) =
        koel(&["position startpos moves f2f3 e7e5 g2g4", "go depth 3", "compiler"]);
    assert!(is_success);
    let (search, rest) = output.split_once("bestmove d8h4\n").unwrap();
    assert!(search.contains("score mate 1") && rest.starts_with("Koel "), "{output}");
}

#[test]
fn shell_completions_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (output, _, is_success) = koel(&["completions", shell]);
        assert!(is_success && output.contains("genfens"), "{shell}");
    }
    assert!(!koel(&["completions", "abacus"]).2);
}

#[test]
fn help_fits_a_terminal_and_names_every_command() {
    let (output, _, is_success) = koel(&["--help"]);
    assert!(is_success);
    let session = answers("help").join("\n");
    for command in ["bench", "perft", "go", "eval", "genfens", "compiler", "license"] {
        assert!(output.lines().any(|line| line.trim_start().starts_with(command)), "{command}");
        assert!(session.contains(command), "{command}");
    }
    assert!(output.lines().all(|line| line.chars().count() <= 100), "{output}");
}
