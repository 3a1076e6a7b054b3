//! How a run comes along.

use std::time::{Duration, Instant};

use super::{Goal, Tally};

pub(super) struct Progress {
    begun: Instant,
    /// What was there at the beginning.
    before: Tally,
    interval: Duration,
    next: Instant,
}

impl Progress {
    pub(super) fn new(before: Tally, interval: Duration) -> Progress {
        let begun = Instant::now();
        Progress { begun, before, interval, next: begun + interval }
    }

    /// Whether a line should be told; it is not due again for a while.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + self.interval;
        }
        is_due
    }

    pub(super) fn line(&self, tally: Tally, goal: Goal) -> String {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let fresh = (tally.kept - self.before.kept) as f64;
        format!(
            "{} games, {} positions, {} of {} kept, {:.0} kept/s",
            tally.games,
            tally.positions,
            tally.kept,
            goal.positions,
            fresh / seconds
        )
    }
}
