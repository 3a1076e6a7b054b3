use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::{Node, Task};
use crate::params::null_move;
use crate::score::{Depth, Score};
use crate::search::{Scout, Search};

impl Search<'_> {
    /// If even passing keeps beta in a shallower search, some move will. It saves whole subtrees
    /// of winning positions, and fails in zugzwang, hence the need for pieces. (Null move pruning.)
    pub(crate) fn null_move(&mut self, node: &Node<'_>) -> ControlFlow<Score> {
        let beta = node.window.beta;
        if node.depth < Depth(null_move::shallowest())
            || node.eval < beta
            || node.is_after_null
            || !node.position.has_pieces(node.position.turn())
        {
            return Continue(());
        }
        let above = ((node.eval - beta) / null_move::eval_divisor()).min(null_move::eval_most());
        let reduction = null_move::base() + node.depth.0 / null_move::depth_divisor() + above;
        let task = Task {
            window: -node.window.below_beta(),
            depth: node.depth - reduction,
            is_cut: !node.is_cut,
        };
        let mut position = node.position.clone();
        position.play_null();
        self.worker.timeline.push_null(&position);
        let mut child = Node::new(&position, node.evaluator, node.ply + 1, task);
        child.is_after_null = true;
        let score = -self.enter::<Scout>(child);
        self.worker.timeline.pop();
        self.leave_if_stopped()?;
        if score < beta {
            return Continue(());
        }
        // A mate after a pass proves nothing but that beta is reached.
        Break(if score.is_mate() { beta } else { score })
    }
}
