//! The state of one node while it is searched.

use koel_board::{Move, Position, Role};
use koel_tt::Bound;

use crate::history::HistoryContext;
use crate::path::{CycleHead, PathDependence, PathMark};
use crate::score::{Depth, Score};
use crate::window::Window;

/// The arguments of a search: window, depth and expected node type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchArgs {
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    /// True if the node is expected to fail high.
    pub(crate) is_cut_node: bool,
}

/// A transposition table entry, as the node sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtHit {
    /// Mates are counted from the root.
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) depth: Depth,
    pub(crate) raw_eval: Option<Score>,
    /// The mark of the bound's path dependence.
    pub(crate) mark: PathMark,
}

/// A node: its position, its search arguments, and what the steps have found out about it.
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) is_cut_node: bool,
    pub(crate) in_check: bool,
    /// The node count of the search when a score of the transposition table was refused here; 0 if
    /// none was.
    pub(crate) tt_refused_at: u64,
    /// The move that a singular search leaves out. Such a search is not stored in the table.
    pub(crate) excluded: Option<Move>,
    /// A lower bound on the score: a draw if the side to move can repeat, or a tablebase win.
    pub(crate) score_floor: Score,
    /// The position that this repetition returns to.
    pub(crate) score_floor_head: CycleHead,
    /// An upper bound on the score: a tablebase loss.
    pub(crate) score_ceiling: Score,
    /// The path dependence of the score that the node returns, the node's own position included.
    pub(crate) dependence: PathDependence,
    /// True if the position is or was on the principal variation.
    pub(crate) tt_pv: bool,
    pub(crate) tt_hit: Option<TtHit>,
    /// The move of the transposition table, if it is legal here.
    pub(crate) tt_move: Option<Move>,
    /// The output of the evaluation; meaningless in check.
    pub(crate) raw_eval: Score,
    /// The sum of the correction histories, in centipawns.
    pub(crate) correction: i32,
    /// The static evaluation: the raw evaluation, scaled and corrected.
    pub(crate) static_eval: Score,
    /// The static evaluation, or the score of the transposition table where that is a tighter
    /// bound.
    pub(crate) eval: Score,
    /// The move that refuted the null move, or [`Move::NONE`], where a classic step needs it.
    #[cfg(feature = "switches")]
    pub(crate) threat: Move,
    /// True if the static evaluation is better than two plies ago.
    pub(crate) is_improving: bool,
    /// The context of the quiet histories; set before the first quiet move is scored.
    pub(crate) context: HistoryContext,
}

impl<'a> Node<'a> {
    /// A node about which nothing is known yet.
    #[inline]
    pub(crate) fn new(position: &'a Position, ply: usize, args: SearchArgs) -> Node<'a> {
        Node {
            position,
            window: args.window,
            depth: args.depth,
            ply,
            is_cut_node: args.is_cut_node,
            in_check: position.is_check(),
            excluded: None,
            tt_refused_at: 0,
            score_floor: -Score::INFINITE,
            score_floor_head: CycleHead::NONE,
            score_ceiling: Score::INFINITE,
            dependence: PathDependence::NONE,
            tt_pv: false,
            tt_hit: None,
            tt_move: None,
            raw_eval: Score::DRAW,
            correction: 0,
            static_eval: Score::DRAW,
            eval: Score::DRAW,
            #[cfg(feature = "switches")]
            threat: Move::NONE,
            is_improving: false,
            context: HistoryContext::NONE,
        }
    }

    /// The arguments of a search of the same position to another depth.
    #[inline]
    pub(crate) fn args(&self, depth: Depth) -> SearchArgs {
        SearchArgs { window: self.window, depth, is_cut_node: self.is_cut_node }
    }

    /// Returns a node of this position that excludes one move, for a singular search. The
    /// evaluations are kept; the table entry is not, as it is about that move.
    #[inline]
    pub(crate) fn excluding(&self, m: Move, args: SearchArgs) -> Node<'a> {
        Node {
            excluded: Some(m),
            tt_pv: self.tt_pv,
            raw_eval: self.raw_eval,
            correction: self.correction,
            static_eval: self.static_eval,
            eval: self.static_eval,
            is_improving: self.is_improving,
            ..Node::new(self.position, self.ply, args)
        }
    }

    /// Returns true if the node may be pruned before any of its moves is searched: not in check,
    /// where the static evaluation means little, not with a mate score as beta, and not in a
    /// singular search.
    #[inline]
    pub(crate) fn may_be_pruned(&self) -> bool {
        !self.in_check && self.excluded.is_none() && !self.window.beta.is_decided()
    }

    /// Returns true if the table's move is a capture or a promotion.
    #[inline]
    pub(crate) fn has_noisy_tt_move(&self) -> bool {
        self.tt_move.is_some_and(Move::is_noisy)
    }

    /// Returns true if the side to move has a single piece besides pawns: then zugzwang is likely
    /// enough to matter.
    #[inline]
    pub(crate) fn may_be_in_zugzwang(&self) -> bool {
        let position = self.position;
        let others = position.role(Role::Pawn) | position.role(Role::King);
        (position.color(position.turn()) & !others).count() == 1
    }
}
