use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::node::Node;
use crate::score::{Depth, Score};
use crate::search::Search;
use crate::tally::Tally;

impl Search<'_> {
    /// Nobody has to capture: the position as it is counts as a move, but in check it cannot be
    /// kept. It fails in zugzwang and against threats. (Quiescence search: standing pat.)
    #[inline]
    pub(crate) fn stand_pat(
        &mut self,
        node: &mut Node<'_>,
        tally: &mut Tally,
    ) -> ControlFlow<Score> {
        if node.in_check {
            return Continue(());
        }
        if node.eval >= node.window.beta {
            if node.table_hit.is_none() {
                self.remember(node, Depth(0), node.eval, Bound::Lower, None);
            }
            return Break(node.or_floor(node.eval));
        }
        tally.best = node.eval;
        if node.eval > node.window.alpha {
            node.window.alpha = node.eval;
            tally.bound = Bound::Exact;
        }
        Continue(())
    }
}
