use std::ops::ControlFlow;

use crate::score::Score;
use crate::search::Search;
use crate::supervisor::Progress;

/// Nodes between two calls of the supervisor: about half a millisecond.
const CHECK_INTERVAL: u64 = 1024;

impl Search<'_> {
    /// Counts the node, or breaks if the search is to stop before it.
    #[inline]
    pub(crate) fn check_stop(&mut self) -> ControlFlow<Score> {
        if self.nodes >= self.next_check {
            self.call_supervisor();
            self.leave_if_stopped()?;
        }
        self.nodes += 1;
        ControlFlow::Continue(())
    }

    #[cold]
    fn call_supervisor(&mut self) {
        self.shared.publish_nodes(self.worker.index, self.nodes);
        let progress = Progress { nodes: self.nodes, completed: self.completed };
        let granted = self.shared.draw_nodes(self.worker.index, CHECK_INTERVAL);
        self.is_stopped =
            granted == 0 || self.shared.is_stopped() || self.supervisor.must_stop(&progress);
        self.next_check = self.nodes + granted;
    }
}
