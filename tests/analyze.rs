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

/// Runs `koel analyze` and returns the standard output and the standard error stream.
fn analyze_with_messages(arguments: &[&str]) -> (String, String) {
    let (output, error, is_success) = koel(&[&["analyze"], arguments].concat());
    assert!(is_success, "{error}");
    (output, error)
}

fn analyze(arguments: &[&str]) -> String {
    analyze_with_messages(arguments).0
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn games_are_annotated() {
    let games = Input::new("games.pgn", GAMES);
    let (text, messages) = analyze_with_messages(&[games.path(), "--depth", "6"]);
    assert!(text.starts_with("[Event \"fool's mate\"]\n[Result \"0-1\"]\n\n{ [%eval "), "{text}");
    let flat = words(&text);
    // The mate that Black played, and no comment on the position after it.
    assert!(
        flat.contains("2. g4 $4 { [%eval #-1,6] [%mark ??] best Qh4# } 2... Qh4# 0-1"),
        "{text}"
    );
    assert!(flat.contains("} 1. O-O { [%eval ") || flat.contains("} 1. O-O $"), "{text}");
    assert_eq!(text.matches("[%eval ").count(), 4 + 3, "{text}");
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    let rows = messages.lines().map(words).collect::<Vec<_>>();
    assert_eq!(rows[0], "Player Moves Accuracy Average loss ?! ? ??", "{messages}");
    assert!(rows[1].starts_with("White 3 ") && rows[2].starts_with("Black 3 "), "{messages}");
    assert_eq!(rows.len(), 3, "{messages}");
}

#[test]
fn the_content_of_the_input_is_kept() {
    let text = "[Event \"M\u{fc}ller\"]\n[Annotator \"somebody\"]\n\n\
                {before} 1. f3 $1 $14 {[%clk 0:01:00] good} ( {or} 1. e4 e5 ( 1... c5 ) 2. Nf3 )\n\
                1... e5 2. g4 $4 2... Qh4# ; the end\n0-1\n";
    // Latin-1 is read, UTF-8 is written.
    let input = Input::new("kept.txt", "");
    std::fs::write(&input.0, text.chars().map(|c| c as u8).collect::<Vec<_>>()).unwrap();
    analyze(&[input.path(), "--depth", "4", "--in-place"]);
    let written = std::fs::read_to_string(&input.0).unwrap();
    let mut flat = words(&written);
    while let Some((before, rest)) = flat.split_once("{ [%eval ") {
        flat = format!("{before}{}", rest.split_once("} ").unwrap().1);
    }
    assert!(flat.starts_with("[Event \"Müller\"] [Annotator \"somebody\"] {before} 1. f3 $1 $14 "));
    let rest = "{[%clk 0:01:00] good} ( {or} 1. e4 e5 ( 1... c5 ) 2. Nf3 ) 1... e5 2. g4 $4 \
                2... Qh4# ; the end 0-1";
    assert!(flat.ends_with(rest), "{written}");
    assert_eq!(written.matches("[%eval ").count(), 4, "{written}");
}

#[test]
fn a_file_is_replaced_only_in_place() {
    let input = Input::new("same.pgn", GAMES);
    let read = || std::fs::read_to_string(&input.0).unwrap();
    let indirect = input.0.parent().unwrap().join(".").join(input.0.file_name().unwrap());
    for output in [input.path(), indirect.to_str().unwrap()] {
        let (_, error, is_success) = koel(&["analyze", input.path(), "--output", output]);
        assert!(!is_success && error.contains("--in-place"), "{error}");
        assert_eq!(read(), GAMES);
    }
    analyze(&[input.path(), "--output", input.path(), "--in-place", "--depth", "2"]);
    assert_eq!(read().matches("[%eval ").count(), 7);
    assert!(!input.0.with_extension("pgn.part").exists());
}

#[test]
fn what_cannot_be_read_is_skipped_with_a_warning() {
    let bad = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e4 {bad} *";
    let games = Input::new("bad.games", &format!("1. e4 *\n\n{bad}\n\n1. d4 *\n"));
    let (text, messages) = analyze_with_messages(&[games.path(), "--depth", "2"]);
    assert!(messages.contains("game 2 (Ann - Bob): `e4` is not a legal move"), "{messages}");
    assert!(messages.contains("1 of 3 skipped"), "{messages}");
    // The game is there as it was.
    assert!(text.contains(bad) && text.matches("[%eval ").count() == 4, "{text}");
    let lines = "4k3/8/8/8/8/8/4P3/4K3 b - -\nnonsense\n4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    let positions = Input::new("bad.positions", lines);
    let (text, messages) = analyze_with_messages(&[positions.path(), "--depth", "2"]);
    assert!(messages.contains("line 2: "), "{messages}");
    assert!(messages.contains("1 of 3 skipped"), "{messages}");
    assert_eq!(text.lines().count(), 1 + 2, "{text}");
}

#[test]
fn what_is_not_understood_is_named() {
    let text =
        "1. e4 e5 2. Sf3 *\n\n[White \"Ann\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n1. d4 -- *\n";
    let games = Input::new("unknown.pgn", text);
    let (output, messages) = analyze_with_messages(&[games.path(), "--depth", "1"]);
    for message in [
        "line 1: game 1 (? - ?): `Sf3` is not a move, number, glyph, comment or result: skipped",
        "line 6: game 2 (Ann - ?): the variant `Atomic` is not chess: skipped",
        "line 8: game 3 (? - ?): analysed up to the null move",
        "2 of 3 skipped",
    ] {
        assert!(messages.contains(message), "{messages}");
    }
    assert!(output.starts_with("1. e4 e5 2. Sf3 *\n\n[White \"Ann\"]\n"), "{output}");
    assert_eq!(output.matches("[%eval ").count(), 2, "{output}");
}

#[test]
fn the_output_of_two_jobs_is_that_of_one() {
    let games = Input::new("jobs.pgn", &GAMES.repeat(5));
    let output = |jobs| analyze(&[games.path(), "--depth", "4", "--hash", "1", "--jobs", jobs]);
    assert_eq!(output("2"), output("1"));
}

#[test]
fn a_chart_for_each_game() {
    let games = Input::new("charted.pgn", GAMES);
    let chart = Input::new("chart.svg", "");
    let numbered = [1, 2].map(|number| {
        let name = chart.path().replace("chart.svg", &format!("chart-{number}.svg"));
        Input(PathBuf::from(name))
    });
    analyze(&[games.path(), "--depth", "2", "--chart", chart.path()]);
    assert_eq!(std::fs::read_to_string(&chart.0).unwrap(), "", "there are two games");
    for chart in &numbered {
        let svg = std::fs::read_to_string(&chart.0).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("expected score"), "{svg}");
    }
    let (_, error, is_success) = koel(&["analyze", games.path(), "--chart", games.path()]);
    assert!(!is_success && error.contains("--chart"), "{error}");
}

