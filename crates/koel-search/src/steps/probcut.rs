use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::features;
use crate::node::{Node, Task};
use crate::params::probcut;
use crate::picker::Picker;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::window::Window;

impl Search<'_> {
    /// A capture that is far above beta in a shallower search will be above it in a full one. It
    /// saves nodes that hang on one tactical shot, and fails where the shot has a deep hole.
    /// (ProbCut, Buro 1994; small ProbCut, Stockfish 2021.)
    pub(crate) fn probcut<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        self.small_probcut(node)?;
        let improving = i32::from(node.is_improving) * probcut::improving();
        let beta = node.window.beta + (probcut::margin() - improving);
        let is_known_to_fail =
            node.table_hit.is_some_and(|hit| hit.score < beta && hit.bound.is_upper());
        if !features::probcut()
            || node.depth < Depth(probcut::shallowest())
            || beta.is_decided()
            || is_known_to_fail
        {
            return Continue(());
        }
        let depth = node.depth - probcut::reduction();
        let window = Window { alpha: beta - 1, beta };
        let mut picker = Picker::of_noisy(node.table_move, beta - node.static_eval);
        while let Some(pick) = picker.next(node.position, &node.context, &self.worker.histories) {
            let score = self.descend(node, pick.m, |search, place| {
                let task = |depth| Task { window: -window, depth, is_cut: !node.is_cut };
                let score = -search.enter::<K::Scout>(place.node(task(Depth(0))));
                if score < beta || depth <= Depth(0) || search.is_stopped {
                    return score;
                }
                -search.enter::<K::Scout>(place.node(task(depth)))
            });
            self.leave_if_stopped()?;
            if score >= beta {
                node.dependence = self.dependence.reversed().of_bound(Bound::Lower);
                self.remember(node, depth + 1, score, Bound::Lower, Some(pick.m));
                return Break(if score.is_decided() {
                    score
                } else {
                    score - (beta - node.window.beta)
                });
            }
        }
        Continue(())
    }

    /// The word of the table is enough if it is nearly as deep.
    #[inline]
    fn small_probcut(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let beta = node.window.beta + probcut::small_margin();
        let proof = node.table_hit.filter(|hit| {
            features::small_probcut()
                && hit.bound.is_lower()
                && hit.depth >= node.depth - probcut::reduction()
                && hit.score >= beta
                && !hit.score.is_decided()
        });
        match proof {
            Some(hit) if self.believes(node, hit) => Break(beta),
            _ => Continue(()),
        }
    }
}
