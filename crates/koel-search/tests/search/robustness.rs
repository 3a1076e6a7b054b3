use koel_board::{Game, Position};
use koel_search::{Limits, Shared, Worker};

use crate::support::{NodeLimit, POSITIONS, Random, assert_legal_line};

/// Random games with short searches on the way. One table and one worker serve them all, so that
/// histories and the table are full of other positions; in debug builds every search asserts that
/// each move was taken back and that the counters of the filter are where they were.
#[test]
fn a_worker_goes_from_game_to_game() {
    let shared = Shared::new(0, 1).unwrap();
    let mut worker = Worker::new(0);
    let mut random = Random(77);
    let mut searched = 0;
    for fen in POSITIONS {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for _ in 0..60 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            shared.new_search();
            let limit = 200 + random.next() % 800;
            let result = worker.search(&shared, &game, &Limits::default(), &mut NodeLimit(limit));
            assert_legal_line(&game, &result.pv);
            assert_eq!(result.pv.first().copied(), result.best_move);
            // The table of one bucket is shared by all keys: most of what it says is foreign.
            game.play(moves[random.below(moves.len())]).unwrap();
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
    worker.search(&shared, &game, &Limits::default(), &mut NodeLimit(300_000));
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
