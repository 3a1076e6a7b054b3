//! Adjudication by real tablebases: `KOEL_SYZYGY_PATH` names the folder of those of up to four
//! pieces. The tests are skipped without it.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod support;

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use koel_arena::{
    Adjudication, Ending, GameOutcome, TablebaseAdjudicator, TablebaseError, TablebaseResults,
    parse_epd,
};
use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Position};
use support::{Files, play, short_match};

fn tables() -> Option<TablebaseAdjudicator> {
    let Some(path) = std::env::var_os("KOEL_SYZYGY_PATH") else {
        println!("skipped: KOEL_SYZYGY_PATH is not set");
        return None;
    };
    Some(TablebaseAdjudicator::open(&[PathBuf::from(path)]).unwrap())
}

fn won(winner: Color) -> KnownOutcome {
    KnownOutcome::Decisive { winner }
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

#[test]
fn known_positions_have_their_results() {
    let Some(tables) = tables() else { return };
    assert!(tables.max_pieces() >= 4);
    let (white, black) = (Some(won(Color::White)), Some(won(Color::Black)));
    let drawn = Some(KnownOutcome::Draw);
    let cases = [
        ("4k3/8/8/8/8/8/8/4KQ2 b - - 0 1", white),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", drawn),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", white),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", drawn),
        ("4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", white),
        ("8/8/8/3k4/8/8/1q6/3K3R b - - 0 1", black),
        // The pawn is captured at once, which leaves bare kings.
        ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", drawn),
        // A win that comes too late for the fifty-move rule.
        ("8/8/8/8/3k4/8/8/4KBN1 w - - 99 80", drawn),
        ("8/8/8/8/3k4/8/8/4KBN1 w - - 0 1", white),
        // Castling rights; too many pieces.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
    ];
    for (fen, verdict) in cases {
        assert_eq!(tables.probe(&position(fen)), verdict, "{fen}");
    }
}

/// A position is won if a move wins, drawn if no move wins and one draws, and lost otherwise.
#[test]
fn a_result_agrees_with_those_after_each_move() {
    let Some(tables) = tables() else { return };
    let mut rng = Rng::new(7);
    let mut checked = 0;
    while checked < 2_000 {
        let Some(position) = random_endgame(&mut rng) else { continue };
        let us = position.turn();
        let after: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|m| {
                let mut next = position.clone();
                next.play_unchecked(m);
                match () {
                    () if next.is_checkmate() => Some(won(us)),
                    () if next.is_stalemate() || next.is_insufficient_material() => {
                        Some(KnownOutcome::Draw)
                    }
                    () => tables.probe(&next),
                }
            })
            .collect();
        let (Some(verdict), false) = (tables.probe(&position), after.is_empty()) else {
            continue;
        };
        let best = [won(us), KnownOutcome::Draw, won(!us)];
        // Rounded distances leave the results of some moves open in won positions. A winning move
        // must be known all the same, because the halfmove clock is zero.
        let found = best.into_iter().find(|&verdict| after.contains(&Some(verdict)));
        assert_eq!(found, Some(verdict), "{:?}", position.board());
        checked += 1;
    }
}

/// Returns a random position of two kings and two other pieces; `None` if it is not legal.
fn random_endgame(rng: &mut Rng) -> Option<Chess> {
    let mut squares = [b'1'; 64];
    for piece in [b'K', b'k', b"QRBNP"[rng.below(5)], b"qrbnpRBNP"[rng.below(9)]] {
        squares[rng.below(64)] = piece;
    }
    let rows: Vec<_> = squares.chunks(8).map(|row| String::from_utf8_lossy(row)).collect();
    let turn = ["w", "b"][rng.below(2)];
    let fen = format!("{} {turn} - - 0 1", rows.join("/"));
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}

