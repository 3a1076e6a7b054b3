//! Tests of invalid input: one error line each, the position is kept, no panic, no hang.

use std::fmt::Write;

use crate::support::{Engine, SOON, best_move, dialogue, errors};

/// Sends an invalid `position` after a known one, which must be kept but not searched, and returns
/// the error messages.
fn position_errors(bad: &str) -> Vec<String> {
    let lines = dialogue(format!(
        "position startpos moves e2e4\n{bad}\nd\ngo depth 2\ngo infinite\nposition startpos\n\
         go depth 2\nwait\n"
    ));
    let kept = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(lines.iter().any(|line| line == kept), "{bad}: {lines:#?}");
    let best_moves: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(best_moves.len(), 3, "{bad}: {lines:#?}");
    assert_eq!(best_moves[..2], ["bestmove 0000"; 2], "{bad}: {lines:#?}");
    assert_ne!(best_moves[2], "bestmove 0000");
    let is_no_move = |message: &&str| *message == NO_MOVE;
    assert_eq!(errors(&lines).into_iter().filter(is_no_move).count(), 2);
    errors(&lines).into_iter().filter(|message| *message != NO_MOVE).map(str::to_owned).collect()
}

const NO_MOVE: &str = "go: the last position could not be set up";

/// Sends invalid input after a known position, which must be kept, and returns the error messages.
fn error_messages(bad: &str) -> Vec<String> {
    let lines = dialogue(format!("position startpos moves e2e4\n{bad}\nd\ngo depth 2\nwait\n"));
    let kept = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(lines.iter().any(|line| line == kept), "{bad}: {lines:#?}");
    assert_ne!(best_move(&lines), "(none)");
    errors(&lines).into_iter().map(str::to_owned).collect()
}

