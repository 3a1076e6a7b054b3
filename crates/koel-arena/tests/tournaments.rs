//! A round robin of four engines, killed and resumed: its cross table is that of its PGN.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use koel_arena::read_state;
use serde_json::Value;
use support::{read_back, scripted};

fn command(folder: &Path, games: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_koel-arena"));
    command.current_dir(folder).arg("tournament");
    let engine = scripted("engine", &[]).command;
    for (name, arguments) in [("a", ""), ("b", ",arg=slow"), ("c", ""), ("d", ",arg=illegal@4")] {
        command.arg("--engine").arg(format!("name={name},cmd={}{arguments}", engine.display()));
    }
    let fixed = "--depth 1 --max-moves 4 --concurrency 2 --state t.json --pgn t.pgn --json -";
    command.args(["--games", games]).args(fixed.split_whitespace()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_round_robin_is_resumed_and_its_table_is_that_of_its_games() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("round-robin");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let state = folder.join("t.json");
    let known = || read_state(&state).unwrap().unwrap_or_default().games.len();
    for _ in 0..2 {
        let before = known();
        let mut running = command(&folder, "60").stdout(Stdio::null()).spawn().unwrap();
        while known() < before + 5 && running.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        running.kill().unwrap();
        running.wait().unwrap();
    }
    let output = command(&folder, "60").output().unwrap();
    assert_eq!(output.status.code(), Some(5), "d plays illegal moves");
    let text = String::from_utf8(output.stdout).unwrap();
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&result["games"], known()), (&60.into(), 60));

    let pgn = fs::read_to_string(folder.join("t.pgn")).unwrap();
    assert_eq!(read_back(&pgn).len(), 60);
    let tag = |game: &str, name: &str| {
        let start = game.find(&format!("[{name} \"")).unwrap() + name.len() + 3;
        game[start..].split('"').next().unwrap().to_owned()
    };
    let mut against: BTreeMap<(String, String), (f64, u64)> = BTreeMap::new();
    for game in pgn.split("[Event ").skip(1) {
        let (white, black) = (tag(game, "White"), tag(game, "Black"));
        let points = match tag(game, "Result").as_str() {
            "1-0" => 1.0,
            "0-1" => 0.0,
            _ => 0.5,
        };
        for (pair, points) in
            [((white.clone(), black.clone()), points), ((black, white), 1.0 - points)]
        {
            let sum = against.entry(pair).or_default();
            *sum = (sum.0 + points, sum.1 + 1);
        }
    }
    let engines = result["engines"].as_array().unwrap();
    for (row, engine) in engines.iter().enumerate() {
        for (column, other) in engines.iter().enumerate().filter(|(column, _)| *column != row) {
            let names = [engine, other].map(|engine| engine["name"].as_str().unwrap().to_owned());
            let [one, another] = names;
            let found = &engine["against"][column];
            let counted = against[&(one, another)];
            assert_eq!((found[0].as_f64().unwrap(), found[1].as_u64().unwrap()), counted);
            assert_eq!(counted.1, 10);
        }
    }
    let sum: f64 = engines.iter().map(|engine| engine["points"].as_f64().unwrap()).sum();
    assert_eq!(sum, 60.0);
    assert!(
        engines[3]["performance"].as_f64().unwrap() < engines[0]["performance"].as_f64().unwrap()
    );
}

#[test]
fn a_gauntlet_is_of_the_first_engine_and_knows_ratings() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gauntlet");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let engine = scripted("engine", &[]).command;
    let table = |name: &str, rating: u32| {
        format!(
            "[[engine]]\nname = '{name}'\ncommand = '{}'\nrating = {rating}\n",
            engine.display()
        )
    };
    fs::write(folder.join("e.toml"), table("x", 1800) + &table("y", 2000)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_koel-arena"))
        .current_dir(&folder)
        .args(["gauntlet", engine.to_str().unwrap(), "e.toml"])
        .args("--depth 1 --max-moves 3 --games 8 --concurrency 1 --json -".split_whitespace())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(result["pairings"].as_array().unwrap().len(), 2, "{text}");
    let ratings: Vec<_> =
        (0..3).map(|index| result["engines"][index]["performance"].as_f64().unwrap()).collect();
    assert!((ratings[0] - 1900.0).abs() < 1.0, "every game is drawn: {ratings:?}");
}
