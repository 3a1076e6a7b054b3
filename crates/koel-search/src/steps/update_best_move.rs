use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::move_loop::MoveLoop;
use crate::move_picker::PickedMove;
use crate::node::Node;
use crate::path::PathScore;
use crate::score::Depth;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Updates best score, best move and alpha with the result of a move; breaks on a beta cutoff.
    #[inline]
    pub(crate) fn update_best_move<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
        PathScore { score, dependence }: PathScore,
    ) -> ControlFlow<()> {
        move_loop.move_count += 1;
        move_loop.best_score = move_loop.best_score.max(score);
        move_loop.dependence = move_loop.dependence.with_move(dependence);
        if score <= node.window.alpha {
            move_loop.add_failed(picked.m);
            return Continue(());
        }
        move_loop.best_move = Some(picked.m);
        move_loop.dependence = move_loop.dependence.with_lower(dependence.lower());
        move_loop.bound = if score >= node.window.beta { Bound::Lower } else { Bound::Exact };
        if NT::PV {
            self.worker.stack.update_pv(node.ply, picked.m);
        }
        if NT::ROOT {
            self.root_moves.set_best(picked.m, score, move_loop.bound, &self.worker.stack[0].pv);
        }
        if move_loop.bound == Bound::Lower {
            // Nearly every quiescence node is cut off: that says nothing about the moves before.
            self.worker.stack[node.ply].cutoff_count += u32::from(node.depth > Depth(0));
            return Break(());
        }
        node.window.alpha = score;
        Continue(())
    }
}
