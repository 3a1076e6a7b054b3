//! A node to test a step of the search in.

use koel_board::{Game, Move, Position};

use crate::node::{Node, SearchArgs};
use crate::score::{Depth, Score};
use crate::search::Search;
use crate::window::Window;
use crate::{Limits, Shared, Worker};

/// The arguments of a cut node with the null window below `beta`, in centipawns.
pub(crate) fn cut_node(depth: i32, beta: i32) -> SearchArgs {
    let beta = Score::from_centipawns(beta);
    SearchArgs { window: Window { alpha: beta - 1, beta }, depth: Depth(depth), is_cut_node: true }
}

/// Runs a test in the node of a position at ply 1, in the first of two threads.
pub(crate) fn in_a_node<T>(
    fen: &str,
    args: SearchArgs,
    test: impl FnOnce(&mut Search<'_>, &mut Node<'_>) -> T,
) -> T {
    let game = Game::new(Position::from_fen(fen).unwrap());
    let shared = Shared::new(1, 2).unwrap();
    let (mut worker, mut supervisor) = (Worker::new(0), ());
    let limits = Limits::default();
    let mut search = Search::new(&mut worker, &shared, &game, &limits, &mut supervisor);
    test(&mut search, &mut Node::new(game.position(), 1, args))
}

/// Returns the move of this text in the position of a node.
pub(crate) fn move_of(node: &Node<'_>, uci: &str) -> Move {
    node.position.parse_uci(uci).unwrap()
}
