//! Moves, keys, checks and notation verified against shakmaty on positions of random games.
//! `KOEL_POSITIONS` sets the number of positions.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod support;

use koel_board::{
    Bitboard, CastlingNotation, Color, Move, MoveList, Position, Role, Square, Threats, attacks,
};
use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position as _};
use support::{visit_random_positions, wanted_positions};

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

fn shakmaty_moves(position: &Position, chess: &Chess) -> Vec<Move> {
    sorted(chess.legal_moves().into_iter().map(|m| position.from_shakmaty_move(m)))
}

/// Checks the legal moves, all and by stage, and whether each gives check.
fn check_moves(position: &Position, chess: &Chess) {
    let expected = shakmaty_moves(position, chess);
    let all = position.legal_moves();
    assert_eq!(sorted(all.clone()), expected, "{position}");
    assert_eq!(position.count_legal_moves(), expected.len());
    assert_eq!(position.has_legal_moves(), !expected.is_empty());

    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.push_noisy_moves(&mut noisy);
    position.push_quiet_moves(&mut quiet);
    assert!(noisy.iter().all(|m| m.is_noisy()) && !quiet.iter().any(|m| m.is_noisy()));
    assert_eq!(sorted(noisy.into_iter().chain(quiet)), expected, "{position}");
    if position.is_check() {
        let mut evasions = MoveList::new();
        position.push_evasions(&mut evasions);
        assert_eq!(sorted(evasions), expected, "{position}");
    }
    for m in all {
        let mut child = chess.clone();
        child.play_unchecked(position.to_shakmaty_move(m));
        assert_eq!(position.gives_check(m), child.is_check(), "{m} in {position}");
        assert_eq!(position.uci(m, CastlingNotation::Chess960), m.to_string());
    }
}

/// Checks that the FEN round-trips and that the incremental state equals the freshly parsed one.
fn check_text(position: &Position, chess: &Chess) {
    let fen = position.to_string();
    assert_eq!(fen, Fen::from_position(chess, EnPassantMode::Legal).to_string());
    let parsed = Position::from_fen(&fen).unwrap();
    assert!(parsed == *position, "{fen}");
    assert_eq!(*position.keys(), position.keys_from_scratch(), "{fen}");
    assert!(Position::from_shakmaty(chess).unwrap() == *position, "{fen}");
}

/// Checks checkers, pins and threats against shakmaty's attack functions.
fn check_attacks(position: &Position, chess: &Chess) {
    let board = chess.board();
    let us = chess.turn();
    assert_eq!(position.checkers(), chess.checkers());
    let king = board.king_of(us).unwrap();
    let attackers = |occupied| board.attacks_to(king, !us, occupied);
    let now = attackers(board.occupied());
    let mut pinned = Bitboard::EMPTY;
    for square in board.by_color(us) & !Bitboard::from(king) {
        if (attackers(board.occupied() ^ Bitboard::from(square)) & !now).any() {
            pinned |= square;
        }
    }
    assert_eq!(position.pinned(), pinned, "{position}");

    let mut without_king = board.clone();
    without_king.discard_piece_at(king);
    let attacks_of = |roles: &[Role]| {
        let pieces = without_king.by_color(!us);
        let squares = roles.iter().flat_map(|&role| pieces & without_king.by_role(role));
        squares.fold(Bitboard::EMPTY, |all, square| all | without_king.attacks_from(square))
    };
    let threats = Threats {
        by_pawns: attacks_of(&Role::ALL[..1]),
        by_minors: attacks_of(&Role::ALL[..3]),
        by_rooks: attacks_of(&Role::ALL[..4]),
        all: attacks_of(&Role::ALL),
    };
    assert_eq!(position.threats(), threats, "{position}");
}

fn check_null_move(position: &Position, chess: &Chess) {
    if position.is_check() {
        return;
    }
    let mut passed = position.clone();
    passed.play_null();
    let expected = Position::from_shakmaty(&chess.clone().swap_turn().unwrap()).unwrap();
    assert_eq!(*passed.keys(), *expected.keys(), "{position}");
    assert_eq!(passed.checkers(), expected.checkers());
    assert_eq!(passed.pinned(), expected.pinned());
    assert_eq!(passed.legal_moves(), expected.legal_moves());
    assert_eq!(passed.halfmove_clock(), position.halfmove_clock());
}

/// Checks `key_after` for the moves that change nothing it leaves out, and returns their number.
fn check_keys_after(position: &Position) -> usize {
    let is_plain = |m: Move, after: &Position| {
        let keeps_rights = after.castling_rooks() == position.castling_rooks();
        let is_usual = !m.is_castling() && m.promotion().is_none();
        is_usual && keeps_rights && after.en_passant().is_none()
    };
    let moves = position.legal_moves();
    let plain = moves.into_iter().filter(|&m| is_plain(m, &position.after(m)));
    plain
        .inspect(|&m| assert_eq!(position.key_after(m), position.after(m).key(), "{position}"))
        .count()
}

