//! FEN parsing: illegal positions are rejected with a reason.

use koel_board::{FenError, Position};
use koel_random::Rng;
use shakmaty::Position as _;

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
