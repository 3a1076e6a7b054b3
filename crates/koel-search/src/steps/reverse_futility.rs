use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::params::reverse_futility;
use crate::score::{Depth, Score};

impl Node<'_> {
    /// Cuts a shallow node whose static evaluation is far above beta. It saves most shallow nodes,
    /// and fails against a quiet threat and in zugzwang. (Reverse futility pruning, formerly static
    /// null move pruning.)
    #[inline(always)]
    pub(crate) fn reverse_futility(&self) -> ControlFlow<Score> {
        if !features::reverse_futility()
            || self.tt_pv
            || self.may_be_in_zugzwang()
            || self.depth > Depth(reverse_futility::max_depth())
            || (self.tt_move.is_some() && !self.has_noisy_tt_move())
        {
            return Continue(());
        }
        let improving = i32::from(self.is_improving) * reverse_futility::improving();
        let correction = self.correction.abs() * reverse_futility::correction() / 64;
        let margin = reverse_futility::margin() * self.depth.0 - improving + correction;
        if self.eval - margin.max(0) >= self.window.beta && !self.eval.is_decided() {
            return Break(self.eval.midway(self.window.beta));
        }
        Continue(())
    }
}
