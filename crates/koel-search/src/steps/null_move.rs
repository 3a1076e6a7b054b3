use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::Move;

use crate::features;
use crate::node::{Node, Task};
use crate::params::null_move;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};

impl Search<'_> {
    /// If even passing keeps beta in a shallower search, some move will. It saves whole subtrees
    /// of winning positions, and fails in zugzwang, hence the need for pieces and, at high depth, a
    /// second search without it. (Null move pruning; verified null move pruning.)
    pub(crate) fn null_move<K: Kind>(&mut self, node: &Node<'_>) -> ControlFlow<Score> {
        if !features::null_move() || !self.may_pass(node) {
            return Continue(());
        }
        let beta = node.window.beta;
        let above = ((node.eval - beta) / null_move::eval_divisor()).min(null_move::eval_most());
        let reduction = null_move::base() + node.depth.0 / null_move::depth_divisor() + above;
        let depth = node.depth - reduction;
        let task = Task { window: -node.window.below_beta(), depth, is_cut: false };
        let score = self.pass(node, |search, place| -search.enter::<K::Scout>(place.node(task)));
        self.leave_if_stopped()?;
        if score < beta {
            let threat = self.worker.stack[node.ply + 1].threat;
            self.worker.stack[node.ply].threat = threat;
            return Continue(());
        }
        // A mate after a pass proves nothing but that beta is reached.
        let score = if score.is_decided() { beta } else { score };
        let is_doubtful =
            node.depth >= Depth(null_move::verified_from()) || node.may_be_in_zugzwang();
        if !features::null_move_verification() || !is_doubtful {
            return Break(score);
        }
        self.verify::<K>(node, depth, score)
    }

    #[inline]
    fn may_pass(&self, node: &Node<'_>) -> bool {
        let slack = null_move::static_slope() * node.depth.0 - null_move::static_base();
        node.is_cut
            && node.depth >= Depth(null_move::shallowest())
            && node.eval >= node.window.beta
            && node.static_eval + slack >= node.window.beta
            && node.ply >= self.null_move_from
            && !self.worker.stack.before(node.ply, 1).played.is_none()
            && node.position.has_pieces(node.position.turn())
    }

    /// The same question without null moves for most of the remaining depth.
    fn verify<K: Kind>(
        &mut self,
        node: &Node<'_>,
        depth: Depth,
        score: Score,
    ) -> ControlFlow<Score> {
        let outer = self.null_move_from;
        self.null_move_from = node.ply + (3 * depth.0.max(0) / 4) as usize + 1;
        let task = Task { window: node.window.below_beta(), depth, is_cut: false };
        let verified = self.enter::<K::Scout>(node.again(task));
        self.null_move_from = outer;
        self.leave_if_stopped()?;
        if verified >= node.window.beta { Break(score) } else { Continue(()) }
    }

    /// Whether a move takes the piece away that the refutation of the null move wanted, or takes
    /// that which refuted. (Threat move.)
    #[inline]
    pub(crate) fn parries(&self, node: &Node<'_>, m: Move) -> bool {
        let threat = self.worker.stack[node.ply].threat;
        features::null_move_threat()
            && !threat.is_none()
            && (m.from() == threat.to() || m.to() == threat.from())
    }
}
