//! The effect of key collisions and replaced entries: none, if the table is large enough.

use koel_search::{Limits, SearchResult, Shared, Worker};

use crate::support::{POSITIONS, game};

/// Two searches one after the other, so that the second uses the table of the first.
fn searched(shared: &Shared, fen: &str, depth: i32) -> [SearchResult; 2] {
    let game = game(fen, "");
    let mut worker = Worker::new(0);
    [depth - 1, depth].map(|depth| {
        shared.new_search();
        worker.search(shared, &game, &Limits::to_depth(depth), &mut ())
    })
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Both tables give the same scores, moves, lines and node counts. A greater depth needs a larger
/// table: buckets of four overflow long before the table is full.
///
/// `KOEL_EXACT_DEPTH=18 KOEL_EXACT_MEBIBYTES=2048 cargo test -p koel-search --test search exact`
#[test]
fn a_large_table_changes_nothing() {
    let depth = setting("KOEL_EXACT_DEPTH", 8) as i32;
    let mebibytes = setting("KOEL_EXACT_MEBIBYTES", 64);
    for fen in POSITIONS {
        let usual = searched(&Shared::new(mebibytes, 1).unwrap(), fen, depth);
        let exact = searched(&Shared::exact(1), fen, depth);
        assert_eq!(usual, exact, "{fen}");
        println!("{fen}: {} nodes, {:?}", usual[1].nodes, usual[1].score);
    }
}
