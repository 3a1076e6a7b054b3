//! The elapsed time of a search, measured in real time or in nodes.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// A moment of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamp {
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

impl Timestamp {
    /// The start of a search.
    pub(crate) fn start(time: Instant) -> Timestamp {
        Timestamp { time, nodes: 0 }
    }

    /// The present, after this many nodes of the search.
    pub(crate) fn now(nodes: u64) -> Timestamp {
        Timestamp { time: Instant::now(), nodes }
    }
}

impl Timer {
    /// Returns true if nodes are counted for time.
    pub(crate) fn counts_nodes(self) -> bool {
        self.nodes_per_millisecond.is_some()
    }

    /// Returns the time since a moment, after this many nodes of the search.
    pub(crate) fn elapsed_since(self, moment: Timestamp, nodes: u64) -> Duration {
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
        let start = Timestamp::start(Instant::now());
        assert_eq!(by_nodes.elapsed_since(start, 0), Duration::ZERO);
        assert_eq!(by_nodes.elapsed_since(start, 250), Duration::from_micros(500));
        assert_eq!(by_nodes.elapsed_since(Timestamp::now(1000), 2000), Duration::from_millis(2));
        assert_eq!(by_nodes.elapsed_since(start, u64::MAX).as_secs(), u64::MAX / 1_000_000);
        let by_clock = Timer { nodes_per_millisecond: None };
        assert!(by_clock.elapsed_since(start, u64::MAX) < Duration::from_secs(60));
    }
}