#[test]
fn bad_fens() {
    for (fen, reason) in [
        ("", "fields"),
        ("startpos", "ranks"),
        ("x w - -", "placement"),
        ("8/8/8/8/8/8/8/8", "king"),
        ("8/8/8/8/8/8/8 w - - 0 1", "ranks"),
        ("9/8/8/8/8/8/8/K6k w - - 0 1", "placement"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("KK6/8/8/8/8/8/8/7k w - - 0 1", "2 kings"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "in check"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
    ] {
        let messages = position_errors(&format!("position fen {fen}"));
        assert_eq!(messages.len(), 1, "{fen}: {messages:?}");
        assert!(messages[0].starts_with("position: "), "{messages:?}");
        assert!(messages[0].contains(reason), "{reason} in {messages:?}");
    }
}

#[test]
fn faults_of_a_fen_are_mended_and_reported() {
    for (fen, mended, faults) in [
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 3),
        ("4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 3 9", "4k3/8/8/8/8/8/8/4K2R w K - 3 9", 3),
        ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 99999999999999", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e2e4", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
    ] {
        let lines = dialogue(format!("position fen {fen}\nd\ngo depth 2\nwait\n"));
        let messages = errors(&lines);
        assert_eq!(messages.len(), faults, "{fen}: {messages:?}");
        assert!(
            messages.iter().all(|text| text.ends_with("; this is passed over")),
            "{messages:?}"
        );
        assert!(lines.iter().any(|line| *line == format!("Fen: {mended}")), "{fen}: {lines:#?}");
        assert!(!["(none)", "0000"].contains(&best_move(&lines)), "{fen}");
    }
}

#[test]
fn positions_without_meaning_are_not_searched() {
    for (bad, reason) in [("position", "startpos"), ("position here", "startpos")] {
        let messages = position_errors(bad);
        assert!(messages.len() == 1 && messages[0].contains(reason), "{messages:?}");
    }
}

#[test]
fn bad_moves() {
    for (moves, reason) in [
        ("e2e5", "move 1: `e2e5` is not a legal move"),
        ("e2e4 e2e4", "move 2: `e2e4` is not a legal move"),
        ("e2e4 e7e5 Nf3", "move 3 should be written like e2e4"),
        ("0000", "move 1: "),
        ("e2e4 e7e5 e1e2 \u{7f}\u{1f980}", "move 4 "),
    ] {
        let messages = position_errors(&format!("position startpos moves {moves}"));
        assert_eq!(messages.len(), 1, "{moves}: {messages:?}");
        assert!(messages[0].contains(reason), "{reason} in {messages:?}");
    }
}

#[test]
fn unknown_and_mangled_commands() {
    for (bad, reason) in [
        ("hello", "unknown command `hello`"),
        ("joho debug on", "unknown command `joho`"),
        ("UCI", "unknown command"),
        ("setoption", "name"),
        ("setoption name", "name"),
        ("setoption name Hash", "whole number"),
        ("setoption name Hash value abc", "whole number"),
        ("setoption name Hash value 0", "whole number"),
        ("setoption name Threads value 99999999999999999999", "whole number"),
        ("setoption name UCI_Chess960 value perhaps", "true or false"),
        ("setoption name Slow Mover value 5", "no option"),
        ("debug", "on"),
        ("bench fast", "bench"),
    ] {
        let messages = error_messages(bad);
        assert_eq!(messages.len(), 1, "{bad}: {messages:?}");
        assert!(messages[0].contains(reason), "{reason} in {messages:?}");
    }
}

#[test]
fn unknown_words_of_go_are_ignored_with_an_error() {
    let lines = dialogue("go depth 2 quickly searchmoves e2e5 e2e4\nwait\n");
    assert_eq!(errors(&lines).len(), 2, "{lines:#?}");
    assert_eq!(best_move(&lines), "e2e4");
    let lines = dialogue("go depth 2 searchmoves a1a8\nwait\n");
    assert_ne!(best_move(&lines), "(none)");
}

#[test]
fn a_long_word_is_shortened_in_the_error() {
    let lines = dialogue(format!("{}\n", "x".repeat(1_000_000)));
    assert!(lines.len() == 1 && lines[0].len() < 200);
}

#[test]
fn blank_lines_line_ends_and_tabs() {
    assert!(dialogue("\n\r\n   \n\t\n").is_empty());
    let lines =
        dialogue("isready\r\n\tposition \t startpos\tmoves  e2e4 \r\n\r\ngo\tdepth 2\r\nwait\r\n");
    assert_eq!(lines[0], "readyok");
    assert!(errors(&lines).is_empty(), "{lines:#?}");
    assert_ne!(best_move(&lines), "(none)");
}

#[test]
fn any_bytes() {
    let lines = dialogue(b"\xff\xfe\x00\x80\nisready\n");
    assert_eq!(errors(&lines).len(), 1);
    assert_eq!(lines[1], "readyok");
    let lines = dialogue(b"\xef\xbb\xbfisready\n");
    assert_eq!(lines, ["readyok"], "a byte order mark is ignored");
}

#[test]
fn a_game_of_1500_plies() {
    let mut moves = String::new();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for m in shuffle.iter().cycle().take(1500) {
        let _ = write!(moves, " {m}");
    }
    let mut engine = Engine::start();
    engine.sync();
    engine.send(format!("position startpos moves{moves}"));
    assert!(engine.sync().is_empty());
    engine.send("go nodes 1000");
    let replies = engine.receive_until("bestmove", SOON);
    assert_ne!(best_move(&replies), "(none)");
    engine.send("d");
    let replies = engine.sync();
    assert!(replies.contains(&"Occurrences: 376".to_owned()), "{replies:#?}");
}

#[test]
fn end_of_input_is_quit() {
    for last_words in ["", "uci", "go infinite", "go ponder wtime 1000", "go depth 99"] {
        let mut engine = Engine::start();
        engine.sync();
        if !last_words.is_empty() {
            engine.send(last_words);
        }
        let (rest, status) = engine.end_input();
        assert!(status.success());
        let is_search = last_words.starts_with("go");
        let best_moves = rest.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(best_moves, usize::from(is_search), "{last_words}: {rest:#?}");
    }
    // Also without a line end after the last line.
    assert_eq!(dialogue("isready\nisready"), ["readyok", "readyok"]);
}

#[test]
fn commands_after_quit_are_ignored() {
    assert_eq!(dialogue("isready\nquit\nisready\n"), ["readyok"]);
}
