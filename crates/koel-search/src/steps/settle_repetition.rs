use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::{Node, Task};
use crate::params::path;
use crate::path::Dependence;
use crate::score::Score;
use crate::search::{Kind, Search};

impl Search<'_> {
    /// A position that was in the line before, so many plies ago, is searched like any other. If
    /// the result rests on yet another occurrence, it is searched again, with a draw for that one:
    /// if both sides still want to repeat, it is a draw on every path; if one breaks out, its price
    /// is known. (H. G. Muller, 2007.)
    pub(crate) fn settle_repetition<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
        plies: usize,
    ) -> ControlFlow<Score> {
        if self.worker.stack[node.ply].assumed_draw.is_some() {
            return Continue(());
        }
        if self.worker.timeline.history().occurrences() >= 3 {
            return Break(self.third_occurrence(node, plies));
        }
        let task = Task { window: node.window, depth: node.depth, is_cut: node.is_cut };
        let is_deep = node.ply > path::deepest_second_search() as usize;
        let (score, rests) = self.search_assuming::<K>(node, task, is_deep);
        if is_deep || !rests || self.is_stopped {
            return Break(score);
        }
        let (score, rests) = self.search_assuming::<K>(node, task, true);
        let is_draw = rests && (score - self.stalemate_score(node.ply)).abs() <= 1;
        let counts = &mut self.worker.path_counts;
        counts.searched_again += 1;
        if !self.is_stopped {
            counts.confirmed += u64::from(is_draw);
            counts.refuted += u64::from(!is_draw);
        }
        Break(score)
    }

    /// The score, and whether it rests on another occurrence of the position.
    fn search_assuming<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
        task: Task,
        is_draw: bool,
    ) -> (Score, bool) {
        if K::PV {
            self.worker.stack[node.ply].line.clear();
        }
        self.worker.stack[node.ply].assumed_draw = Some(is_draw);
        let mut again = node.again(task);
        let score = self.search::<K>(&mut again);
        self.worker.stack[node.ply].assumed_draw = None;
        let here = self.head(0);
        let rests = again.dependence.lower() == here || again.dependence.upper() == here;
        node.dependence = again.dependence;
        (score, rests)
    }

    /// What a third occurrence is worth: a draw where that is the question, or by the rules; else
    /// what it looks like, which says that the second occurrence has to be searched again.
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
