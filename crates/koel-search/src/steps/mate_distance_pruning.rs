use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::score::Score;

impl Node<'_> {
    /// Narrows the window to the scores from "mated here" to "mates with the next move", and cuts
    /// the node if nothing is left of it: a shorter mate has been found elsewhere. (Mate distance
    /// pruning.)
    #[inline]
    pub(crate) fn mate_distance_pruning(&mut self) -> ControlFlow<Score> {
        if !features::mate_distance_pruning() {
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
