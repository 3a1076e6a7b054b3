use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::path::{NoProgress, PathPolicy};
use crate::score::Score;
use crate::search::Search;

impl Search<'_> {
    /// A side that can go back to an earlier position has a draw at least, so alpha need not be
    /// less. It saves the plies in which a cycle would be played out; exact, so it never fails.
    /// (Repetitions; van Kervinck's cuckoo tables.)
    #[inline(always)]
    pub(crate) fn upcoming_repetition(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let draw = self.draw_score(node.ply);
        if !features::upcoming_repetition()
            || node.window.alpha >= draw
            || !self.worker.timeline.may_return()
        {
            return Continue(());
        }
        self.raise_alpha_to_repetition(node, draw)
    }

    // Out of line: few nodes come so far, and the others should not save registers for it.
    #[inline(never)]
    fn raise_alpha_to_repetition(
        &mut self,
        node: &mut Node<'_>,
        draw: Score,
    ) -> ControlFlow<Score> {
        if self.rules.policy == PathPolicy::Muller {
            return Continue(());
        }
        let timeline = &mut self.worker.timeline;
        let Some(cycle) = timeline.upcoming_repetition(node.position, node.ply) else {
            return self.no_progress(node, draw);
        };
        node.floor_head = self.head(cycle.plies);
        self.raise_alpha(node, draw)
    }

    /// The side to move has everything where it was, and the other side needed several moves for
    /// what one could do: if it can do that it can do it for ever. An experiment: the bet is lost
    /// where having to move hurts. (van Kervinck 2013; Stockfish 2018 to 2024.)
    fn no_progress(&mut self, node: &mut Node<'_>, draw: Score) -> ControlFlow<Score> {
        if self.rules.no_progress == NoProgress::Off {
            return Continue(());
        }
        let Some(cycle) = self.worker.timeline.no_progress(node.position, node.ply) else {
            return Continue(());
        };
        if self.rules.no_progress == NoProgress::Tracked {
            node.floor_head = self.head(cycle.plies);
        }
        let end = self.raise_alpha(node, draw);
        let worker = &mut *self.worker;
        worker.path_counts.no_progress += 1;
        worker.path_counts.no_progress_cutoffs += u64::from(end.is_break());
        worker.sample.offer(node.position);
        end
    }

    fn raise_alpha(&self, node: &mut Node<'_>, draw: Score) -> ControlFlow<Score> {
        node.floor = draw;
        node.window.alpha = draw;
        if draw < node.window.beta {
            return Continue(());
        }
        node.dependence = node.dependence.with_lower(node.floor_head);
        Break(draw)
    }
}
