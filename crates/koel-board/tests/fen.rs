//! FEN parsing: illegal positions are rejected with a reason.

#![allow(clippy::print_stdout, reason = "reports what was compared")]

use std::collections::BTreeMap;

use koel_board::{FenError, PlacementError, Position};
use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

fn error(fen: &str) -> String {
    Position::from_fen(fen).expect_err(fen).to_string()
}

#[test]
fn each_field_is_named_with_the_reason() {
    for (fen, expected) in [
        ("", "placement: missing"),
        ("8/8/8/8/8/8/8/8", "side to move: missing"),
        ("4k3/8/8/8/8/8/8/4K3 w", "castling rights: missing"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "en-passant square: missing"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement: expected 8 ranks separated by `/`, found 7"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "placement: rank 1 has 7 squares instead of 8"),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "placement: `9` is not a piece"),
        ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "placement: rank 5 has two digits side by side"),
        ("4k3/8/8/8/8/8/8/11111111 w - - 0 1", "placement: rank 1 has two digits side by side"),
        ("4k3/8/8/8/8/8/8/4K2Q~ w - - 0 1", "placement: `~` is not a piece"),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock: expected a whole number from 0"),
        ("4k3/8/8/8/8/8/pppppppppp/4K3 w - - 0 1", "placement: rank 2 has 10 squares"),
        ("4k3/8/8/8/xx6/8/8/4K3 w - - 0 1", "placement: `x` is not a piece"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "placement: Black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "placement: White has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "placement: White has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", "placement: a pawn stands on the first or last rank"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "placement: Black is in check and not to move"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "placement: White is in check and not to move"),
        ("4k3/8/8/8/8/8/3kK3/8 w - - 0 1", "placement: Black has 2 kings"),
        ("8/8/8/8/8/8/3kK3/8 w - - 0 1", "placement: Black is in check and not to move"),
        (
            "4k3/8/8/8/QQQQQ3/8/PPPPPPPP/4K3 b - - 0 1",
            "placement: White has more pieces than eight promotions allow",
        ),
        (
            // Two bishops on light squares.
            "4k3/8/8/8/8/3B4/PPPPPPPP/4KB2 w - - 0 1",
            "placement: White has more pieces than eight promotions allow",
        ),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: expected `w` or `b`, found `x`"),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "castling rights: expected `-`, letters of `KQkq`"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling rights: `K` is impossible"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling rights: `K` is impossible"),
        ("4k2r/8/8/8/8/8/8/4K2R w Kq - 0 1", "castling rights: `q` is impossible"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling rights: `H` repeats a right"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "castling rights: `H` repeats a right"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en-passant square: expected `-` or a square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: expected a whole number from 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 10000 1", "halfmove clock: expected a whole number from 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number: expected a whole number from 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999", "move number: expected a whole number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves", "end: expected nothing after the move number"),
    ] {
        let found = error(fen);
        assert!(found.starts_with(expected), "{fen}\nfound    {found}\nexpected {expected}");
    }
}

#[test]
fn an_impossible_en_passant_square_is_dropped() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", // no pawn can capture
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",   // no pawn to capture
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",   // wrong rank
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",                           // would expose the king
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.en_passant(), None, "{fen}");
        assert_eq!(*position.keys(), position.keys_from_scratch());
    }
    let kept = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    assert_eq!(kept.en_passant(), Some(koel_board::Square::D6));
}

