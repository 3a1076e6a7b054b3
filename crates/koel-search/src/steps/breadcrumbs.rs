use koel_tt::{BusyMark, BusyMode};

use crate::node::Node;
use crate::search::{Kind, Search};
use crate::shared::Shared;
use crate::smp::SmpMode;
use crate::steps::defer::marked;

impl<'a> Search<'a> {
    /// Lets the others see that this thread is in the node, as long as the result is kept, and
    /// looks whether one of them is: then late moves are reduced more, so that the two see the node
    /// from different distances. It fails if the nearer look was needed twice. (Breadcrumbs,
    /// Stockfish 2019.)
    #[inline]
    pub(crate) fn leave_breadcrumb<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
    ) -> Option<BusyMark<'a>> {
        if !K::CROWDED || node.depth < self.breadcrumbs_from || node.excluded.is_some() {
            return None;
        }
        Some(self.look_around(node))
    }

    #[inline(never)]
    fn look_around(&mut self, node: &mut Node<'_>) -> BusyMark<'a> {
        let shared: &Shared = self.shared;
        let (key, depth, thread) = (node.position.key().0, marked(node.depth), self.worker.index);
        let is_duplicate = shared.busy.is_busy(BusyMode::Breadcrumbs, key, depth, thread);
        self.worker.smp_counts.entered += 1;
        self.worker.smp_counts.duplicate += u64::from(is_duplicate);
        node.is_duplicate = is_duplicate && shared.smp_mode() == SmpMode::Breadcrumbs;
        shared.busy.mark(BusyMode::Breadcrumbs, key, depth, thread)
    }
}
