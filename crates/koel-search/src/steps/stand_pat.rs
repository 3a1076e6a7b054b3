use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::node::Node;
use crate::score::Score;
use crate::tally::Tally;

impl Node<'_> {
    /// Nobody has to capture: the position as it is counts as a move, but in check it cannot be
    /// kept. It fails in zugzwang and against threats. (Quiescence search: standing pat.)
    #[inline]
    pub(crate) fn stand_pat(&mut self, tally: &mut Tally) -> ControlFlow<Score> {
        if self.in_check {
            return Continue(());
        }
        if self.eval >= self.window.beta {
            return Break(self.eval);
        }
        tally.best = self.eval;
        if self.eval > self.window.alpha {
            self.window.alpha = self.eval;
            tally.bound = Bound::Exact;
        }
        Continue(())
    }
}
