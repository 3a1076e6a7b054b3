//! A node to test a step of the search in, and the names that such a test needs.

pub(crate) use koel_board::START_FEN;

use std::cell::RefCell;

use koel_board::Game;

pub(crate) use crate::path::PathMark;
pub(crate) use crate::search::Root;
pub(crate) use crate::steps::prelude::*;
use crate::{Limits, Shared, Worker};

/// A score of this many centipawns.
pub(crate) fn cp(centipawns: i32) -> Score {
    Score::from_centipawns(centipawns)
}

/// The arguments of a cut node with the null window below `beta`, in centipawns.
pub(crate) fn cut_node(depth: i32, beta: i32) -> SearchArgs {
    let window = Window { alpha: cp(beta) - 1, beta: cp(beta) };
    SearchArgs { window, depth: Depth(depth), is_cut_node: true }
}

/// A table entry with a score in centipawns and no evaluation.
pub(crate) fn tt_hit(score: i32, bound: Bound, depth: i32) -> TtHit {
    let (score, depth) = (cp(score), Depth(depth));
    TtHit { score, bound, depth, raw_eval: None, mark: PathMark::NONE }
}

/// A move loop after this many moves, with the best score in centipawns.
pub(crate) fn moves_tried(move_count: usize, best_score: i32) -> MoveLoop {
    MoveLoop { move_count, best_score: cp(best_score), ..MoveLoop::new() }
}

/// Runs a test in the node of a position at ply 1, in the first of two threads.
pub(crate) fn in_a_node<T>(
    fen: &str,
    args: SearchArgs,
    test: impl FnOnce(&mut Search<'_>, &mut Node<'_>) -> T,
) -> T {
    let game = Game::new(Position::from_fen(fen).unwrap());
    in_a_game(&game, |search| test(search, &mut Node::new(game.position(), 1, args)))
}

/// Runs a test in a search of the current position of a game, in the first of two threads.
pub(crate) fn in_a_game<T>(game: &Game, test: impl FnOnce(&mut Search<'_>) -> T) -> T {
    let shared = Shared::new(1, 2).unwrap();
    let (mut worker, mut supervisor) = (Worker::new(0), ());
    let limits = Limits::default();
    test(&mut Search::new(&mut worker, &shared, game, &limits, &mut supervisor))
}

/// Returns the move of this text in the position of a node.
pub(crate) fn move_of(node: &Node<'_>, uci: &str) -> Move {
    node.position.parse_uci(uci).unwrap()
}

/// Returns the move of this text as one that was picked.
pub(crate) fn picked(node: &Node<'_>, uci: &str, stage: Stage) -> PickedMove {
    PickedMove { m: move_of(node, uci), stage }
}

thread_local! {
    /// The switches that a test has turned, for its thread alone.
    static TURNED: RefCell<Vec<(&'static str, bool)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the setting of a switch that this test has turned.
pub(crate) fn turned(name: &str) -> Option<bool> {
    TURNED.with_borrow(|turned| turned.iter().rfind(|(turned, _)| *turned == name).map(|t| t.1))
}

/// Turns a switch for the rest of this test.
#[cfg(feature = "switches")]
pub(crate) fn turn(name: &'static str, is_on: bool) {
    TURNED.with_borrow_mut(|turned| turned.push((name, is_on)));
}
