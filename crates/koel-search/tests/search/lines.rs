use std::ops::ControlFlow;

use koel_board::Game;
use koel_search::{Bound, Limits, Report, Shared, Supervisor, Worker};

use crate::support::{POSITIONS, assert_legal_line, game};

/// Holds every line that is reported against the rules.
struct LineReferee {
    game: Game,
    lines: usize,
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
        }
    }
}

impl Supervisor for LineReferee {
    fn iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        assert_eq!(report.bound, Bound::Exact);
        self.check(report);
        ControlFlow::Continue(())
    }

    fn outside_window(&mut self, report: &Report<'_>) {
        assert_ne!(report.bound, Bound::Exact);
        self.check(report);
    }

    fn node_limit(&self) -> u64 {
        300_000
    }
}

#[test]
fn lines_are_legal_and_end_with_the_move_that_draws_or_mates() {
    let mates = ["8/8/8/8/8/2k5/2q5/K7 b - - 0 1", "8/8/8/8/8/4k3/r7/4K3 b - - 0 1"];
    let mut lines = 0;
    for fen in POSITIONS.iter().chain(&mates) {
        let game = game(fen, "");
        let shared = Shared::new(2, 1).unwrap();
        let mut referee = LineReferee { game: game.clone(), lines: 0 };
        Worker::new(0).search(&shared, &game, &Limits::to_depth(40), &mut referee);
        lines += referee.lines;
    }
    assert!(lines > 100, "{lines}");
}
