//! Openings as they are read, and where they are wrong.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use koel_arena::{DEFAULT_OPENINGS, Opening, OpeningError, opening_order, parse_epd, parse_pgn};
use shakmaty::CastlingMode;
use shakmaty::{EnPassantMode, Position};

const STANDARD: CastlingMode = CastlingMode::Standard;

#[test]
fn epd_lines_are_positions() {
    let text = "4k3/8/8/8/8/8/8/4K2R w K -;hmvc 0;id \"one\";\n\n4k3/8/8/8/8/8/8/4K2R b K - 3 9;\n";
    let openings = parse_epd(text.as_bytes(), STANDARD).unwrap();
    let fens: Vec<_> = openings.iter().map(|o| o.fen.clone().unwrap()).collect();
    assert_eq!(fens, ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 3 9"]);
    let digits = parse_epd("4k3/44/8/8/8/8/8/4K3 w - -".as_bytes(), STANDARD).unwrap_err();
    assert!(digits.to_string().contains("two digits side by side"), "{digits}");
    let error =
        parse_epd("4k3/8/8/8/8/8/8/4K2R w K -\nnonsense\n".as_bytes(), STANDARD).unwrap_err();
    assert!(error.to_string().starts_with("opening 2 (line 2):"), "{error}");
    assert!(matches!(parse_epd("\n".as_bytes(), STANDARD), Err(OpeningError::Empty)));
}

#[test]
fn pgn_games_are_cut_to_openings() {
    let text = "[Event \"a\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 {good} Nc6 3. Bb5 *\n\n\
                [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n";
    let openings = parse_pgn(text.as_bytes(), 3, STANDARD).unwrap();
    let commands: Vec<_> = openings.iter().map(|o| o.setup().to_string()).collect();
    assert_eq!(
        commands,
        [
            "position startpos moves e2e4 e7e5 g1f3",
            "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d7"
        ]
    );
}

#[test]
fn what_is_no_opening_is_an_error_with_its_place() {
    for (text, error) in [
        ("1. e4 *\n\n1. d4\nd5 2. e5 *", "opening 2 (line 4): `e5` is not a legal move"),
        ("1. e4 Sf6 *", "opening 1 (line 1): `Sf6` is not a move"),
        ("1. e4 -- 2. d4 *", "opening 1 (line 1): a null move"),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "opening 1 (line 3): the variant `Atomic`"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "opening 1 (line 1): it is over: checkmate"),
    ] {
        let found = parse_pgn(text.as_bytes(), 8, STANDARD).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}");
    }
    for (text, error) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", "over: stalemate"),
        ("# kings\n7k/8/8/8/8/8/8/7K w - -", "opening 1 (line 2): it is over: insufficient"),
        ("7k/8/8/8/8/8/8/R6K w - - 100 80", "over: fifty moves"),
        ("7k/8/8/8/8/8/8/R6K w - - hmvc 100;", "over: fifty moves"),
    ] {
        let found = parse_epd(text.as_bytes(), STANDARD).unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
}

#[test]
fn books_as_people_have_them() {
    let text = "\u{feff}4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 30;\r\n\
                4k3/8/8/8/8/8/8/4K2R b K - fmvn 9;\r\n";
    let openings = parse_epd(text.as_bytes(), STANDARD).unwrap();
    let fens: Vec<_> = openings.iter().map(|o| o.fen.clone().unwrap()).collect();
    assert_eq!(fens, ["4k3/8/8/8/8/8/8/4K2R w K - 7 30", "4k3/8/8/8/8/8/8/4K2R b K - 0 9"]);
    let openings = parse_pgn("\u{feff}1. e2e4 e7-e5 2. ♘f3 ½ {x}\n\n; end".as_bytes(), 8, STANDARD);
    assert_eq!(openings.unwrap()[0].moves.len(), 3);
}

#[test]
fn engines_get_castling_rights_as_they_know_them() {
    let line = "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\n";
    let fen = |mode| parse_epd(line.as_bytes(), mode).unwrap()[0].fen.clone().unwrap();
    assert_eq!(fen(STANDARD), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(fen(CastlingMode::Chess960), "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1");
    let game = "[FEN \"4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\"]\n\n1. O-O *";
    let openings = parse_pgn(game.as_bytes(), 8, STANDARD).unwrap();
    assert_eq!(openings[0].fen.as_deref(), Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
}

#[test]
fn the_built_in_set_is_valid() {
    let openings = parse_epd(DEFAULT_OPENINGS.as_bytes(), STANDARD).unwrap();
    let position = |opening: &Opening| {
        let start = opening.start(STANDARD).unwrap();
        shakmaty::fen::Epd::from_position(&start, EnPassantMode::Legal).to_string()
    };
    let distinct: std::collections::HashSet<_> = openings.iter().map(position).collect();
    assert_eq!(distinct.len(), openings.len());
    assert_eq!(openings.len(), 10_000);
    for opening in &openings {
        let position = opening.start(STANDARD).unwrap();
        assert!(position.board().occupied().count() >= 24 && !position.legal_moves().is_empty());
    }
}

#[test]
fn the_seed_gives_the_order() {
    assert_eq!(opening_order(50, 3), opening_order(50, 3));
    assert_ne!(opening_order(50, 3), opening_order(50, 4));
}
