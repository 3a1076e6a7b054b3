//! Progress lines of a run.

use std::time::{Duration, Instant};

use super::totals::{SelfplayGoal, SelfplayTotals};

pub(super) struct Progress {
    start: Instant,
    /// The totals at the start.
    initial: SelfplayTotals,
    interval: Duration,
    next: Instant,
}

impl Progress {
    pub(super) fn new(initial: SelfplayTotals, interval: Duration) -> Progress {
        let start = Instant::now();
        Progress { start, initial, interval, next: start + interval }
    }

    /// Returns true if a line is due, once per interval.
    pub(super) fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + self.interval;
        }
        is_due
    }

    pub(super) fn line(&self, totals: SelfplayTotals, goal: SelfplayGoal) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let kept = (totals.kept - self.initial.kept) as f64;
        format!(
            "{} games, {} positions, {} of {} kept, {:.0} kept/s",
            totals.games,
            totals.positions,
            totals.kept,
            goal.positions,
            kept / seconds
        )
    }
}
