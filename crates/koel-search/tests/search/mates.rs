use koel_search::{Depth, Score, Shared, Worker};

use crate::support::{game, to_depth, to_nodes};

/// Asserts that a mate is found within a number of nodes, at any depth.
fn assert_mate(fen: &str, moves: i32, first: &str, nodes: u64) {
    let game = game(fen, "");
    let shared = Shared::new(8, 1).unwrap();
    let result = to_nodes(&mut Worker::new(0), &shared, &game, nodes);
    assert_eq!(result.score.moves_to_mate(), Some(moves), "{fen}: {result:?}");
    assert_eq!(result.pv.len(), 2 * moves as usize - 1, "{fen}: {result:?}");
    let best = result.best_move.unwrap().to_string();
    assert!(first.is_empty() || best == first, "{fen}: {best}");
}

#[test]
fn mate_in_one_is_found() {
    assert_mate("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1, "e1e8", 1_000);
    assert_mate("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 1, "", 1_000);
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    assert_mate(scholar, 1, "h5f7", 1_000);
}

#[test]
fn mate_in_two_is_found() {
    // A zugzwang after a sacrifice, which most kinds of pruning hide.
    assert_mate("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6", 1_500_000);
    let many = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1";
    assert_mate(many, 2, "f3f7", 30_000);
    assert_mate("r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1", 2, "f5g6", 30_000);
}

#[test]
fn mate_in_three_is_found() {
    assert_mate("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6", 30_000);
    assert_mate("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 1", 3, "c5a6", 100_000);
}

#[test]
fn being_mated_is_seen() {
    let result = to_depth(&game("8/8/8/8/8/5k2/6q1/7K w - - 0 1", ""), 4);
    assert_eq!((result.best_move, result.score), (None, Score::mated_in(0)));
    let result = to_depth(&game("8/8/8/8/8/5k2/6q1/6BK w - - 0 1", ""), 4);
    assert_eq!((result.best_move, result.score), (None, Score::mated_in(0)));
    let result = to_depth(&game("7k/8/6K1/8/8/8/8/R7 b - - 0 1", ""), 6);
    assert_eq!(result.score.moves_to_mate(), Some(-1), "{result:?}");
}

#[test]
fn a_root_without_moves_has_no_best_move() {
    let stalemate = to_depth(&game("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", ""), 5);
    assert_eq!((stalemate.best_move, stalemate.score), (None, Score::DRAW));
    assert_eq!((stalemate.depth, stalemate.nodes, stalemate.pv.len()), (Depth(0), 0, 0));
    let mated = to_depth(&game("4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1", ""), 5);
    assert_eq!((mated.best_move, mated.score), (None, Score::mated_in(0)));
}

#[test]
fn stalemate_is_avoided_when_winning() {
    let game = game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "");
    assert!(to_depth(&game, 8).score.is_win());
}
