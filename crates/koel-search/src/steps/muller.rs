//! H. G. Muller's proposal of 2007: the first repetition is no draw, and a second search confirms a
//! draw by the third occurrence.

use super::prelude::*;
use crate::path::{PathDependence, PathPolicy};

declare! {
    path {
        /// The greatest ply at which a repetition may be settled by a second search.
        max_second_search_ply = 60 in 0..=240;
    }
}

impl Search<'_> {
    /// Searches a repeated position, which occurred `plies` earlier in the line, as any other. If
    /// the result depends on yet another occurrence, it is searched again with a draw for that one:
    /// if both sides still want to repeat, it is a draw on every path; otherwise one side deviates
    /// and the score is known.
    pub(crate) fn settle_repetition<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        plies: usize,
    ) -> ControlFlow<Score> {
        if self.worker.stack[node.ply].assumed_draw.is_some() {
            return Continue(());
        }
        if self.worker.repetitions.keys().occurrences() >= 3 {
            return Break(self.third_occurrence(node, plies));
        }
        let args = node.args(node.depth);
        let is_deep = node.ply > path::max_second_search_ply() as usize;
        let (score, repeats) = self.search_assuming::<NT>(node, args, is_deep);
        if is_deep || !repeats || self.is_stopped {
            return Break(score);
        }
        self.worker.path_counts.searched_again += 1;
        Break(self.search_assuming::<NT>(node, args, true).0)
    }

    /// Returns true if the node is a second occurrence whose next one has an assumed score: entries
    /// of the table are without the assumption, and a score with it is no path's but this one's.
    #[inline]
    pub(super) fn is_settled_here(&self, node: &Node<'_>) -> bool {
        self.rules.policy == PathPolicy::Muller
            && self.worker.stack[node.ply].assumed_draw.is_some()
    }

    /// Searches the node with an assumption about its next occurrence. Returns the score, and true
    /// if it depends on that occurrence.
    fn search_assuming<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        args: SearchArgs,
        is_draw: bool,
    ) -> (Score, bool) {
        if NT::PV {
            self.worker.stack.pv(node.ply).clear();
        }
        self.worker.stack[node.ply].assumed_draw = Some(is_draw);
        let mut again = Node::new(node.position, node.ply, args);
        let score = self.search_or_quiesce::<NT>(&mut again);
        self.worker.stack[node.ply].assumed_draw = None;
        let here = self.head(0);
        let repeats = again.dependence.lower() == here || again.dependence.upper() == here;
        node.dependence = again.dependence;
        (score, repeats)
    }

    /// Returns the score of a third occurrence: a draw if that is assumed, in check, or if the
    /// first occurrence is at the root or earlier; otherwise the static evaluation, with a
    /// dependence that causes a second search of the second occurrence.
    fn third_occurrence(&mut self, node: &mut Node<'_>, plies: usize) -> Score {
        node.dependence = PathDependence::on(self.head(plies));
        self.worker.path_counts.third_occurrences += 1;
        let assumed = self.worker.stack[node.ply - plies].assumed_draw;
        if assumed == Some(false) && !node.in_check {
            return self.evaluate(node);
        }
        self.draw_score(node.ply)
    }
}
