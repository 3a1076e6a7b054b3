use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::node::Node;
use crate::picker::Pick;
use crate::score::Score;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Notes what a move has brought; breaks if it refutes the node.
    #[inline]
    pub(crate) fn record<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
        tally: &mut Tally,
        pick: &Pick,
        score: Score,
    ) -> ControlFlow<()> {
        tally.tried += usize::from(!K::CROWDED || !pick.is_put_off());
        tally.best = tally.best.max(score);
        let dependence = self.dependence.reversed();
        tally.dependence = tally.dependence.and_move(dependence);
        if score <= node.window.alpha {
            tally.note_failed(pick.m);
            return Continue(());
        }
        tally.best_move = Some(pick.m);
        tally.dependence = tally.dependence.with_lower(dependence.lower());
        tally.bound = if score >= node.window.beta { Bound::Lower } else { Bound::Exact };
        if K::PV {
            self.worker.stack.set_line(node.ply, pick.m);
        }
        if K::ROOT {
            self.root.raise(pick.m, score, tally.bound, &self.worker.stack[0].line);
        }
        if tally.bound == Bound::Lower {
            self.worker.stack[node.ply].cutoffs += 1;
            return Break(());
        }
        node.window.alpha = score;
        Continue(())
    }
}
