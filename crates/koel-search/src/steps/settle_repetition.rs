use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::{Node, SearchArgs};
use crate::params::path;
use crate::path::Dependence;
use crate::score::Score;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Searches a repeated position, which occurred `plies` earlier in the line, as any other. If
    /// the result depends on yet another occurrence, it is searched again with a draw for that one:
    /// if both sides still want to repeat, it is a draw on every path; otherwise one side deviates
    /// and the score is known. (H. G. Muller, 2007.)
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
        let args =
            SearchArgs { window: node.window, depth: node.depth, is_cut_node: node.is_cut_node };
        let is_deep = node.ply > path::max_second_search_ply() as usize;
        let (score, repeats) = self.search_assuming::<NT>(node, args, is_deep);
        if is_deep || !repeats || self.is_stopped {
            return Break(score);
        }
        let (score, repeats) = self.search_assuming::<NT>(node, args, true);
        let is_draw = repeats && (score - self.stalemate_score(node.ply)).abs() <= 1;
        let counts = &mut self.worker.path_counts;
        counts.searched_again += 1;
        if !self.is_stopped {
            counts.confirmed += u64::from(is_draw);
            counts.refuted += u64::from(!is_draw);
        }
        Break(score)
    }

    /// Searches the node with an assumption about its next occurrence. Returns the score, and
    /// whether it depends on that occurrence.
    fn search_assuming<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        args: SearchArgs,
        is_draw: bool,
    ) -> (Score, bool) {
        if NT::PV {
            self.worker.stack[node.ply].pv.clear();
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

    /// Returns the score of a third occurrence: a draw if that is assumed, in check, or if the first
    /// occurrence is at the root or earlier; otherwise the static evaluation, with a dependence
    /// that causes a second search of the second occurrence.
    fn third_occurrence(&mut self, node: &mut Node<'_>, plies: usize) -> Score {
        node.dependence = Dependence::on(self.head(plies));
        self.worker.path_counts.third_occurrences += 1;
        let assumed = self.worker.stack[node.ply - plies].assumed_draw;
        if assumed == Some(false) && !node.in_check {
            return self.evaluate(node);
        }
        self.draw_score(node.ply)
    }
}
