//! Positions with repetitions that other engines have misjudged.

use koel_board::Game;
use koel_search::{Limits, Shared, Worker};

use crate::support::{game, to_depth};

const FINE_70: &str = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";

/// The score of one root move, in centipawns for the side to move at the root.
fn score_of(game: &Game, m: &str, depth: i32) -> i32 {
    let root_moves = vec![game.position().parse_uci(m).unwrap()];
    let limits = Limits { root_moves, ..Limits::to_depth(depth) };
    let shared = Shared::new(8, 1).unwrap();
    let result = Worker::new(0).search(&shared, game, &limits, &mut ());
    assert_eq!(result.best_move, Some(limits.root_moves[0]));
    result.score.centipawns()
}

#[test]
fn a_position_that_occurred_once_is_not_a_draw() {
    let game = game("8/8/8/8/8/8/p7/2k4K b - - 0 1", "c1b1 h1g1 b1c1 g1h1 c1b1 h1g1 b1a1 g1h1");
    let result = to_depth(&game, 32);
    assert_eq!(result.best_move.unwrap().to_string(), "a1b2");
    assert_eq!(result.score.moves_to_mate(), Some(10), "{result:?}");
}

#[test]
fn a_pawn_ending_depends_on_one_king_move() {
    let game = game(FINE_70, "a1a2 a7a8 a2a1");
    // Two moves draw, the third loses; the depth at which the search sees that varies.
    let [draws, also_draws, loses] = ["a8b7", "a8b8", "a8a7"].map(|m| score_of(&game, m, 30));
    assert!(draws.min(also_draws) > -130 && loses < -200, "{draws} {also_draws} {loses}");
    let result = to_depth(&game, 30);
    assert_ne!(result.best_move.unwrap().to_string(), "a8a7");
}

#[test]
fn fine_70_is_won_by_the_king_to_b1() {
    let result = to_depth(&game(FINE_70, ""), 26);
    assert_eq!(result.best_move.unwrap().to_string(), "a1b1");
    assert!(result.score.centipawns() > 150, "{result:?}");
}

#[test]
fn a_single_return_is_not_equality() {
    let fen = "4rbkr/1q3pp1/b3pn2/7p/1pN5/1P1BBP1P/P1R2QP1/3R2K1 w - - 5 31";
    let result = to_depth(&game(fen, "e3d4 h8h6 d4e3"), 12);
    assert!(result.score.centipawns().abs() > 1, "{result:?}");
}

#[test]
fn a_third_occurrence_is_found_despite_the_double_push() {
    let fen = "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4";
    let before = game(fen, "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7");
    assert!(score_of(&before, "f7f8", 8).abs() <= 1);
}

#[test]
fn the_weaker_side_finds_the_cycle_that_saves_it() {
    // White has a queen less, but checks for ever.
    let result = to_depth(&game("6k1/6p1/8/4Q3/8/1q5P/r5PK/1r6 w - - 0 1", ""), 10);
    assert!(result.score.centipawns().abs() <= 1, "{result:?}");
}