#[test]
fn random_games() {
    let wanted = wanted_positions(20_000);
    let (mut positions, mut checks, mut pins, mut en_passants, mut castlings) = (0, 0, 0, 0, 0);
    let mut keys_after = 0;
    visit_random_positions(1, wanted, |position| {
        let chess = position.to_shakmaty();
        check_moves(position, &chess);
        check_text(position, &chess);
        check_attacks(position, &chess);
        check_null_move(position, &chess);
        keys_after += check_keys_after(position);
        positions += 1;
        checks += usize::from(position.is_check());
        pins += position.pinned().count();
        en_passants += usize::from(position.en_passant().is_some());
        castlings += position.legal_moves().iter().filter(|m| m.is_castling()).count();
    });
    println!(
        "{positions} positions: {checks} checks, {pins} pins, {en_passants} en passant, \
         {castlings} castlings, {keys_after} keys after a move"
    );
    assert!(positions >= wanted && keys_after > 10 * wanted);
    assert!(checks > wanted / 100 && pins > wanted / 20);
    assert!(en_passants > wanted / 1000 && castlings > wanted / 100);
}

#[test]
fn notation_round_trips() {
    visit_random_positions(2, wanted_positions(20_000) / 10, |position| {
        for m in position.legal_moves() {
            for castling in [CastlingNotation::Standard, CastlingNotation::Chess960] {
                let text = position.uci(m, castling);
                let parsed = position.parse_uci(&text).unwrap();
                // A king move and castling may share the standard text; the king move wins.
                assert!(parsed == m || m.is_castling() && !parsed.is_castling(), "{text}");
            }
            let text = position.uci(m, CastlingNotation::Chess960);
            assert_eq!(position.parse_uci(&text), Ok(m));
            let san = position.san(m);
            assert_eq!(position.parse_san(&san), Ok(m), "{san} in {position}");
            let shakmaty_san = shakmaty::san::SanPlus::from_move(
                position.to_shakmaty(),
                position.to_shakmaty_move(m),
            );
            assert_eq!(san, shakmaty_san.to_string());
        }
    });
}

#[test]
fn is_legal_for_all_encodings() {
    let (mut positions, mut rng) = (0, Rng::new(3));
    let mut moves_of_others = Vec::new();
    visit_random_positions(4, 40_000, |position| {
        if rng.below(20) != 0 && position.en_passant().is_none() {
            return;
        }
        positions += 1;
        let expected = shakmaty_moves(position, &position.to_shakmaty());
        let legal = (0..=u16::MAX).map(Move::from_bits).filter(|&m| position.is_legal(m));
        assert_eq!(sorted(legal), expected, "{position}");
        moves_of_others.extend(expected);
    });
    println!("{positions} positions, all 65,536 encodings each");
    assert!(positions >= 2_000 && moves_of_others.len() > positions);
}

#[test]
fn mate_in_one_is_found_when_there_is_one() {
    let mut mates = 0;
    visit_random_positions(5, wanted_positions(20_000), |position| {
        let exists = position.legal_moves().into_iter().any(|m| {
            let mut chess = position.to_shakmaty();
            chess.play_unchecked(position.to_shakmaty_move(m));
            chess.is_checkmate()
        });
        let found = position.mate_in_one();
        assert_eq!(found.is_some(), exists, "{position}");
        if let Some(m) = found {
            mates += 1;
            assert!(
                position.to_shakmaty().play(position.to_shakmaty_move(m)).unwrap().is_checkmate()
            );
        }
    });
    assert!(mates > 10, "{mates}");
}

/// Checks insufficient material by hand and against shakmaty, for both sides.
#[test]
fn insufficient_material() {
    for (fen, expected) in [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", true),
        ("8/8/4k1b1/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k1b1/8/4B3/3K4/8/8 w - - 0 1", true),
        ("8/8/4k1b1/8/3B4/3K4/8/8 w - - 0 1", false),
        ("8/8/4k1n1/8/8/3K1N2/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K1NN1/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K1P2/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K1NB1/8/8 w - - 0 1", false),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.is_insufficient_material(), expected, "{fen}");
        if expected {
            assert!(position.to_shakmaty().is_insufficient_material(), "{fen}");
        }
    }
}

#[test]
fn accessors_agree_with_the_board() {
    let position = Position::start();
    assert_eq!(position.king(Color::White), Square::E1);
    assert_eq!(position.pieces(Color::Black, Role::Pawn), Bitboard::from(shakmaty::Rank::Seventh));
    assert_eq!(position.attackers(Square::F3, position.occupied()).count(), 3);
    assert_eq!(
        position.attackers(Square::F3, position.occupied()),
        attacks::pawn_attacks(Color::Black, Square::F3) & position.pieces(Color::White, Role::Pawn)
            | Bitboard::from(Square::G1)
    );
}
