use std::ops::ControlFlow::{self, Continue};

use crate::features;
use crate::node::{Node, Place, Task};
use crate::params::{history, late_move_reduction};
use crate::picker::Pick;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Plays a move and searches what follows: the first move in full, the others first with the
    /// question whether they are better at all. (Principal variation search, PVS.)
    pub(crate) fn search_move<K: Kind>(
        &mut self,
        node: &Node<'_>,
        tally: &Tally,
        pick: &Pick,
        extension: i32,
    ) -> ControlFlow<Score, Score> {
        let nodes_before = self.nodes;
        let doubles = self.worker.stack.before(node.ply, 1).double_extensions;
        self.worker.stack[node.ply].double_extensions = doubles + i32::from(extension > 1);
        let score = self.descend(node, pick.m, |search, place| {
            let _mark = search.mark_move::<K>(node, tally, place);
            let depth = node.depth - 1 + extension;
            let alpha = node.window.alpha;
            if K::PV && tally.tried == 0 {
                return search.in_full::<K>(node, place, depth);
            }
            let score = search.beside::<K>(node, tally, pick, place, depth);
            if K::PV && score > alpha && !search.is_stopped {
                return search.in_full::<K>(node, place, depth);
            }
            score
        });
        self.leave_if_stopped()?;
        if K::ROOT {
            self.root.note_nodes(pick.m, self.nodes - nodes_before);
        }
        Continue(score)
    }

    /// With the whole window.
    fn in_full<K: Kind>(&mut self, node: &Node<'_>, place: &Place<'_>, depth: Depth) -> Score {
        let task = Task { window: -node.window, depth, is_cut: false };
        -self.enter::<K::Principal>(place.node(task))
    }

    /// Whether it is better than alpha: first reduced, and if so once more without reduction, a
    /// little deeper or shallower as the first result was.
    fn beside<K: Kind>(
        &mut self,
        node: &Node<'_>,
        tally: &Tally,
        pick: &Pick,
        place: &Place<'_>,
        mut depth: Depth,
    ) -> Score {
        let window = -node.window.above_alpha();
        let reduction = self.late_move_reduction::<K>(node, tally, pick, place.position.is_check());
        // At least one ply is left, or quiescence would judge a quiet move.
        let reduced = Depth((depth.0 - reduction / 1024).min(depth.0).max(1));
        if reduced < depth {
            self.worker.stack[node.ply].reduction = 1024 * (depth.0 - reduced.0);
            let task = Task { window, depth: reduced, is_cut: true };
            let score = -self.enter::<K::Scout>(place.node(task));
            self.worker.stack[node.ply].reduction = 0;
            if score <= node.window.alpha || self.is_stopped {
                return score;
            }
            if features::deeper_or_shallower() {
                let gain = score - tally.best;
                depth = depth + i32::from(gain > late_move_reduction::deeper());
                depth = depth - i32::from(gain < late_move_reduction::shallower());
            }
            if depth <= reduced {
                return score;
            }
        }
        let task = Task { window, depth, is_cut: !node.is_cut };
        let score = -self.enter::<K::Scout>(place.node(task));
        if reduced < depth && pick.is_quiet() && !self.is_stopped {
            let sign = if score > node.window.alpha { 1 } else { -1 };
            let bonus = sign * history::second_search() * depth.0.min(16);
            let m = self.worker.stack[node.ply].piece_to;
            self.worker.histories.reward_continuation(&node.context, m, bonus);
        }
        score
    }

    /// Plays a move of quiescence and searches what follows.
    pub(crate) fn search_capture<K: Kind>(
        &mut self,
        node: &Node<'_>,
        pick: &Pick,
    ) -> ControlFlow<Score, Score> {
        let task = Task { window: -node.window, depth: Depth(0), is_cut: !node.is_cut };
        let score =
            self.descend(node, pick.m, |search, place| -search.enter::<K>(place.node(task)));
        self.leave_if_stopped()?;
        Continue(score)
    }
}
