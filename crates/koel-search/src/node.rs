//! One visit of a position.

use koel_board::{Move, Position, Role};
use koel_tt::{Bound, PathDependence};

use crate::history::Context;
use crate::path::{Dependence, Head};
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableHit {
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) depth: Depth,
    pub(crate) raw_eval: Option<Score>,
    /// What its bound rests on besides the position.
    pub(crate) dependence: PathDependence,
}

/// A position that has been entered, and may be searched once or several times.
pub(crate) struct Place<'a> {
    pub(crate) position: &'a Position,
    pub(crate) ply: usize,
}

impl<'a> Place<'a> {
    /// A visit of it.
    #[inline]
    pub(crate) fn node(&self, task: Task) -> Node<'a> {
        Node {
            position: self.position,
            window: task.window,
            depth: task.depth,
            ply: self.ply,
            is_cut: task.is_cut,
            in_check: self.position.is_check(),
            excluded: None,
            refused_at: 0,
            floor: -Score::INFINITE,
            floor_head: Head::NONE,
            dependence: Dependence::NONE,
            was_pv: false,
            table_hit: None,
            table_move: None,
            raw_eval: Score::DRAW,
            correction: 0,
            static_eval: Score::DRAW,
            eval: Score::DRAW,
            is_improving: false,
            is_duplicate: false,
            context: Context::NONE,
        }
    }
}

/// What is known during one visit, and ends with it.
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) is_cut: bool,
    pub(crate) in_check: bool,
    /// How many nodes the search had when it refused what the table says of the position; 0 if it
    /// did not.
    pub(crate) refused_at: u64,
    /// The move whose rivals are sought: it is passed over, and nothing is remembered.
    pub(crate) excluded: Option<Move>,
    /// What a repetition grants the side to move, whatever the moves bring.
    pub(crate) floor: Score,
    /// The position that this repetition goes back to.
    pub(crate) floor_head: Head,
    /// What the score that the node ends with rests on, the position itself included.
    pub(crate) dependence: Dependence,
    /// Whether the position is or once was on the principal variation.
    pub(crate) was_pv: bool,
    pub(crate) table_hit: Option<TableHit>,
    /// The table's move, if it is legal here.
    pub(crate) table_move: Option<Move>,
    /// What the evaluation says of the position; meaningless in check.
    pub(crate) raw_eval: Score,
    /// What experience adds to that, in centipawns.
    pub(crate) correction: i32,
    /// What the position looks like: the sum of both, near the fifty-move rule less.
    pub(crate) static_eval: Score,
    /// The same, or what the table knows better.
    pub(crate) eval: Score,
    /// Whether the position looks better to the side to move than two plies ago.
    pub(crate) is_improving: bool,
    /// Whether another thread is in the node too.
    pub(crate) is_duplicate: bool,
    /// What quiet moves are judged by; set before the first is looked at.
    pub(crate) context: Context,
}

impl Node<'_> {
    /// The same position, to be visited once more.
    #[inline]
    pub(crate) fn again(&self, task: Task) -> Node<'_> {
        let place = Place { position: self.position, ply: self.ply };
        place.node(task)
    }

    /// The same position without one of its moves: all else that is known stays, but for the
    /// table, which spoke of that move.
    #[inline]
    pub(crate) fn without(&self, m: Move, task: Task) -> Node<'_> {
        Node {
            excluded: Some(m),
            was_pv: self.was_pv,
            raw_eval: self.raw_eval,
            correction: self.correction,
            static_eval: self.static_eval,
            eval: self.static_eval,
            is_improving: self.is_improving,
            ..self.again(task)
        }
    }

    /// Whether the node may end before any of its moves is tried: not in check, where static
    /// evaluation means little, not when a mate is at stake, and not while rivals of a move are
    /// sought.
    #[inline]
    pub(crate) fn may_be_cut(&self) -> bool {
        !self.in_check && self.excluded.is_none() && !self.window.beta.is_decided()
    }

    /// Whether the table's move is a capture or a promotion.
    #[inline]
    pub(crate) fn has_noisy_table_move(&self) -> bool {
        self.table_move.is_some_and(Move::is_noisy)
    }

    /// Whether having to move may hurt, with a single piece, which is easily tied.
    #[inline]
    pub(crate) fn may_be_in_zugzwang(&self) -> bool {
        let position = self.position;
        let others = position.role(Role::Pawn) | position.role(Role::King);
        (position.color(position.turn()) & !others).count() == 1
    }
}
