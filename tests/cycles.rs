//! End-to-end tests of `koel cycles`.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use serde_json::{Value, json};
use support::{dialogue, koel};

fn rows(arguments: &[&str]) -> Vec<Value> {
    let (output, error, is_success) = koel(&[&["cycles", "--json"], arguments].concat());
    assert!(is_success, "{error}");
    serde_json::from_str(&output).unwrap()
}

const SHUFFLE: [&str; 8] = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];

#[test]
fn there_is_one_json_object_per_position() {
    let rows = rows(&SHUFFLE);
    assert_eq!(rows.len(), 9);
    let key = rows[0]["key"].as_str().unwrap();
    assert!(key.starts_with("0x") && key.len() == 18);
    assert_eq!(
        rows[0],
        json!({
            "index": 0,
            "move": null,
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "key": key,
            "occurrences": 1,
            "draw": false,
            "upcoming": null,
            "no_progress": null,
        })
    );
    assert_eq!(
        rows[8],
        json!({
            "index": 8,
            "move": "f6g8",
            "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5",
            "key": key,
            "occurrences": 3,
            "draw": true,
            "upcoming": "g1f3",
            "no_progress": 3,
        })
    );
}

/// From Stockfish's commit ad8b78ad5: a position that occurred only once, before the root.
#[test]
fn one_occurrence_before_the_root_is_no_draw() {
    let line = ["c1b1", "h1g1", "b1c1", "g1h1", "c1b1", "h1g1", "b1a1", "g1h1"];
    let fen = ["--fen", "8/8/8/8/8/8/p7/2k4K b - - 0 1"];
    let at = |root: &str| {
        let rows = rows(&[&fen, ["--root", root].as_slice(), &line].concat());
        (rows[6]["draw"].clone(), rows[8]["upcoming"].clone(), rows[4]["occurrences"].clone())
    };
    assert_eq!(at("8"), (json!(false), json!("a1b1"), json!(2)), "a third occurrence is possible");
    assert_eq!(at("0"), (json!(true), json!("a1b1"), json!(2)));
}

#[test]
fn no_progress_names_its_origin() {
    let line = ["a1a2", "h8g8", "a2b2", "g8h8", "b2b1", "h8g8", "b1a1"];
    let rows = rows(&[&["--fen", "7k/8/8/8/8/8/8/K7 w - - 0 1"], line.as_slice()].concat());
    assert_eq!(rows[7]["no_progress"], json!(2));
    assert!(rows[..7].iter().all(|row| row["no_progress"].is_null()));
}

#[test]
fn the_table_and_d_show_the_same() {
    let (table, _, is_success) = koel(&[&["cycles"], SHUFFLE.as_slice()].concat());
    assert!(is_success);
    assert_eq!(table.lines().count(), 10);
    let d = dialogue(format!("position startpos moves {}\nd\n", SHUFFLE.join(" "))).join("\n");
    assert!(d.contains("Occurrences: 3\n"), "{d}");
    assert!(d.contains("draw by repetition: yes\n"), "{d}");
    assert!(d.contains("upcoming repetition: g1f3\n"), "{d}");
}

#[test]
fn wrong_lines_are_refused() {
    for arguments in [
        ["cycles", "e2e5"].as_slice(),
        &["cycles", "hello"],
        &["cycles", "--root", "1"],
        &["cycles", "--fen", "nonsense"],
    ] {
        let (output, error, is_success) = koel(arguments);
        assert!(!is_success && output.is_empty() && !error.is_empty(), "{arguments:?}");
    }
}