#[test]
fn castling_rights_in_three_notations() {
    let plain = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    let shredder = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1").unwrap();
    assert!(plain == shredder);
    assert_eq!(shredder.to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // X-FEN: the inner rook has the right, so its file must be named.
    let inner = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").unwrap();
    assert_eq!(inner.to_string(), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
    let outer = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w K - 0 1").unwrap();
    assert!(outer.key() != inner.key());
}

#[test]
fn missing_clocks_are_filled_in() {
    let position = Position::from_fen(" 4k3/8/8/8/8/8/8/4K3\tw -  - ").unwrap();
    assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let zero = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 0").unwrap();
    assert_eq!(zero.fullmove_number(), 1);
}

/// Returns the reason for which Koel and shakmaty differ about a FEN that only one of them accepts:
/// one of those that the documentation of the parser states, or `None`.
fn reason_to_differ(fen: &str, koel: &Result<Position, FenError>) -> Option<&'static str> {
    match koel {
        // Writings beyond the standard that shakmaty accepts.
        Err(FenError::Placement(PlacementError::TwoDigits { .. })) => Some("digits"),
        Err(FenError::Placement(PlacementError::Letter('~'))) => Some("promotion mark"),
        Err(FenError::Clock { .. }) => Some("clocks"),
        Err(FenError::CastlingTwice(_)) => Some("right repeated"),
        Err(FenError::Placement(PlacementError::Ranks(9))) if fen.contains("/ ") => {
            Some("a / too many")
        }
        Err(_) if fen.contains('_') => Some("underscores"),
        Err(_) => None,
        Ok(position) => {
            let states_en_passant = fen.split_ascii_whitespace().nth(3) != Some("-");
            let is_dropped = states_en_passant && position.en_passant().is_none();
            is_dropped.then_some("en-passant square dropped")
        }
    }
}

/// Changes FENs at random; whether they are accepted is compared with shakmaty.
#[test]
fn the_verdict_is_that_of_shakmaty_but_for_the_stated_rules() {
    let mut rng = Rng::new(2);
    let letters: Vec<char> = "rnbqkpRNBQKP12345678/ wb-KQkqHAhac36+~_0".chars().collect();
    let starts = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/4pP2/8/8/R3K1R1 b GA f3 12 34",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let (mut both, mut neither) = (0, 0);
    let mut reasons = BTreeMap::new();
    for _ in 0..100_000 {
        let mut fen: Vec<char> = starts[rng.below(starts.len())].chars().collect();
        for _ in 0..1 + rng.below(2) {
            let place = rng.below(fen.len());
            match rng.below(3) {
                0 => fen[place] = letters[rng.below(letters.len())],
                1 => fen.insert(place, letters[rng.below(letters.len())]),
                _ => drop(fen.remove(place)),
            }
        }
        let fen: String = fen.into_iter().collect();
        let koel = Position::from_fen(&fen);
        let shakmaty = fen.parse::<Fen>().map_err(|error| error.to_string()).and_then(|fen| {
            let chess = fen.into_position::<Chess>(CastlingMode::Chess960);
            chess.map_err(|error| error.to_string())
        });
        match (&koel, &shakmaty) {
            (Ok(koel), Ok(shakmaty)) => {
                both += 1;
                assert_eq!(koel.legal_moves().len(), shakmaty.legal_moves().len(), "{fen}");
            }
            (Err(_), Err(_)) => neither += 1,
            _ => {
                let reason = reason_to_differ(&fen, &koel);
                let reason = reason.unwrap_or_else(|| panic!("{fen}: {koel:?}, {shakmaty:?}"));
                *reasons.entry(reason).or_insert(0) += 1;
            }
        }
    }
    println!("both accept {both}, both refuse {neither}, they differ: {reasons:?}");
    assert!(both > 3_000 && neither > 20_000 && reasons["digits"] > 20, "{both} {neither}");
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut rng = Rng::new(1);
    let letters: Vec<char> = "rnbqkpRNBQKP12345678/ wb-KQkq abcdefgh0é\t".chars().collect();
    let mut accepted = 0;
    for _ in 0..200_000 {
        let mut fen: Vec<char> = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1".chars().collect();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(fen.len());
            fen[place] = letters[rng.below(letters.len())];
        }
        let fen: String = fen.into_iter().collect();
        if let Ok(position) = Position::from_fen(&fen) {
            accepted += 1;
            assert_eq!(Position::from_fen(&position.to_string()).as_ref(), Ok(&position));
            // Every accepted position is also accepted by shakmaty.
            assert_eq!(
                position.to_shakmaty().legal_moves().len(),
                position.legal_moves().len(),
                "{fen}"
            );
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn errors_are_values() {
    let missing = Position::from_fen("8/8/8/8/8/8/8/8");
    assert_eq!(missing, Err(FenError::Missing("side to move")));
}
