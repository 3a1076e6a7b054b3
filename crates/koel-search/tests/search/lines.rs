use std::ops::ControlFlow;

use koel_board::Game;
use koel_random::Rng;
use koel_search::{Bound, Limits, Report, Shared, Supervisor, Worker};

use crate::support::{POSITIONS, assert_legal_line, game};

/// Verifies that every reported line follows the rules.
struct LineReferee {
    game: Game,
    lines: usize,
    /// Lines with an exact mate score.
    mates: usize,
}

impl LineReferee {
    fn check(&mut self, report: &Report<'_>) {
        self.lines += 1;
        assert!(!report.pv.is_empty());
        assert_legal_line(&self.game, report.pv);
        let mut game = self.game.clone();
        for (index, &m) in report.pv.iter().enumerate() {
            game.play(m).unwrap();
            let keys: Vec<_> = game.keys().collect();
            let after_root = &keys[keys.len() - index - 1..keys.len() - 1];
            let is_repeated = after_root.contains(&game.position().key());
            let is_over = is_repeated || game.position().halfmove_clock() >= 100;
            assert!(!is_over || index + 1 == report.pv.len(), "{:?} goes on", report.pv);
        }
        if let (Some(moves), Bound::Exact) = (report.score.moves_to_mate(), report.bound) {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert_eq!(report.pv.len() as i32, plies, "{report:?}");
            assert!(game.position().is_check() && !game.position().has_legal_moves());
            self.mates += 1;
        }
    }
}

impl Supervisor for LineReferee {
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        assert_eq!(report.bound, Bound::Exact);
        self.check(report);
        ControlFlow::Continue(())
    }

    fn report_bound(&mut self, report: &Report<'_>) {
        assert_ne!(report.bound, Bound::Exact);
        self.check(report);
    }
}

#[test]
fn lines_are_legal_and_end_with_the_move_that_draws_or_mates() {
    let mates = ["8/8/8/8/8/2k5/2q5/K7 b - - 0 1", "8/8/8/8/8/4k3/r7/4K3 b - - 0 1"];
    let mut lines = 0;
    for fen in POSITIONS.iter().chain(&mates) {
        let game = game(fen, "");
        let shared = Shared::new(2, 1).unwrap();
        let mut referee = LineReferee { lines: 0, mates: 0, game };
        shared.limit_nodes(300_000);
        let game = referee.game.clone();
        Worker::new(0).search(&shared, &game, &Limits::to_depth(40), &mut referee);
        lines += referee.lines;
    }
    assert!(lines > 100, "{lines}");
}

/// The number of searches; `cargo xtask ci --long` sets 2,000.
fn searches() -> usize {
    std::env::var("KOEL_LINES").map_or(100, |text| text.parse().expect("KOEL_LINES is a number"))
}

/// A position some random moves after one of several kinds, or one with a mate nearby.
fn random_game(rng: &mut Rng) -> Game {
    const NEAR_MATE: [&str; 4] = [
        "4k3/8/4K3/8/8/8/8/7Q w - - 0 1",
        "8/8/8/3k4/8/8/1R6/R3K3 w - - 0 1",
        "3r2k1/5ppp/8/8/8/2Q5/5PPP/3R2K1 w - - 0 1",
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    ];
    loop {
        let is_near = rng.below(4) == 0;
        let (fens, plies) = if is_near { (&NEAR_MATE[..], 4) } else { (POSITIONS, 24) };
        let mut game = game(fens[rng.below(fens.len())], "");
        for _ in 0..rng.below(plies) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.below(moves.len())]).unwrap();
        }
        if game.position().has_legal_moves() {
            return game;
        }
    }
}

#[test]
fn lines_of_mixed_positions_are_sound_to_the_end() {
    let mut rng = Rng::new(2027);
    let (mut lines, mut mates) = (0, 0);
    let shared = Shared::new(8, 1).unwrap();
    let mut worker = Worker::new(0);
    for _ in 0..searches() {
        let game = random_game(&mut rng);
        shared.new_search();
        shared.limit_nodes(100_000);
        let mut referee = LineReferee { game: game.clone(), lines: 0, mates: 0 };
        let result = worker.search(&shared, &game, &Limits::to_depth(40), &mut referee);
        // A search that is stopped returns the result so far.
        referee.check(&result.report());
        assert_eq!(result.best_move, result.pv.first().copied());
        lines += referee.lines;
        mates += referee.mates;
    }
    println!("{} searches, {lines} lines, {mates} exact mates", searches());
    assert!(lines > 5 * searches() && mates > searches(), "{lines} lines, {mates} mates");
}
