use std::ops::ControlFlow;

use koel_eval::Evaluation;
use koel_search::{Limits, Report, Score, Shared, Supervisor, Worker};

use crate::support::{game, to_depth};

#[test]
fn fifty_moves_are_a_draw_unless_they_end_in_mate() {
    // One ply is left: the queen wins only if that ply mates.
    let result = to_depth(&game("8/8/3k4/8/8/8/6Q1/K7 w - - 99 120", ""), 6);
    assert!(result.score.centipawns().abs() <= 1, "{result:?}");
    let result = to_depth(&game("7k/8/5KQ1/8/8/8/8/8 w - - 99 120", ""), 4);
    assert_eq!(result.score, Score::mate_in(1));
    let result = to_depth(&game("8/8/3k4/8/8/8/6Q1/K7 w - - 0 120", ""), 6);
    assert!(result.score.centipawns() > 500, "{result:?}");
}

#[test]
fn a_pawn_move_saves_the_win_from_the_clock() {
    let result = to_depth(&game("8/8/3k4/8/8/8/P5Q1/K7 w - - 99 120", ""), 8);
    assert!(result.score.centipawns() > 500, "{result:?}");
    assert!(result.best_move.unwrap().to_string().starts_with("a2"), "{result:?}");
}

#[test]
fn too_little_material_is_a_draw() {
    for fen in ["8/8/4k3/8/8/3K4/8/7B w - - 0 1", "8/8/4k3/8/8/3K4/8/7N b - - 0 1"] {
        let result = to_depth(&game(fen, ""), 6);
        assert!(result.score.centipawns().abs() <= 1, "{result:?}");
        assert!(result.best_move.is_some());
    }
}

#[test]
fn a_drawn_root_still_has_a_move() {
    let shuffled = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", shuffled);
    let result = to_depth(&game, 6);
    assert!(game.position().is_legal(result.best_move.unwrap()));
}

/// Two principal variations, as the last iteration reports them.
#[derive(Default)]
struct Lines(Vec<(String, i32)>);

impl Supervisor for Lines {
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        if report.multi_pv == 1 {
            self.0.clear();
        }
        self.0.push((report.pv[0].to_string(), report.score.centipawns()));
        ControlFlow::Continue(())
    }
}

#[test]
fn a_line_through_the_root_is_no_draw_yet() {
    // Nf7+ and back only repeats the root, and then Rh4 wins as it did before (Stockfish #948).
    let game = game("5r1k/6n1/B1b4N/8/8/8/P4P2/1K5R w - - 0 1", "");
    let mut shared = Shared::new(8, 1).unwrap();
    // With material counts: what a network thinks of the ending changes with each one.
    shared.set_evaluation(Evaluation::PieceSquareTables);
    let limits = Limits { multi_pv: 8, ..Limits::to_depth(12) };
    let mut lines = Lines::default();
    Worker::new(0).search(&shared, &game, &limits, &mut lines);
    assert_eq!(lines.0.len(), 8);
    let score_of = |m: &str| lines.0.iter().find(|line| line.0 == m).map(|line| line.1);
    let (direct, by_the_root) = (score_of("h1h4").unwrap(), score_of("h6f7").unwrap());
    assert!(direct > 150 && by_the_root > 150, "{:?}", lines.0);
    assert!((direct - by_the_root).abs() < 80, "{:?}", lines.0);
    assert!(lines.0.is_sorted_by_key(|line| -line.1));
}

#[test]
fn contempt_makes_draws_worth_less_to_the_root() {
    for (fen, turn) in
        [("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "White"), ("8/8/8/3k4/8/3K4/8/8 b - - 0 1", "Black")]
    {
        let score = |contempt| {
            let limits = Limits { contempt, ..Limits::to_depth(4) };
            let shared = Shared::new(1, 1).unwrap();
            let game = game(fen, "");
            Worker::new(0).search(&shared, &game, &limits, &mut ()).score.centipawns()
        };
        for contempt in [-50, 0, 50] {
            let found = score(contempt);
            assert!((found + contempt).abs() <= 1, "{turn}: {found} with {contempt}");
        }
        assert!((score(i32::MAX) + Limits::MAX_CONTEMPT).abs() <= 1, "{turn}");
        assert!((score(i32::MIN) - Limits::MAX_CONTEMPT).abs() <= 1, "{turn}");
    }
}
