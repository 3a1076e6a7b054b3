//! Quiescence search, one page: captures until the position is quiet enough to be evaluated.

use std::ops::ControlFlow::{self, Continue};

use crate::move_loop::MoveLoop;
use crate::node::Node;
use crate::score::Score;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Searches a node with no depth left: captures and promotions, in check all evasions. Breaks
    /// with a score where a step ends the node early, and when the search is stopped. (Quiescence
    /// search.)
    pub(crate) fn quiesce<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> ControlFlow<Score, Score> {
        self.check_stop()?;
        self.upcoming_repetition(node)?;
        self.check_draw::<NT>(node)?;
        self.probe_tt::<NT>(node)?;
        self.static_eval(node);
        let mut move_loop = MoveLoop::new();
        self.stand_pat(node, &mut move_loop)?;
        let mut picker = self.quiescence_picker(node);
        while let Some(picked) = self.next_move(node, &mut picker) {
            if node.is_pruned_in_quiescence(&mut move_loop, &picked) {
                continue;
            }
            self.prefetch_next(node, &picker);
            let result = self.search_quiescence_move::<NT>(node, &picked)?;
            if self.update_best_move::<NT>(node, &mut move_loop, &picked, result).is_break() {
                break;
            }
        }
        Continue(self.finish_quiescence(node, &move_loop))
    }
}
