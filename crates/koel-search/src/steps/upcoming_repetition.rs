use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::score::Score;
use crate::search::Search;

impl Search<'_> {
    /// A side that can go back to an earlier position has a draw at least, so alpha need not be
    /// less. It saves the plies in which a cycle would be played out; exact, so it never fails.
    /// (Repetitions; van Kervinck's cuckoo tables.)
    #[inline(always)]
    pub(crate) fn upcoming_repetition(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let draw = self.draw_score();
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
        if self.worker.timeline.upcoming_repetition(node.position, node.ply).is_none() {
            return Continue(());
        }
        node.floor = draw;
        node.window.alpha = draw;
        if draw >= node.window.beta { Break(draw) } else { Continue(()) }
    }
}