/// An interrupt as Ctrl-C sends it.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_analysis_and_keeps_both_files() {
    use std::process::{Command, Stdio};

    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(50);
    let text = format!("{moves} *\n");
    let games = Input::new("interrupted.pgn", &text);
    let part = Input(games.0.with_extension("pgn.part"));
    let arguments = ["analyze", games.path(), "--in-place", "--nodes", "100000"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_koel"))
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The output is opened after interrupts are recorded.
    while !part.0.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    let error = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{error}");
    assert!(error.contains("koel: interrupted after "), "{error}");
    assert_eq!(std::fs::read_to_string(&games.0).unwrap(), text);
    assert!(std::fs::read_to_string(&part.0).unwrap().contains("[%eval "));
}

#[test]
fn positions_are_written_as_csv() {
    let games = Input::new("rows.pgn", GAMES);
    let text = analyze(&[games.path(), "--format", "csv", "--nodes", "2000", "--threads", "2"]);
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert!(rows.iter().all(|row| row.len() == 13), "{text}");
    assert_eq!(rows[0][..4], ["game", "ply", "fen", "played"]);
    assert_eq!(rows.len(), 1 + 5 + 3, "{text}");
    let [blunder, fool, over, castles] = [&rows[3], &rows[4], &rows[5], &rows[6]];
    assert_eq!((blunder[3], blunder[12]), ("g2g4", "??"), "{text}");
    assert_eq!((fool[3], fool[4], fool[5], fool[6]), ("d8h4", "d8h4", "", "-1"), "{text}");
    assert_eq!(fool[10..], ["0.000", "0.000", ""], "{text}");
    assert_eq!(over[3..], ["", "", "", "", "", "", "", "0.000", "", ""], "the game is over");
    assert_eq!((castles[0], castles[1], castles[3]), ("2", "0", "e1g1"), "{text}");
    assert!(castles[9].starts_with(castles[4]), "{text}");
}

#[test]
fn positions_of_an_epd() {
    let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\n\
               # a comment\n4k3/8/8/8/8/8/4P3/4K3 b - -\n";
    let positions = Input::new("positions.epd", epd);
    let output = Input::new("output.pgn", "");
    let (text, messages) = analyze_with_messages(&[positions.path(), "--depth", "5"]);
    assert_eq!(messages, "", "positions have no players");
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!((rows.len(), rows[1][4], rows[1][6]), (3, "d1d8", "1"), "{text}");
    // The extension of the output file selects the format.
    assert_eq!(analyze(&[positions.path(), "--depth", "5", "--output", output.path()]), "");
    let written = std::fs::read_to_string(&output.0).unwrap();
    assert!(written.contains("[Event \"back rank\"]"), "{written}");
    assert!(written.contains("{ [%eval #1,5] best Rd8# } {bm Rd8#;} *"), "{written}");
    // The output can be read again.
    assert_eq!(analyze(&[output.path(), "--depth", "1", "--format", "csv"]).lines().count(), 3);
}

#[test]
fn errors_are_reported_before_the_analysis_begins() {
    let illegal = Input::new("illegal.pgn", "1. e4 e4 *\n");
    let other = Input::new("other.txt", "; only a comment\n");
    let good = Input::new("good.pgn", "1. e4 *\n");
    for (arguments, word) in [
        (&[illegal.path()][..], "game 1"),
        (&[other.path()], "neither a game nor a position"),
        (&["/nowhere/games.pgn"], "/nowhere/games.pgn"),
        (&[good.path(), "--output", "/nowhere/out.pgn"], "/nowhere/out.pgn"),
        (&[good.path(), "--in-place", "--format", "csv"], "--in-place"),
        (&[good.path(), "--in-place", "--output", "else.pgn"], "--in-place"),
        (&[good.path(), "--chart", "/nowhere/chart.svg"], "/nowhere/chart.svg"),
        (&[good.path(), "--jobs", "0"], "--jobs"),
        (&[good.path(), "--threads", "5000"], "Threads"),
        (&[good.path(), "--syzygy", "/nowhere"], "SyzygyPath"),
        (&[good.path(), "--depth", "3", "--nodes", "5"], "--nodes"),
    ] {
        let (output, error, is_success) = koel(&[&["analyze"], arguments].concat());
        assert!(!is_success && output.is_empty(), "{arguments:?}: {output}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
