use std::ops::ControlFlow;

use koel_board::Game;
use koel_search::{
    Depth, Limits, Progress, Report, Score, SearchResult, Shared, Supervisor, Worker,
};

use crate::support::{POSITIONS, game, to_depth, to_nodes};

/// Searches each position twice with one worker and a node limit, reset in between: the results
/// must be equal.
fn twice(limits: &Limits, nodes: u64, mut check: impl FnMut(&Game, &SearchResult)) {
    let mut shared = Shared::new(4, 1).unwrap();
    let mut worker = Worker::new(0);
    for fen in POSITIONS {
        let game = game(fen, "");
        let mut run = || {
            shared.clear(1);
            shared.new_search();
            shared.limit_nodes(nodes);
            worker.reset();
            let result = worker.search(&shared, &game, limits, &mut ());
            assert_eq!(shared.nodes(), result.nodes);
            result
        };
        let first = run();
        assert_eq!(first, run(), "{fen}");
        check(&game, &first);
    }
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    twice(&Limits::to_depth(9), u64::MAX, |game, first| {
        assert_eq!(*first, to_depth(game, 9), "{}: with another table size", game.position());
    });
}

#[test]
fn a_node_limit_ends_the_same_search_at_the_same_place() {
    twice(&Limits::default(), 30_000, |game, first| {
        let fresh = Shared::new(4, 1).unwrap();
        let other = to_nodes(&mut Worker::new(0), &fresh, game, 30_000);
        assert_eq!(*first, other, "{}: by another worker", game.position());
    });
}

#[test]
fn a_node_limit_is_exact() {
    let game = game(POSITIONS[1], "");
    for limit in [0, 1, 2, 37, 1023, 1024, 1025, 5000, 77_777] {
        let shared = Shared::new(1, 1).unwrap();
        let result = to_nodes(&mut Worker::new(0), &shared, &game, limit);
        assert_eq!(result.nodes, limit);
        assert!(game.position().is_legal(result.best_move.unwrap()));
        assert_eq!(result.best_move, result.pv.first().copied());
    }
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_legal_move() {
    for fen in POSITIONS {
        let game = game(fen, "");
        let shared = Shared::new(1, 1).unwrap();
        shared.stop();
        let result = Worker::new(0).search(&shared, &game, &Limits::default(), &mut ());
        assert!(game.position().is_legal(result.best_move.unwrap()));
        assert_eq!((result.depth, result.nodes), (Depth(0), 0));
    }
}

/// Stops the search at the first call after this many nodes.
struct StopsAfter(u64);

impl Supervisor for StopsAfter {
    fn must_stop(&mut self, progress: &Progress) -> bool {
        progress.nodes >= self.0
    }
}

#[test]
fn the_supervisor_is_called_often() {
    let game = game(POSITIONS[0], "");
    let shared = Shared::new(1, 1).unwrap();
    let mut worker = Worker::new(0);
    let result = worker.search(&shared, &game, &Limits::default(), &mut StopsAfter(10_000));
    assert!((10_000..11_100).contains(&result.nodes), "{}", result.nodes);
}

/// Collects the reports and stops after the third iteration.
#[derive(Default)]
struct ThreeIterations(Vec<(Depth, Score)>);

impl Supervisor for ThreeIterations {
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        self.0.push((report.depth, report.score));
        if report.depth == Depth(3) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn iterations_are_reported_in_order() {
    let game = game(POSITIONS[1], "");
    let shared = Shared::new(1, 1).unwrap();
    let mut supervisor = ThreeIterations::default();
    let result = Worker::new(0).search(&shared, &game, &Limits::default(), &mut supervisor);
    let depths: Vec<Depth> = supervisor.0.iter().map(|report| report.0).collect();
    assert_eq!(depths, [Depth(1), Depth(2), Depth(3)]);
    assert_eq!((result.depth, result.score), *supervisor.0.last().unwrap());
}

#[test]
fn only_the_given_root_moves_are_searched() {
    let game = game(POSITIONS[0], "");
    let shared = Shared::new(1, 1).unwrap();
    for text in ["a2a3", "h2h4", "b1a3"] {
        let wanted = game.position().parse_uci(text).unwrap();
        let limits = Limits { root_moves: vec![wanted], ..Limits::to_depth(6) };
        let result = Worker::new(0).search(&shared, &game, &limits, &mut ());
        assert_eq!(result.best_move, Some(wanted));
    }
}
