use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::move_loop::MoveLoop;
use crate::node::Node;
use crate::score::{Depth, Score};
use crate::search::Search;

impl Search<'_> {
    /// Takes the static evaluation as a lower bound, as no capture is forced; except in check. It
    /// fails in zugzwang and against threats. (Quiescence search: standing pat.)
    #[inline]
    pub(crate) fn stand_pat(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
    ) -> ControlFlow<Score> {
        if node.in_check {
            return Continue(());
        }
        if node.eval >= node.window.beta {
            if node.tt_hit.is_none() {
                self.store_tt(node, Depth(0), node.eval, Bound::Lower, None);
            }
            return Break(node.raise_to_floor(node.quiescence_softening(node.eval)));
        }
        move_loop.best_score = node.eval;
        if node.eval > node.window.alpha {
            node.window.alpha = node.eval;
            move_loop.bound = Bound::Exact;
        }
        Continue(())
    }
}
