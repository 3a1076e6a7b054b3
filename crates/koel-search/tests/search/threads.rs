//! Tests of searches with several threads.

use koel_board::Game;
use koel_search::{Limits, SearchResult, Shared, Worker};

use crate::support::{POSITIONS, assert_legal_line, game};

/// A search by several threads with a node limit for all together.
fn together(game: &Game, threads: usize, nodes: u64) -> Vec<SearchResult> {
    let shared = Shared::new(4, threads).unwrap();
    shared.new_search();
    shared.limit_nodes(nodes);
    let mut workers = (0..threads).map(Worker::new).collect::<Vec<_>>();
    let shared = &shared;
    std::thread::scope(|scope| {
        let search = |worker| {
            let run = move || Worker::search(worker, shared, game, &Limits::default(), &mut ());
            let builder = std::thread::Builder::new().stack_size(8 << 20);
            builder.spawn_scoped(scope, run).unwrap()
        };
        let running = workers.iter_mut().map(search).collect::<Vec<_>>();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn together_they_keep_the_node_limit_and_find_legal_lines() {
    for fen in POSITIONS {
        let game = game(fen, "");
        let results = together(&game, 4, 240_000);
        assert_eq!(results.iter().map(|result| result.nodes).sum::<u64>(), 240_000, "{fen}");
        for result in results {
            assert_eq!(result.best_move, result.pv.first().copied());
            assert_legal_line(&game, &result.pv);
        }
    }
}
