use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::params::reverse_futility;
use crate::score::{Depth, Score};

impl Node<'_> {
    /// A position that looks far better than beta will still be so when the depth is used up. It
    /// saves most shallow nodes, and fails against a quiet threat, and in zugzwang. (Reverse
    /// futility pruning; once static null move pruning.)
    #[inline(always)]
    pub(crate) fn reverse_futility(&self) -> ControlFlow<Score> {
        if !features::reverse_futility()
            || self.was_pv
            || self.may_be_in_zugzwang()
            || self.depth > Depth(reverse_futility::deepest())
            || (self.table_move.is_some() && !self.has_noisy_table_move())
        {
            return Continue(());
        }
        let improving = i32::from(self.is_improving) * reverse_futility::improving();
        let doubt = self.correction.abs() * reverse_futility::correction() / 64;
        let margin = reverse_futility::margin() * self.depth.0 - improving + doubt;
        if self.eval - margin.max(0) >= self.window.beta && !self.eval.is_decided() {
            return Break(self.eval.midway(self.window.beta));
        }
        Continue(())
    }
}
