use super::prelude::*;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn nodes_are_counted_until_the_search_is_stopped() {
        in_a_node(START_FEN, cut_node(3, 0), |search, _| {
            assert!((0..10).all(|_| search.check_stop().is_continue()));
            assert_eq!(search.nodes, 10);
            search.shared.stop();
            // The flag is read at the next call of the supervisor.
            let nodes = (0..).take_while(|_| search.check_stop().is_continue()).count() as u64;
            assert!(search.is_stopped && nodes < CHECK_INTERVAL, "{nodes}");
            assert_eq!(search.nodes, 10 + nodes);
        });
    }
}
