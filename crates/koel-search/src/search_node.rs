//! The search of a node, one page: the steps in the order in which they may end it.

use std::ops::ControlFlow::{self, Continue};

use crate::move_loop::MoveLoop;
use crate::node::Node;
use crate::score::Score;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Searches a node with depth left (alpha-beta in negamax form). Breaks with a score where a
    /// step ends the node early, and when the search is stopped.
    pub(crate) fn search_node<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> ControlFlow<Score, Score> {
        self.check_stop()?;
        if !NT::ROOT && node.excluded.is_none() {
            self.upcoming_repetition(node)?;
            self.check_draw::<NT>(node)?;
            node.mate_distance_pruning()?;
        }
        self.probe_tt::<NT>(node)?;
        self.probe_tablebases::<NT>(node)?;
        classic!(self.mate_in_one::<NT>(node)?);
        self.static_eval(node);
        self.adjust_depth_in_hindsight::<NT>(node);
        if !NT::PV && node.may_be_pruned() {
            classic!(self.razoring(node)?);
            node.reverse_futility()?;
            self.null_move_pruning(node)?;
            self.probcut(node)?;
        }
        classic!(self.internal_iterative_deepening::<NT>(node)?);
        node.internal_iterative_reduction::<NT>();
        let mut picker = self.move_picker::<NT>(node);
        let mut move_loop = MoveLoop::new();
        while let Some(picked) =
            self.next_move(node, &mut picker).or_else(|| move_loop.deferred.take())
        {
            if self.is_pruned::<NT>(node, &mut move_loop, &mut picker, &picked)
                || self.is_deferred::<NT>(node, &mut move_loop, &picked)
            {
                continue;
            }
            self.prefetch_next(node, &picker);
            let extension = self.extend::<NT>(node, &picked)?;
            let result = self.search_move::<NT>(node, &move_loop, &picked, extension)?;
            if self.update_best_move::<NT>(node, &mut move_loop, &picked, result).is_break() {
                break;
            }
        }
        Continue(self.finish_node::<NT>(node, &move_loop))
    }
}
