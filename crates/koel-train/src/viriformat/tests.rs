use std::slice;

use koel_board::{Color, Game, Move, Position};
use koel_random::Rng;

use super::*;
use crate::opening::chess960_start;
use crate::training_game::GameResult;

/// A game of random moves.
fn random_game(rng: &mut Rng, start: Position) -> TrainingGame {
    let mut game = Game::new(start.clone());
    let mut moves = Vec::new();
    while moves.len() < 200 {
        let legal = game.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        // Random games rarely contain en passant.
        let rare = legal.iter().copied().find(|m| m.is_en_passant());
        let played = rare.unwrap_or(legal[rng.below(legal.len())]);
        game.play(played).unwrap();
        moves.push(ScoredMove { played, white_score: rng.next_u64() as i16 });
    }
    let result = match rng.below(3) {
        0 => GameResult::Draw,
        1 => GameResult::Win(Color::White),
        _ => GameResult::Win(Color::Black),
    };
    TrainingGame { start, moves, result }
}

fn bytes_of(games: &[TrainingGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        write_game(game, &mut bytes).unwrap();
    }
    bytes
}

fn games_of(bytes: &[u8]) -> Result<Vec<TrainingGame>, ViriformatError> {
    let mut reader = GameReader::new(bytes);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        games.push(game);
    }
    assert_eq!(reader.offset(), bytes.len() as u64);
    Ok(games)
}

#[test]
fn games_survive_writing_and_reading() {
    let mut rng = Rng::new(9);
    let promotions = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 7 30";
    let mut games = Vec::new();
    for index in 0..300 {
        let start = match index % 3 {
            0 => Position::start(),
            1 => Position::from_fen(promotions).unwrap(),
            _ => chess960_start(&mut rng),
        };
        games.push(random_game(&mut rng, start));
    }
    let kinds = |wanted: fn(Move) -> bool| {
        games.iter().flat_map(|game| &game.moves).filter(|scored| wanted(scored.played)).count()
    };
    let seen =
        [kinds(Move::is_castling), kinds(Move::is_en_passant), kinds(|m| m.promotion().is_some())];
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    assert_eq!(games_of(&bytes_of(&games)).unwrap(), games);
}

/// Expected bytes derived from the specification.
#[test]
fn a_short_game_is_these_bytes() {
    let mut game = Game::default();
    let mut moves = Vec::new();
    for (text, white_score) in [("e2e4", 10), ("e7e5", 20), ("d1h5", -30)] {
        let played = game.position().parse_uci(text).unwrap();
        game.play(played).unwrap();
        moves.push(ScoredMove { played, white_score });
    }
    let (start, result) = (Position::start(), GameResult::Win(Color::White));
    let game = TrainingGame { start, moves, result };
    let expected: [&[u8]; 7] = [
        &[0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff],
        // Rooks with castling rights are 6, pawns 0; 8 marks a black piece.
        &[0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9],
        &[64, 0, 1, 0, 0, 0, 2, 0],
        &[0x0c, 0x07, 10, 0],
        &[0x34, 0x09, 20, 0],
        &[0xc3, 0x09, 0xe2, 0xff],
        &[0, 0, 0, 0],
    ];
    let bytes = expected.concat();
    assert_eq!(games_of(&bytes).unwrap(), slice::from_ref(&game));
    assert_eq!(bytes_of(slice::from_ref(&game)), bytes);
    // An earlier version wrote positions of search trees: a game of one move, marked.
    let mut tree_position = bytes[..BOARD_BYTES + PLY_BYTES].to_vec();
    tree_position[MARK] = TREE_POSITION;
    tree_position.extend([0; PLY_BYTES]);
    assert_eq!(games_of(&[tree_position, bytes].concat()).unwrap(), [game]);
}

#[test]
fn broken_bytes_are_errors() {
    let game = random_game(&mut Rng::new(3), Position::start());
    let bytes = bytes_of(&[game]);
    for length in 1..bytes.len() {
        assert!(matches!(games_of(&bytes[..length]), Err(ViriformatError::Unfinished)));
    }
    for (index, value) in [(30, 3), (24, 65), (8, 0xff), (16, 0), (32, 0xff)] {
        let mut broken = bytes.clone();
        broken[index] = value;
        assert!(games_of(&broken).is_err(), "byte {index}");
    }
    let mut rng = Rng::new(4);
    for _ in 0..2_000 {
        let mut broken = bytes.clone();
        for _ in 0..4 {
            let at = rng.below(broken.len());
            broken[at] = rng.next_u64() as u8;
        }
        // Damaged input never panics, and no game that is read holds an illegal move.
        if let Ok(games) = std::panic::catch_unwind(|| games_of(&broken)).unwrap() {
            for game in games {
                game.for_each_position(|position, ply| assert!(position.is_legal(ply.played)));
            }
        }
    }
}
