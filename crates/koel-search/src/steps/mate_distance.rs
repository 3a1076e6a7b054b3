use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::score::Score;

impl Node<'_> {
    /// No line from here can be better than to mate with the next move, or worse than to be mated
    /// already: a shorter mate found elsewhere settles the node. (Mate distance pruning.)
    #[inline]
    pub(crate) fn clip_to_mate_distance(&mut self) -> ControlFlow<Score> {
        if !features::mate_distance() {
            return Continue(());
        }
        self.window.alpha = self.window.alpha.max(Score::mated_in(self.ply));
        self.window.beta = self.window.beta.min(Score::mate_in(self.ply + 1));
        if self.window.alpha >= self.window.beta {
            return Break(self.window.alpha);
        }
        Continue(())
    }
}
