use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::Node;
use crate::params::reverse_futility;
use crate::score::{Depth, Score};

impl Node<'_> {
    /// A position that looks far better than beta will still be so when the depth is used up. It
    /// saves most shallow nodes, and fails against a quiet threat. (Reverse futility pruning.)
    #[inline]
    pub(crate) fn reverse_futility(&self) -> ControlFlow<Score> {
        let improving = i32::from(self.is_improving) * reverse_futility::improving();
        let margin = reverse_futility::margin() * self.depth.0 - improving;
        if self.depth <= Depth(reverse_futility::deepest())
            && self.eval - margin >= self.window.beta
            && !self.eval.is_mate()
        {
            return Break(self.eval.midway(self.window.beta));
        }
        Continue(())
    }
}
