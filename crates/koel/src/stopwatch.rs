//! How long a search has been going on, by the clock or by its nodes.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

/// Where a stopwatch stood.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    time: Instant,
    nodes: u64,
}

/// Measures the time of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    /// So many nodes are taken for a millisecond (`nodestime`), on machines whose clock says
    /// nothing of use. `None` is real time.
    pub(crate) nodes_a_millisecond: Option<NonZeroU64>,
}

impl Moment {
    /// The beginning of a search.
    pub(crate) fn start(time: Instant) -> Moment {
        Moment { time, nodes: 0 }
    }

    /// Now, when so many nodes have been searched.
    pub(crate) fn now(nodes: u64) -> Moment {
        Moment { time: Instant::now(), nodes }
    }
}

impl Stopwatch {
    /// The time since that moment, now that so many nodes have been searched.
    pub(crate) fn since(self, moment: Moment, nodes: u64) -> Duration {
        match self.nodes_a_millisecond {
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
    fn nodes_are_time_if_so_wished() {
        let by_nodes = Stopwatch { nodes_a_millisecond: NonZeroU64::new(500) };
        let start = Moment::start(Instant::now());
        assert_eq!(by_nodes.since(start, 0), Duration::ZERO);
        assert_eq!(by_nodes.since(start, 250), Duration::from_micros(500));
        assert_eq!(by_nodes.since(Moment::now(1000), 2000), Duration::from_millis(2));
        assert_eq!(by_nodes.since(start, u64::MAX).as_secs(), u64::MAX / 1_000_000);
        let by_clock = Stopwatch { nodes_a_millisecond: None };
        assert!(by_clock.since(start, u64::MAX) < Duration::from_secs(60));
    }
}
