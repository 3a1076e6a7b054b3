//! Path-dependent draws and the scores of the table.

use koel_board::Game;
use koel_eval::Evaluation;
use koel_random::Rng;
use koel_search::{
    Limits, NoProgress, PathCounts, PathPolicy, PathRules, SearchResult, Shared, Worker,
};

use crate::support::{POSITIONS, game, to_depth, to_nodes};

/// A fresh search with these rules.
fn searched(fen: &str, depth: i32, rules: PathRules) -> (SearchResult, PathCounts) {
    let mut shared = Shared::new(8, 1).unwrap();
    shared.set_path_rules(rules);
    let mut worker = Worker::new(0);
    let limits = Limits::to_depth(depth);
    let result = worker.search(&shared, &game(fen, ""), &limits, &mut ());
    (result, worker.path_counts())
}

fn with_policy(policy: PathPolicy) -> PathRules {
    PathRules { policy, ..PathRules::default() }
}

const LOCKED: &str = "8/3k3p/6pP/6P1/p7/Pp3p2/1P3P2/6K1 w - - 0 1";

#[test]
fn every_policy_searches_the_same_twice_and_finds_a_legal_move() {
    for (name, policy) in PathPolicy::ALL {
        for fen in POSITIONS {
            let (result, counts) = searched(fen, 9, with_policy(policy));
            assert_eq!(searched(fen, 9, with_policy(policy)), (result.clone(), counts), "{name}");
            assert!(game(fen, "").position().is_legal(result.best_move.unwrap()), "{name}");
        }
    }
}

#[test]
fn policies_accept_and_refuse_as_documented() {
    let counts = PathPolicy::ALL.map(|(_, policy)| searched(LOCKED, 18, with_policy(policy)).1);
    let [trust, refuse, relative, muller] = counts;
    for counts in [trust, refuse, relative] {
        let is_some = (1..counts.stores).contains(&counts.dependent_stores);
        assert!(is_some && counts.third_occurrences == 0, "{counts:?}");
    }
    assert!(trust.accepted > 0 && trust.refused == 0, "{trust:?}");
    assert!(refuse.accepted == 0 && refuse.refused > 0, "{refuse:?}");
    // Dependence ends at the head, so that fewer scores depend on the path than with a single bit.
    let share = |counts: PathCounts| counts.dependent_stores as f64 / counts.stores as f64;
    assert!(share(relative) < share(refuse), "{relative:?} {refuse:?}");
    assert!(relative.accepted > 0 && relative.refused > 0, "{relative:?}");
    // Path-dependent scores are not stored, so that none has to be refused.
    assert!(muller.accepted == 0 && muller.refused == 0, "{muller:?}");
    assert!(muller.third_occurrences > 0 && muller.searched_again > 0, "{muller:?}");
}

#[test]
fn the_no_progress_rule_is_counted() {
    let rules = |no_progress| PathRules { no_progress, ..PathRules::default() };
    let (_, off) = searched(LOCKED, 18, rules(NoProgress::Off));
    assert_eq!((off.no_progress, off.no_progress_cutoffs), (0, 0));
    for no_progress in [NoProgress::On, NoProgress::Tracked] {
        let (_, on) = searched(LOCKED, 18, rules(no_progress));
        assert!(on.no_progress > 0 && on.no_progress_cutoffs > 0, "{on:?}");
    }
}

#[test]
fn a_draw_by_repetition_is_seen_despite_the_table() {
    // White mates, as the table holds, but the move back draws at once.
    let shuffled = "h1g1 d5e5 g1h1 e5d5 h1g1 d5e5 g1h1 e5d5";
    let fen = "8/8/8/3k4/8/8/6K1/7R w - - 0 1";
    let shared = Shared::new(8, 1).unwrap();
    let mut worker = Worker::new(0);
    let limits = Limits::to_depth(12);
    worker.search(&shared, &game(fen, ""), &limits, &mut ());
    shared.new_search();
    let result = worker.search(&shared, &game(fen, shuffled), &limits, &mut ());
    assert!(result.score.centipawns() > 300, "{result:?}");
    assert_ne!(result.best_move.unwrap().to_string(), "h1g1");
}

