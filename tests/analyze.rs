//! End-to-end tests of `koel analyze`.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use std::path::PathBuf;

use support::koel;

/// A temporary input file, removed at the end of the test.
struct Input(PathBuf);

impl Input {
    fn new(name: &str, text: &str) -> Input {
        let path = std::env::temp_dir().join(format!("koel-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Input(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const GAMES: &str = "\
[Event \"fool's mate\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"castles\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]
[Result \"*\"]

1. O-O Kd7 *
";

fn analyze(arguments: &[&str]) -> String {
    let (output, error, is_success) = koel(&[&["analyze"], arguments].concat());
    assert!(is_success && error.is_empty(), "{error}");
    output
}

#[test]
fn games_are_annotated() {
    let games = Input::new("games.pgn", GAMES);
    let text = analyze(&[games.path(), "--depth", "6"]);
    assert!(text.starts_with("[Event \"fool's mate\"]\n[Result \"0-1\"]\n\n{ [%eval "), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The mate that Black played, and no comment on the position after it.
    assert!(flat.contains("2. g4 { [%eval #-1,6] best Qh4# } 2... Qh4# 0-1"), "{text}");
    assert!(flat.contains("} 1. O-O { [%eval "), "{text}");
    assert_eq!(text.matches("[%eval ").count(), 4 + 3, "{text}");
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn positions_are_written_as_csv() {
    let games = Input::new("rows.pgn", GAMES);
    let text = analyze(&[games.path(), "--format", "csv", "--nodes", "2000", "--threads", "2"]);
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert!(rows.iter().all(|row| row.len() == 10), "{text}");
    assert_eq!(rows[0][..4], ["game", "ply", "fen", "played"]);
    assert_eq!(rows.len(), 1 + 5 + 3, "{text}");
    let [fool, over, castles] = [&rows[4], &rows[5], &rows[6]];
    assert_eq!((fool[3], fool[4], fool[5], fool[6]), ("d8h4", "d8h4", "", "-1"), "{text}");
    assert_eq!(over[3..], ["", "", "", "", "", "", ""], "the game is over");
    assert_eq!((castles[0], castles[1], castles[3]), ("2", "0", "e1g1"), "{text}");
    assert!(castles[9].starts_with(castles[4]), "{text}");
}

#[test]
fn positions_of_an_epd() {
    let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\n\
               # a comment\n4k3/8/8/8/8/8/4P3/4K3 b - -\n";
    let positions = Input::new("positions.epd", epd);
    let output = Input::new("output.pgn", "");
    let text = analyze(&[positions.path(), "--depth", "5"]);
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!((rows.len(), rows[1][4], rows[1][6]), (3, "d1d8", "1"), "{text}");
    // The extension of the output file selects the format.
    assert_eq!(analyze(&[positions.path(), "--depth", "5", "--output", output.path()]), "");
    let written = std::fs::read_to_string(&output.0).unwrap();
    assert!(written.contains("[Event \"back rank\"]"), "{written}");
    assert!(written.contains("{ [%eval #1,5] best Rd8# } *"), "{written}");
    // The output can be read again.
    assert_eq!(analyze(&[output.path(), "--depth", "1", "--format", "csv"]).lines().count(), 3);
}

#[test]
fn errors_are_reported_before_the_analysis_begins() {
    let illegal = Input::new("illegal.pgn", "1. e4 e5 *\n\n1. e4 e4 *\n");
    let wrong = Input::new("wrong.epd", "4k3/8/8/8/8/8/4P3/4K3 b - -\nnonsense\n");
    let other = Input::new("games.txt", "1. e4 *\n");
    let good = Input::new("good.pgn", "1. e4 *\n");
    for (arguments, word) in [
        (&[illegal.path()][..], "game 2"),
        (&[wrong.path()], "line 2"),
        (&[other.path()], "neither .pgn nor .epd"),
        (&["/nowhere/games.pgn"], "/nowhere/games.pgn"),
        (&[good.path(), "--output", "/nowhere/out.pgn"], "/nowhere/out.pgn"),
        (&[good.path(), "--threads", "5000"], "Threads"),
        (&[good.path(), "--syzygy", "/nowhere"], "SyzygyPath"),
        (&[good.path(), "--depth", "3", "--nodes", "5"], "--nodes"),
    ] {
        let (output, error, is_success) = koel(&[&["analyze"], arguments].concat());
        assert!(!is_success && output.is_empty(), "{arguments:?}: {output}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
