use super::*;

#[test]
fn false_draws_are_avoided_by_every_policy_but_trust() {
    // White wins a pawn; only a draw that holds on one path hides it.
    for (fen, depth, truth) in [
        ("4K3/2k3p1/6P1/1p6/1P6/8/8/8 w - - 0 1", 8, 100),
        ("8/8/5p2/p4P2/P7/5k2/8/4K3 w - - 0 1", 9, -100),
    ] {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let value = |table_keys: TableKeys| {
            let mut search = ReferenceSearch::new(table_keys);
            let values = (1..=depth).map(|depth| search.value(&game, depth, 10_000_000));
            values.last().flatten().unwrap()
        };
        assert_eq!(value(TableKeys::Paths), truth);
        assert_eq!(value(TableKeys::Positions(PathPolicy::Trust)), 0);
        for policy in [PathPolicy::Refuse, PathPolicy::Relative] {
            assert_eq!(value(TableKeys::Positions(policy)), truth, "{policy:?}");
        }
    }
}

#[test]
fn a_mark_is_of_all_positions_from_the_head() {
    // An entry depends on two positions, of which another path has the earlier one alone. A mark of
    // the head accepts it there (the policy `head` of commit 08da70a scored 0).
    let position = Position::from_fen("8/6k1/8/6p1/1p4P1/1P6/8/K7 b - - 0 1").unwrap();
    let game = Game::new(position);
    let value = |table_keys: TableKeys| {
        let mut search = ReferenceSearch::new(table_keys);
        (1..=12).map(|depth| search.value(&game, depth, 10_000_000)).last().flatten()
    };
    assert_eq!(value(TableKeys::Paths), Some(100));
    for (policy, expected) in
        [(PathPolicy::Trust, 0), (PathPolicy::Refuse, 100), (PathPolicy::Relative, 100)]
    {
        assert_eq!(value(TableKeys::Positions(policy)), Some(expected), "{policy:?}");
    }
}

#[test]
fn a_draw_with_a_position_before_the_root_is_none_in_the_next_search() {
    // In the first searches, a return to a position after the root is a draw. Once the game has
    // gone past that position, it has occurred once, and a return to it is no draw yet.
    let start = Position::from_fen("8/8/4p3/4P3/1p1k4/1P5p/7P/3K4 w - - 0 1").unwrap();
    let mut game = Game::new(start);
    let policies = [PathPolicy::Refuse, PathPolicy::Relative];
    let mut searches = policies.map(|policy| ReferenceSearch::new(TableKeys::Positions(policy)));
    for moves in ["d1c1 d4c5", "c1b1 c5d4", "b1a1 d4e4", "a1b1 e4d4", "b1a1 d4d5", "a1b1 d5c6", ""]
    {
        let mut truth = ReferenceSearch::new(TableKeys::Paths);
        for depth in 1..=8 {
            let value = truth.value(&game, depth, 1_000_000);
            for search in &mut searches {
                assert_eq!(search.value(&game, depth, 1_000_000), value, "depth {depth}");
            }
        }
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
    }
}

#[test]
fn without_cycles_all_policies_agree() {
    // Three plies are too few for any position to repeat.
    for position in koel::bench_positions().take(12) {
        let game = Game::new(position);
        let mut search = ReferenceSearch::new(TableKeys::Paths);
        let truth = search.value(&game, 3, 1_000_000).unwrap();
        for (name, policy) in PathPolicy::ALL {
            let mut search = ReferenceSearch::new(TableKeys::Positions(policy));
            assert_eq!(
                search.value(&game, 3, 1_000_000),
                Some(truth),
                "{name} {}",
                game.position()
            );
            assert!(search.table.values().all(|entry| entry.mark == PathMark::NONE));
        }
    }
}

/// A locked pawn ending, in which both kings can take detours.
const NO_PROGRESS: &str = "8/8/8/1p1p1p1p/1P1P1P1P/4K1k1/8/8 b - - 0 1";

fn values(search: &mut ReferenceSearch, fen: &str, depth: u32) -> Vec<i32> {
    let game = Game::new(Position::from_fen(fen).unwrap());
    (1..=depth).map(|depth| search.value(&game, depth, 10_000_000).unwrap()).collect()
}

#[test]
fn the_no_progress_rule_needs_six_plies() {
    let mut off = ReferenceSearch::new(TableKeys::Paths);
    let mut on = ReferenceSearch::with_rule(TableKeys::Paths, NoProgress::On);
    assert_eq!(values(&mut on, NO_PROGRESS, 5), values(&mut off, NO_PROGRESS, 5));
    assert_eq!((on.nodes(), on.raised()), (off.nodes(), 0));
    values(&mut on, NO_PROGRESS, 8);
    assert!(on.raised() > 0);
}

#[test]
fn tracking_changes_nothing_where_no_mark_is_read() {
    for table_keys in [TableKeys::Paths, TableKeys::Positions(PathPolicy::Trust)] {
        let mut on = ReferenceSearch::with_rule(table_keys, NoProgress::On);
        let mut tracked = ReferenceSearch::with_rule(table_keys, NoProgress::Tracked);
        assert_eq!(values(&mut on, NO_PROGRESS, 9), values(&mut tracked, NO_PROGRESS, 9));
        assert_eq!(on.nodes(), tracked.nodes());
    }
}