/// Games from a pawn ending with random king moves, many of which take the last one back.
fn walks(count: usize) -> Vec<Game> {
    let mut rng = Rng::new(7);
    let mut walk = || {
        let mut game = game("8/8/2p2k2/2K5/3P4/8/8/8 w - - 0 40", "");
        let mut last = [None; 2];
        for ply in 0..24 {
            let position = game.position();
            let king = position.king(position.turn());
            let steps = position.legal_moves();
            let steps: Vec<_> =
                steps.iter().filter(|m| m.from() == king && !m.is_capture()).collect();
            let back = steps.iter().find(|m| Some(m.to()) == last[ply % 2] && rng.below(3) > 0);
            let Some(&&m) = back.or(steps.get(rng.below(steps.len().max(1)))) else { break };
            last[ply % 2] = Some(m.from());
            game.play(m).unwrap();
        }
        game
    };
    (0..count).map(|_| walk()).collect()
}

#[test]
fn games_with_repeated_positions_use_their_own_table_keys() {
    let shared_of = |salt| {
        let mut shared = Shared::new(1, 1).unwrap();
        shared.set_path_rules(PathRules { salt, policy: PathPolicy::Trust, ..shared.path_rules() });
        // How many games are misled depends on the evaluation: not on that of the day.
        shared.set_evaluation(Evaluation::PieceSquareTables);
        shared
    };
    let score = |shared: &Shared, worker: &mut Worker, game: &Game, depth| {
        shared.new_search();
        let result = worker.search(shared, game, &Limits::to_depth(depth), &mut ());
        result.score.centipawns()
    };
    // Counts searches of a game that are misled by a table filled from its last position alone,
    // among games whose history makes a draw of it, or keeps it from being one. Two different
    // scores of a win are none of these: they depend on what else is in the table.
    let is_draw = |score: i32| score.abs() <= 20;
    let mut misled = [0, 0];
    for depth in 6..=10 {
        for game in walks(300) {
            let fresh = Game::new(game.position().clone());
            let alone = |game| score(&shared_of(true), &mut Worker::new(0), game, depth);
            let truth = alone(&game);
            let without_history = alone(&fresh);
            if (truth - without_history).abs() < 100 || is_draw(truth) == is_draw(without_history) {
                continue;
            }
            for (filled_to, salt) in [(10, false), (14, false), (10, true), (14, true)] {
                let (shared, mut worker) = (shared_of(salt), Worker::new(0));
                score(&shared, &mut worker, &fresh, filled_to);
                let found = score(&shared, &mut worker, &game, depth);
                // A table score from a deeper search may also be right.
                let deeper = || score(&shared_of(true), &mut Worker::new(0), &game, filled_to);
                let is_wrong = (found - truth).abs() > 100 && (found - deeper()).abs() > 100;
                misled[usize::from(salt)] += u32::from(is_wrong);
            }
        }
    }
    println!("misled without the salt and with it: {misled:?}");
    let [without, with] = misled;
    assert!(without >= 4 && 4 * with <= without, "{misled:?}");
}

#[test]
fn known_positions_are_not_taken_for_draws() {
    // Qe6 holds; Stockfish 1762 scored a slow loss as 0.00.
    let result = to_depth(&game("3r2k1/pr6/1p3q1p/5R2/3P3p/8/5RP1/3Q2K1 b - - 0 51", ""), 18);
    assert!(result.score.centipawns().abs() > 3, "{result:?}");
    // Fine 70: only Kb1 wins.
    let fine = to_depth(&game("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", ""), 26);
    assert_eq!(fine.best_move.unwrap().to_string(), "a1b1", "{fine:?}");
    assert!(fine.score.centipawns() > 60, "{fine:?}");
}

