//! The node limit of a search, kept by all its workers together.

#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The nodes that the workers of a search may still visit, all together.
///
/// A worker draws a grant of nodes before it visits them, so that the sum never exceeds the limit,
/// whatever the number of workers. Grants become smaller towards the end: what a worker has drawn
/// and not used when the main worker finds nothing left is lost.
///
/// Alone on its cache lines: what other threads read at every node lies beside it in
/// [`Shared`](crate::Shared), and a draw would take that away from them.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct NodeBudget {
    /// The nodes left for all workers, or [`UNLIMITED`].
    left: AtomicU64,
    /// The nodes left for the main worker alone, whose result must not depend on how early the
    /// helpers begin.
    reserved: AtomicU64,
}

const UNLIMITED: u64 = u64::MAX;

/// The index of the main worker.
const MAIN_WORKER: usize = 0;

impl Default for NodeBudget {
    fn default() -> NodeBudget {
        NodeBudget { left: AtomicU64::new(UNLIMITED), reserved: AtomicU64::new(0) }
    }
}

impl NodeBudget {
    /// Lifts the limit.
    pub(crate) fn lift(&self) {
        self.left.store(UNLIMITED, Relaxed);
        self.reserved.store(0, Relaxed);
    }

    /// Sets the limit for this number of workers. An equal share is reserved for the main worker.
    pub(crate) fn limit(&self, nodes: u64, workers: usize) {
        let share = nodes / workers.max(1) as u64;
        self.reserved.store(share, Relaxed);
        self.left.store((nodes - share).min(UNLIMITED - 1), Relaxed);
    }

    /// Draws a grant of at most `max` nodes, one of `workers` in all. None is left if it is 0.
    pub(crate) fn draw(&self, worker: usize, workers: usize, max: u64) -> u64 {
        if worker == MAIN_WORKER {
            // No other worker touches the reserve.
            let reserved = self.reserved.load(Relaxed);
            if reserved > 0 {
                let grant = reserved.min(max);
                self.reserved.store(reserved - grant, Relaxed);
                return grant;
            }
        }
        let grant = |left: u64| (left / (2 * workers.max(1) as u64)).clamp(1, max).min(left);
        let drawn = self
            .left
            .fetch_update(Relaxed, Relaxed, |left| (left != UNLIMITED).then(|| left - grant(left)));
        drawn.map_or(max, grant)
    }
}

#[cfg(not(loom))]
#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn an_unlimited_budget_grants_all_that_is_asked_for() {
        let budget = NodeBudget::default();
        budget.limit(5, 1);
        budget.lift();
        assert_eq!([0, 1, 7].map(|worker| budget.draw(worker, 8, 1024)), [1024; 3]);
    }

    #[test]
    fn a_single_worker_draws_as_much_as_it_can_each_time() {
        let budget = NodeBudget::default();
        budget.limit(2_500, 1);
        assert_eq!([(); 4].map(|()| budget.draw(0, 1, 1024)), [1024, 1024, 452, 0]);
    }

    #[test]
    fn all_workers_together_draw_exactly_the_limit() {
        for (nodes, workers) in [(0, 2), (1, 2), (7, 3), (1_000, 64), (100_000, 4)] {
            let budget = NodeBudget::default();
            budget.limit(nodes, workers);
            let draw_all = |worker| {
                let grants = std::iter::repeat_with(|| budget.draw(worker, workers, 100));
                grants.take_while(|&grant| grant > 0).sum::<u64>()
            };
            let drawn: Vec<u64> = thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..workers).map(|worker| scope.spawn(move || draw_all(worker))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(drawn.iter().sum::<u64>(), nodes, "{workers} workers");
            assert!(drawn[MAIN_WORKER] >= nodes / workers as u64, "{drawn:?}");
        }
    }
}

/// Models: all interleavings of two workers.
/// `RUSTFLAGS="--cfg loom" cargo test -p koel-search --release --lib node_budget`
#[cfg(loom)]
#[cfg(test)]
mod models {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    #[test]
    fn two_workers_draw_exactly_the_limit() {
        for nodes in 0..=5 {
            loom::model(move || {
                let budget = Arc::new(NodeBudget::default());
                budget.limit(nodes, 2);
                let draw_all = |budget: &NodeBudget, worker| {
                    let grants = std::iter::repeat_with(|| budget.draw(worker, 2, 2));
                    grants.take_while(|&grant| grant > 0).sum::<u64>()
                };
                let helper = {
                    let budget = Arc::clone(&budget);
                    thread::spawn(move || draw_all(&budget, 1))
                };
                let drawn = draw_all(&budget, MAIN_WORKER);
                assert!(drawn >= nodes / 2);
                assert_eq!(drawn + helper.join().unwrap(), nodes);
            });
        }
    }
}
