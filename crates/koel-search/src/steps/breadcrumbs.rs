use koel_tt::{BusyMark, BusyMode};

use crate::node::Node;
use crate::search::{NodeType, Search};
use crate::shared::Shared;
use crate::steps::abdada::busy_depth;

impl<'a> Search<'a> {
    /// Marks the node as being searched by this thread, until the returned mark is dropped, and
    /// checks for the mark of another thread. If there is one, late moves are reduced more, so that
    /// the two threads search different trees. It fails if both needed the full depth.
    /// (Breadcrumbs, Stockfish 2019.)
    #[inline]
    pub(crate) fn leave_breadcrumb<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> Option<BusyMark<'a>> {
        if !NT::SMP || node.depth < self.breadcrumbs_min_depth || node.excluded.is_some() {
            return None;
        }
        Some(self.place_breadcrumb(node))
    }

    #[inline(never)]
    fn place_breadcrumb(&mut self, node: &mut Node<'_>) -> BusyMark<'a> {
        let shared: &Shared = self.shared;
        let (key, depth, thread) =
            (node.position.key().0, busy_depth(node.depth), self.worker.index);
        let is_duplicate = shared.busy.is_busy(BusyMode::Breadcrumbs, key, depth, thread);
        self.worker.smp_counts.entered += 1;
        self.worker.smp_counts.duplicate += u64::from(is_duplicate);
        node.is_duplicate = is_duplicate && shared.reduces_duplicates();
        shared.busy.mark(BusyMode::Breadcrumbs, key, depth, thread)
    }
}
