//! One visit of a position.

use koel_board::{Move, Position};
use koel_eval::Evaluator;
use koel_tt::Bound;

use crate::score::{Depth, Score};
use crate::window::Window;

/// What a parent asks of a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    /// Whether the child is expected to fail high.
    pub(crate) is_cut: bool,
}

/// What the table says of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableHit {
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) static_eval: Option<Score>,
}

/// What is known during one visit, and ends with it.
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) evaluator: Evaluator,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) is_cut: bool,
    pub(crate) in_check: bool,
    pub(crate) is_after_null: bool,
    /// What a repetition grants the side to move, whatever the moves bring.
    pub(crate) floor: Score,
    pub(crate) table_hit: Option<TableHit>,
    /// The table's move, if it is legal here.
    pub(crate) table_move: Option<Move>,
    /// What the position looks like; meaningless in check.
    pub(crate) static_eval: Score,
    /// The same, corrected by what the table knows.
    pub(crate) eval: Score,
    /// Whether the position looks better to the side to move than two plies ago.
    pub(crate) is_improving: bool,
}

impl<'a> Node<'a> {
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        evaluator: Evaluator,
        ply: usize,
        task: Task,
    ) -> Node<'a> {
        Node {
            position,
            evaluator,
            window: task.window,
            depth: task.depth,
            ply,
            is_cut: task.is_cut,
            in_check: position.is_check(),
            is_after_null: false,
            floor: -Score::INFINITE,
            table_hit: None,
            table_move: None,
            static_eval: Score::DRAW,
            eval: Score::DRAW,
            is_improving: false,
        }
    }

    /// Whether the node may end before any of its moves is tried: not in check, where static
    /// evaluation means little, and not when a mate is at stake.
    #[inline]
    pub(crate) fn may_be_cut(&self) -> bool {
        !self.in_check && !self.window.beta.is_mate()
    }

    /// The evaluation of the position itself, from the view of the side to move.
    #[inline]
    pub(crate) fn evaluate(&self) -> Score {
        Score::from_centipawns(self.evaluator.evaluate(self.position).0)
    }
}
