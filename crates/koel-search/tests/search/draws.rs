use koel_search::Score;

use crate::support::{game, to_depth};

#[test]
fn fifty_moves_are_a_draw_unless_they_end_in_mate() {
    // One ply is left: the queen wins only if that ply mates.
    let outcome = to_depth(&game("8/8/3k4/8/8/8/6Q1/K7 w - - 99 120", ""), 6);
    assert!(outcome.score.centipawns().abs() <= 1, "{outcome:?}");
    let outcome = to_depth(&game("7k/8/5KQ1/8/8/8/8/8 w - - 99 120", ""), 4);
    assert_eq!(outcome.score, Score::mate_in(1));
    let outcome = to_depth(&game("8/8/3k4/8/8/8/6Q1/K7 w - - 0 120", ""), 6);
    assert!(outcome.score.centipawns() > 500, "{outcome:?}");
}

#[test]
fn a_pawn_move_saves_the_win_from_the_clock() {
    let outcome = to_depth(&game("8/8/3k4/8/8/8/P5Q1/K7 w - - 99 120", ""), 8);
    assert!(outcome.score.centipawns() > 500, "{outcome:?}");
    assert!(outcome.best_move.unwrap().to_string().starts_with("a2"), "{outcome:?}");
}

#[test]
fn too_little_material_is_a_draw() {
    for fen in ["8/8/4k3/8/8/3K4/8/7B w - - 0 1", "8/8/4k3/8/8/3K4/8/7N b - - 0 1"] {
        let outcome = to_depth(&game(fen, ""), 6);
        assert!(outcome.score.centipawns().abs() <= 1, "{outcome:?}");
        assert!(outcome.best_move.is_some());
    }
}

#[test]
fn a_drawn_root_still_has_a_move() {
    let shuffled = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", shuffled);
    let outcome = to_depth(&game, 6);
    assert!(game.position().is_legal(outcome.best_move.unwrap()));
}
