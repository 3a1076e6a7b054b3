use std::ops::ControlFlow::{self, Continue};

use crate::node::{Node, Task};
use crate::picker::Pick;
use crate::score::{Depth, Score};
use crate::search::{Kind, Principal, Scout, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Plays a move and searches what follows: the first move in full, the others first with the
    /// question whether they are better at all. (Principal variation search, PVS.)
    pub(crate) fn search_move<K: Kind>(
        &mut self,
        node: &Node<'_>,
        tally: &Tally,
        pick: &Pick,
    ) -> ControlFlow<Score, Score> {
        // Built in place: a child returned by value would be copied twice.
        let mut position = node.position.clone();
        let mut evaluator = node.evaluator;
        position.play_observed(pick.m, &mut evaluator);
        self.shared.table.prefetch(position.key().0);
        self.worker.timeline.push(&position);

        let child = |task| Node::new(&position, evaluator, node.ply + 1, task);
        let depth = node.depth - 1;
        let alpha = node.window.alpha;
        let mut is_open = K::PV && tally.tried == 0;
        let mut score = Score::DRAW;
        if !is_open {
            let window = -node.window.above_alpha();
            let reduction = self.late_move_reduction::<K>(node, tally, pick, position.is_check());
            let is_cut = reduction > 0 || !node.is_cut;
            let task = Task { window, depth: depth - reduction, is_cut };
            score = -self.enter::<Scout>(child(task));
            if reduction > 0 && score > alpha && !self.is_stopped {
                let task = Task { window, depth, is_cut: !node.is_cut };
                score = -self.enter::<Scout>(child(task));
            }
            is_open = K::PV && score > alpha;
        }
        if is_open && !self.is_stopped {
            let task = Task { window: -node.window, depth, is_cut: false };
            score = -self.enter::<Principal>(child(task));
        }

        self.worker.timeline.pop();
        self.leave_if_stopped()?;
        Continue(score)
    }

    /// Plays a move of quiescence and searches what follows.
    pub(crate) fn search_capture<K: Kind>(
        &mut self,
        node: &Node<'_>,
        pick: &Pick,
    ) -> ControlFlow<Score, Score> {
        let mut position = node.position.clone();
        let mut evaluator = node.evaluator;
        position.play_observed(pick.m, &mut evaluator);
        self.shared.table.prefetch(position.key().0);
        self.worker.timeline.push(&position);
        let task = Task { window: -node.window, depth: Depth(0), is_cut: !node.is_cut };
        let score = -self.enter::<K>(Node::new(&position, evaluator, node.ply + 1, task));
        self.worker.timeline.pop();
        self.leave_if_stopped()?;
        Continue(score)
    }
}
