use koel_board::{Game, Position};
use koel_random::Rng;
use koel_search::{Shared, Worker};

use crate::support::{POSITIONS, assert_legal_line, to_nodes};

/// Random games with short searches on the way, all with the same table and worker, so that table
/// and histories are full of other positions. In debug builds every search asserts that each move
/// was unmade and that the counters of the repetition filter are balanced.
#[test]
fn a_worker_goes_from_game_to_game() {
    let shared = Shared::new(0, 1).unwrap();
    let mut worker = Worker::new(0);
    let mut rng = Rng::new(77);
    let mut searched = 0;
    for fen in POSITIONS {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for _ in 0..60 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            shared.new_search();
            let limit = 200 + rng.below(800) as u64;
            let result = to_nodes(&mut worker, &shared, &game, limit);
            assert_legal_line(&game, &result.pv);
            assert_eq!(result.pv.first().copied(), result.best_move);
            // All keys share the single bucket of the table: most entries are of other positions.
            game.play(moves[rng.below(moves.len())]).unwrap();
            searched += 1;
        }
    }
    assert!(searched > 300);
    assert!(worker.cycle_counts().upcoming_probes > 0);
}

#[test]
fn cycle_counts_add_up() {
    let shared = Shared::new(4, 1).unwrap();
    let mut worker = Worker::new(0);
    let game = Game::new(Position::from_fen(POSITIONS[6]).unwrap());
    to_nodes(&mut worker, &shared, &game, 300_000);
    let counts = worker.cycle_counts();
    println!("{counts:?}, early exits {:.4}", counts.filter.early_exit_share());
    assert!(counts.upcoming_hits > 1000 && counts.upcoming_hits < counts.upcoming_probes);
    assert!(counts.filter.true_positives > 100);
    assert!(counts.filter.early_exit_share() > 0.999);
    let mut sum = counts;
    sum += counts;
    assert_eq!(sum.upcoming_hits, 2 * counts.upcoming_hits);
    worker.reset();
    assert_eq!(worker.cycle_counts().upcoming_probes, 0);
}
