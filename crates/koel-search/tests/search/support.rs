//! Helpers for searches in tests.

use koel_board::{Game, Move, Position};
use koel_search::{Limits, SearchResult, Shared, Worker};

/// The game that begins with a FEN and goes on with moves in UCI notation.
pub(crate) fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for text in moves.split_whitespace() {
        let m = game.position().parse_uci(text).unwrap();
        game.play(m).unwrap();
    }
    game
}

/// The result of a fresh search to a depth.
pub(crate) fn to_depth(game: &Game, depth: i32) -> SearchResult {
    let shared = Shared::new(8, 1).unwrap();
    Worker::new(0).search(&shared, game, &Limits::to_depth(depth), &mut ())
}

/// The result of a search of at most this many nodes.
pub(crate) fn to_nodes(
    worker: &mut Worker,
    shared: &Shared,
    game: &Game,
    nodes: u64,
) -> SearchResult {
    shared.limit_nodes(nodes);
    worker.search(shared, game, &Limits::default(), &mut ())
}

/// Asserts that the moves of a line can be played one after another.
pub(crate) fn assert_legal_line(game: &Game, line: &[Move]) {
    let mut game = game.clone();
    for &m in line {
        game.play(m).unwrap_or_else(|error| panic!("{error} in the line {line:?}"));
    }
}

/// Positions of several kinds: openings, tactics, endings, locked chains.
pub(crate) const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "6k1/5pp1/8/2bKP2P/2P5/p4PNb/B7/8 b - - 1 44",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
];
