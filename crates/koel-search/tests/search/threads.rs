//! Tests of searches with several threads.

use koel_board::Game;
use koel_search::{Limits, SearchResult, Shared, SmpCounts, SmpMode, Worker};

use crate::support::{POSITIONS, Unwatched, assert_legal_line, game};

/// A search by several threads with a node limit for all together.
fn together(
    game: &Game,
    threads: usize,
    mode: SmpMode,
    nodes: u64,
) -> (Vec<SearchResult>, SmpCounts) {
    let mut shared = Shared::new(4, threads).unwrap();
    shared.set_smp_mode(mode, true);
    shared.new_search();
    shared.limit_nodes(nodes);
    let mut workers = (0..threads).map(Worker::new).collect::<Vec<_>>();
    let shared = &shared;
    let outcomes = std::thread::scope(|scope| {
        let search = |worker| {
            let run =
                move || Worker::search(worker, shared, game, &Limits::default(), &mut Unwatched);
            let builder = std::thread::Builder::new().stack_size(8 << 20);
            builder.spawn_scoped(scope, run).unwrap()
        };
        let running = workers.iter_mut().map(search).collect::<Vec<_>>();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let counts = workers.iter().map(Worker::smp_counts).fold(SmpCounts::default(), |a, b| a + b);
    (outcomes, counts)
}

#[test]
fn alone_all_modes_are_the_same_search() {
    for fen in POSITIONS {
        let game = game(fen, "");
        let searches = SmpMode::ALL.map(|mode| together(&game, 1, mode, 20_000));
        assert_eq!(searches[0].0, searches[1].0, "{fen}");
        assert_eq!(searches[0].0, searches[2].0, "{fen}");
        assert!(searches.iter().all(|(_, counts)| *counts == SmpCounts::default()));
    }
}

#[test]
fn together_they_find_legal_lines_and_keep_out_of_each_others_way() {
    let mut counts = SmpMode::ALL.map(|_| SmpCounts::default());
    for fen in POSITIONS {
        let game = game(fen, "");
        for (mode, sum) in SmpMode::ALL.into_iter().zip(&mut counts) {
            let (outcomes, counts) = together(&game, 4, mode, 240_000);
            assert_eq!(outcomes.iter().map(|result| result.nodes).sum::<u64>(), 240_000, "{fen}");
            for result in outcomes {
                assert_eq!(result.best_move, result.pv.first().copied());
                assert_legal_line(&game, &result.pv);
            }
            *sum += counts;
        }
    }
    println!("lazy, defer, breadcrumbs: {counts:#?}");
    let [lazy, defer, breadcrumbs] = counts;
    assert!(lazy.entered > 0 && breadcrumbs.entered > 0);
    assert_eq!((lazy.deferred, breadcrumbs.deferred), (0, 0));
    assert!(lazy.duplicate > 0 && defer.deferred > 0, "four threads meet");
}