#[test]
fn a_game_ends_when_the_tablebases_have_its_position() {
    let Some(tables) = tables() else { return };
    let files = Files::new("tablebases");
    let mut config = short_match(&files);
    // Queen against rook and bishop against knight: neither game is over by the rules.
    let text = "4k3/8/8/7r/8/8/8/Q3K3 w - -\n4k3/8/8/7n/8/8/8/B3K3 w - -\n";
    config.openings = parse_epd(text.as_bytes(), CastlingMode::Standard).unwrap();
    config.pairs = 2;
    config.adjudication = Adjudication::NONE;
    config.tablebases = Some(Arc::new(tables));
    let (_, score) = play(&config);
    let count = score.endings[&Ending::Tablebases];
    assert_eq!((count.games, score.faults()), (4, 0), "{score:?}");
    let state = files.state();
    assert!(state.games.values().all(|game| game.plies == 1), "{state:?}");
    let draws = state.games.values().filter(|game| game.outcome == GameOutcome::Draw).count();
    assert!(draws >= 2, "the minor pieces draw: {state:?}");
    assert!(std::fs::read_to_string(&files.pgn).unwrap().contains("tablebases"));
}

#[test]
fn only_the_wanted_results_end_a_game() {
    let Some(mut tables) = tables() else { return };
    let mut rng = Rng::new(8);
    let late_win = position("8/8/8/8/3k4/8/8/4KBN1 w - - 99 80");
    let positions = (0..2_000).filter_map(|_| random_endgame(&mut rng)).chain([late_win.clone()]);
    let (mut wins, mut draws) = (0, 0);
    for position in positions {
        let mut found = |results| {
            tables.results = results;
            tables.probe(&position)
        };
        let both = found(TablebaseResults::Both);
        let is_draw = |outcome: &KnownOutcome| *outcome == KnownOutcome::Draw;
        assert_eq!(found(TablebaseResults::Wins), both.filter(|outcome| !is_draw(outcome)));
        assert_eq!(found(TablebaseResults::Draws), both.filter(is_draw));
        wins += u32::from(both.is_some_and(|outcome| !is_draw(&outcome)));
        draws += u32::from(both.as_ref().is_some_and(is_draw));
    }
    assert!(wins > 100 && draws > 100, "{wins}, {draws}");
    (tables.results, tables.has_fifty_moves) = (TablebaseResults::Wins, false);
    assert_eq!(tables.probe(&late_win), Some(won(Color::White)));
}

#[test]
fn the_program_ends_games_by_the_wanted_results() {
    let Some(path) = std::env::var_os("KOEL_SYZYGY_PATH") else { return };
    let files = Files::new("tablebases-program");
    let book = files.state.with_file_name("tablebases.epd");
    std::fs::write(&book, "4k3/8/8/8/8/8/8/Q3K3 w - -\n4k3/8/8/7n/8/8/8/B3K3 w - -\n").unwrap();
    let engine = support::scripted("engine", &[]).command;
    // A queen wins, and the minor pieces draw.
    for (results, expected) in [("both", 4), ("wins", 2), ("draws", 2)] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_koel-arena"))
            .arg("match")
            .args([&engine, &engine])
            .args("--depth 1 --games 4 --max-moves 2 --resign 0 --draw 0 --json -".split(' '))
            .args(["--fresh", "--syzygy-results", results, "--syzygy"])
            .args([Path::new(&path), Path::new("--openings"), &book])
            .args([Path::new("--state"), &files.state])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let result: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let endings = &result["pairings"][0]["score"]["endings"];
        assert_eq!(endings["tablebases"]["games"], expected, "{results}: {endings}");
    }
}

#[test]
fn a_folder_without_tablebases_is_an_error() {
    let folder = env!("CARGO_MANIFEST_DIR");
    assert!(matches!(TablebaseAdjudicator::open(&[folder]), Err(TablebaseError::Empty(_))));
    let nowhere = Path::new(folder).join("nowhere");
    assert!(matches!(TablebaseAdjudicator::open(&[nowhere]), Err(TablebaseError::Folder(..))));
}
