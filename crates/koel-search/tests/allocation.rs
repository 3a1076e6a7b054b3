//! The search allocates nothing while nodes are searched.

use koel_board::{Game, Position};
use koel_search::{Limits, Shared, Worker};

#[test]
fn a_deep_search_allocates_no_more_than_a_shallow_one() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
        "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let shared = Shared::new(8, 1).unwrap();
        let mut worker = Worker::new(0);
        let mut allocations = |depth| {
            let limits = Limits::to_depth(depth);
            let mut nodes = 0;
            let info = allocation_counter::measure(|| {
                nodes = worker.search(&shared, &game, &limits, &mut ()).nodes;
            });
            (info.count_total, nodes)
        };
        // The first search reserves room for the game and its lines.
        allocations(1);
        let (shallow, few_nodes) = allocations(1);
        let (deep, many_nodes) = allocations(11);
        assert!(many_nodes > 50 * few_nodes, "{many_nodes} nodes after {few_nodes}");
        assert_eq!(deep, shallow, "{fen}: allocations in {many_nodes} nodes");
    }
}
