//! Perft against published counts, and against shakmaty for Chess960.

mod support;

use koel_board::Position;
use koel_board::perft::{divide, perft};
use koel_random::Rng;
use support::{chess960_start, random_move};

/// Position, depth and number of leaves. All counts were confirmed with shakmaty and cozy-chess.
const KNOWN: &[(&str, u32, u64)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4, 422333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1038514),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 7, 15453),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 5, 811573),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3605103),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 5, 7594526),
    ("r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 0 1", 5, 8198901),
    ("8/1n4N1/2k5/8/8/5K2/1b4B1/8 w - - 0 1", 5, 783772),
    ("B6b/8/8/8/2K5/4k3/8/b6B w - - 0 1", 5, 1320507),
    ("7k/RR6/8/8/8/8/rr6/7K b - - 0 1", 5, 2161211),
    ("6kq/8/8/8/8/8/8/7K w - - 0 1", 6, 391507),
    ("8/Pk6/8/8/8/8/6Kp/8 b - - 0 1", 6, 1030499),
    ("8/ppp3p1/8/8/3p4/5Q2/1ppp2K1/brk4n b - - 0 1", 5, 1906230),
    ("8/6kR/8/8/8/bq6/1rqqqqqq/K1nqnbrq b - - 0 1", 5, 4634384),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 3, 19073),
    ("8/8/8/8/1k1PpN1R/8/8/4K3 b - d3 0 1", 5, 187733),
    ("8/8/8/2k5/3Pp3/8/8/K3B2R b - d3 0 1", 5, 150727),
    ("4k3/8/6K1/3pP2r/8/8/8/8 w - d6 0 1", 6, 314967),
    ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", 6, 824064),
    ("3r1rk1/1pp1bpp1/6p1/pP1npqPn/8/4N2P/P2PP3/1B2BRK1 w - a6 0 1", 4, 1279799),
    ("rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 5, 11139762),
];

#[test]
fn known_counts() {
    let total: u64 = KNOWN.iter().map(|&(_, _, leaves)| leaves).sum();
    assert!(KNOWN.len() >= 30 && total >= 100_000_000);
    for &(fen, depth, leaves) in KNOWN {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(perft(&position, depth), leaves, "{fen} depth {depth}");
    }
}

/// Compares 30 Chess960 positions a few moves into the game, most with castling rights left.
#[test]
fn chess960_equals_shakmaty() {
    let mut rng = Rng::new(960);
    let (mut positions, mut rights) = (0, 0);
    while positions < 30 {
        let mut position = chess960_start(&mut rng);
        for _ in 0..rng.below(14) {
            let Some(m) = random_move(&mut rng, &position.legal_moves()) else { break };
            position.play(m);
        }
        assert_eq!(perft(&position, 4), shakmaty::perft(&position.to_shakmaty(), 4), "{position}");
        positions += 1;
        rights += position.castling_rooks().count();
    }
    println!("{positions} positions with {rights} castling rights");
    assert!(rights > 60);
}

#[test]
fn divide_is_perft_by_move() {
    let position = Position::start();
    let parts = divide(&position, 4);
    assert_eq!(parts.len(), 20);
    assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), 197_281);
    assert_eq!(perft(&position, 0), 1);
    assert!(divide(&position, 0).is_empty());
}
