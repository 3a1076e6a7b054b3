//! The decision when a search ends by its time, which is real time or counted in nodes.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use koel_search::Report;

use crate::control::Control;
use crate::time::clock::TimeBudget;
use crate::time::factors::TimeFactors;

/// The limits of a search's time.
#[derive(Clone)]
pub(crate) struct TimeLimits {
    pub(crate) budget: TimeBudget,
    /// The measure of time: real time or nodes.
    pub(crate) timer: Timer,
    /// Tells whether the opponent's clock is running, so that our time does not count yet.
    pub(crate) control: Arc<Control>,
    /// True if there is one legal move: the soft limit is then over after the first iteration.
    pub(crate) has_single_move: bool,
}

pub(crate) struct TimeManager {
    limits: TimeLimits,
    /// The start of our clock: that of the search, or `ponderhit`.
    clock_start: Moment,
    search_start: Moment,
    was_pondering: bool,
    /// True if pondering has lasted longer than the soft limit.
    is_soft_limit_over: bool,
    factors: TimeFactors,
}

impl TimeManager {
    pub(crate) fn new(limits: TimeLimits, start: Instant) -> TimeManager {
        let start = Moment { time: start, nodes: 0 };
        TimeManager {
            was_pondering: limits.control.is_pondering(),
            limits,
            clock_start: start,
            search_start: start,
            is_soft_limit_over: false,
            factors: TimeFactors::default(),
        }
    }

    /// Returns true if time is counted in nodes, of all threads together.
    pub(crate) fn counts_nodes(&self) -> bool {
        self.limits.timer.counts_nodes()
    }

    /// Returns true if the search is to be interrupted, after this many nodes.
    pub(crate) fn must_stop(&mut self, nodes: u64) -> bool {
        if !self.is_clock_running(nodes) {
            return false;
        }
        let elapsed = self.limits.timer.elapsed_since(self.clock_start, nodes);
        let is_hard_limit_reached = self.limits.budget.hard.is_some_and(|hard| elapsed >= hard);
        is_hard_limit_reached || self.is_soft_limit_over
    }

    /// Returns true if no iteration may begin after the one that this report of its best line ends.
    pub(crate) fn ends_after(&mut self, report: &Report<'_>, nodes: u64) -> bool {
        self.factors.update(report);
        let is_soft_limit_reached = self.is_soft_limit_reached(nodes);
        if is_soft_limit_reached && self.is_clock_running(nodes) {
            return true;
        }
        self.is_soft_limit_over = is_soft_limit_reached;
        false
    }

    /// Returns true if our clock is running; a `ponderhit` starts it.
    fn is_clock_running(&mut self, nodes: u64) -> bool {
        if self.was_pondering && !self.limits.control.is_pondering() {
            self.was_pondering = false;
            self.clock_start = Moment { time: Instant::now(), nodes };
        }
        !self.was_pondering
    }

    /// Returns true if the search, pondering included, has used its soft limit.
    fn is_soft_limit_reached(&self, nodes: u64) -> bool {
        let Some(soft) = self.limits.budget.soft else { return false };
        let elapsed = self.limits.timer.elapsed_since(self.search_start, nodes);
        self.limits.has_single_move || elapsed >= soft.mul_f64(self.factors.factor())
    }
}

/// A moment of a search, after this many nodes.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: Instant,
    nodes: u64,
}

/// A timer that measures real time or nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    /// Nodes counted as one millisecond (`nodestime`), for machines whose speed varies. `None` is
    /// real time.
    pub(crate) nodes_per_millisecond: Option<NonZeroU64>,
}

impl Timer {
    /// Returns true if nodes are counted for time.
    pub(crate) fn counts_nodes(self) -> bool {
        self.nodes_per_millisecond.is_some()
    }

    /// Returns the number of nodes that lasts as long, at least 1, if nodes are counted. As a limit
    /// it is exact, where a search looks at the clock at intervals.
    pub(crate) fn nodes_in(self, time: Duration) -> Option<u64> {
        let nodes = time.as_micros() * u128::from(self.nodes_per_millisecond?.get()) / 1000;
        Some(nodes.max(1).try_into().unwrap_or(u64::MAX))
    }

    /// Returns the time since a moment, after this many nodes of the search.
    fn elapsed_since(self, moment: Moment, nodes: u64) -> Duration {
        match self.nodes_per_millisecond {
            None => moment.time.elapsed(),
            Some(rate) => {
                let micros = u128::from(nodes.saturating_sub(moment.nodes)) * 1000;
                let micros = micros / u128::from(rate.get());
                Duration::from_micros(micros.try_into().unwrap_or(u64::MAX))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_as_time_if_a_rate_is_set() {
        let by_nodes = Timer { nodes_per_millisecond: NonZeroU64::new(500) };
        let start = Moment { time: Instant::now(), nodes: 0 };
        assert_eq!(by_nodes.elapsed_since(start, 0), Duration::ZERO);
        assert_eq!(by_nodes.elapsed_since(start, 250), Duration::from_micros(500));
        assert_eq!(
            by_nodes.elapsed_since(Moment { nodes: 1000, ..start }, 2000),
            Duration::from_millis(2)
        );
        assert_eq!(by_nodes.elapsed_since(start, u64::MAX).as_secs(), u64::MAX / 1_000_000);
        assert_eq!(by_nodes.nodes_in(Duration::from_micros(3_999)), Some(1999));
        assert_eq!(by_nodes.nodes_in(Duration::ZERO), Some(1));
        assert_eq!(by_nodes.nodes_in(Duration::MAX), Some(u64::MAX));
        let by_clock = Timer { nodes_per_millisecond: None };
        assert_eq!(by_clock.nodes_in(Duration::MAX), None);
        assert!(by_clock.elapsed_since(start, u64::MAX) < Duration::from_secs(60));
    }
}