#[test]
fn known_draws_near_the_end_of_the_clock_are_no_mates() {
    // Stockfish 2453: a draw.
    let result = to_depth(&game("8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40", ""), 24);
    assert!(result.score.centipawns().abs() <= 20, "{result:?}");
    // Stockfish 2370: a mate found at clock 0 is not one 24 plies before the fifty-move rule.
    let shared = Shared::new(16, 1).unwrap();
    let mut worker = Worker::new(0);
    let rook = |clock| game(&format!("8/8/8/3k4/8/8/6K1/7R w - - {clock} 40"), "");
    to_nodes(&mut worker, &shared, &rook(0), 1_500_000);
    shared.new_search();
    let late = worker.search(&shared, &rook(76), &Limits::to_depth(16), &mut ());
    assert!(!late.score.is_mate(), "{late:?}");
}

#[test]
fn mate_scores_do_not_go_stale() {
    // Stockfish 2707: a mate announced a move ago does not hold after the best defence.
    let shared = Shared::new(16, 1).unwrap();
    let mut worker = Worker::new(0);
    let before = game("1q3rk1/2R3p1/5p2/5P1Q/3ppP1P/4n3/6PK/2R5 b - - 2 41", "");
    worker.search(&shared, &before, &Limits::to_depth(14), &mut ());
    shared.new_search();
    let after = game("1q3rk1/6R1/5p2/3n1P1Q/3ppP1P/8/6PK/2R5 b - - 0 1", "");
    let result = worker.search(&shared, &after, &Limits::to_depth(10), &mut ());
    assert!(!result.score.is_mate(), "{result:?}");
    // Long sequences of quiet moves are not mates.
    let pawns = game("4k3/3pp3/8/8/8/8/2PPP3/4K3 w - - 0 1", "");
    let shared = Shared::new(16, 1).unwrap();
    let result = to_nodes(&mut worker, &shared, &pawns, 1_000_000);
    assert!(!result.score.is_mate(), "{result:?}");
}

#[test]
fn cycles_do_not_blow_the_search_up() {
    // Stockfish 6147, 5928cb2b3 and 5023.
    for (fen, depth, most) in [
        ("7k/7P/8/8/4B3/3B4/2B5/KB6 w - - 0 1", 14, 1_000_000),
        ("q1B5/1P1q4/8/8/8/6R1/8/1K1k4 w - - 0 1", 13, 100_000),
        ("8/8/3P3k/8/1p6/8/1P6/1K3n2 b - - 0 1", 20, 1_000_000),
        // A locked ending: without the limit eighteen times as many, 284,000 nodes.
        ("8/2k5/4p3/1p1pPp1p/1P1P1P1P/4K3/8/8 w - - 0 1", 20, 60_000),
    ] {
        let result = to_depth(&game(fen, ""), depth);
        assert!(result.nodes < most, "{} nodes for {fen}", result.nodes);
    }
}

#[test]
fn endings_in_which_everything_repeats_take_few_more_nodes() {
    // Several, since a single one takes a fifth or twenty times as many after any change of the
    // search.
    let nodes = |policy| {
        let nodes_of = |rook: &str| {
            let fen = format!("8/8/8/3k4/8/8/6K1/{rook} w - - 0 1");
            searched(&fen, 18, with_policy(policy)).0.nodes
        };
        ["7R", "6R1", "5R2", "4R3", "2R5", "1R6", "R7"].map(nodes_of).iter().sum()
    };
    let [relative, trust]: [u64; 2] = [PathPolicy::Relative, PathPolicy::Trust].map(nodes);
    assert!(relative < 6 * trust, "{relative} nodes with marks, {trust} without");
}

#[test]
fn a_sacrifice_breaks_a_repetition() {
    // Nf2+ Kg1 Nh3+ Kh1 Nf2+ repeats for ever: the rook on g2 is pinned by the bishop on b7
    // whenever the knight stands on f2, and nothing covers h3. White is two rooks and a bishop
    // against three minor pieces, and two pawns up. Instead of the draw White can give the
    // exchange, Rxf2 Bxf2, which leaves a rook and a bishop against two bishops.
    let fen = "1k6/pb6/8/2b2R2/8/7n/PP4RP/5B1K b - - 0 1";
    let (result, counts) = searched(fen, 26, with_policy(PathPolicy::Muller));
    assert!(result.score.centipawns() < -30, "{result:?}");
    assert!(result.pv.iter().any(|m| m.to_string() == "f5f2"), "{result:?}");
    assert!(counts.searched_again > 0, "{counts:?}");
}
