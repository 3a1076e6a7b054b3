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
        line(self.initial, totals, goal, self.start.elapsed())
    }
}

/// Returns the line after a time since the initial totals. With a goal it tells the time left.
fn line(
    initial: SelfplayTotals,
    totals: SelfplayTotals,
    goal: SelfplayGoal,
    elapsed: Duration,
) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let rate = (totals.kept - initial.kept) as f64 / seconds;
    let SelfplayTotals { games, positions, kept } = totals;
    let played = format!("{games} games, {positions} positions, {kept} kept, {rate:.0} kept/s");
    let games_rate = f64::from(games - initial.games) / seconds;
    let by_games = f64::from(goal.games.saturating_sub(games)) / games_rate;
    let by_positions = goal.positions.saturating_sub(kept) as f64 / rate;
    let is_open = (goal.positions, goal.games) == (u64::MAX, u32::MAX);
    match Duration::try_from_secs_f64(by_games.min(by_positions)) {
        Ok(left) if !is_open => {
            let minutes = left.as_secs().div_ceil(60);
            format!("{played}, {} h {:02} min left", minutes / 60, minutes % 60)
        }
        _ => played,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_states_the_rate_and_the_time_left() {
        let totals = |games, kept| SelfplayTotals { games, positions: 2 * kept, kept };
        let (before, now) = (totals(10, 1_000), totals(20, 4_000));
        let text = |goal| line(before, now, goal, Duration::from_secs(10));
        let played = "20 games, 8000 positions, 4000 kept, 300 kept/s";
        let goal = SelfplayGoal { positions: 4_000 + 300 * 60 * 61, games: u32::MAX };
        assert_eq!(text(goal), format!("{played}, 1 h 01 min left"));
        assert_eq!(text(SelfplayGoal { games: 140, ..goal }), format!("{played}, 0 h 02 min left"));
        assert_eq!(text(SelfplayGoal::games(u32::MAX)), played);
        // Before the first game there is no rate.
        let first = line(before, before, goal, Duration::from_secs(1));
        assert_eq!(first, "10 games, 2000 positions, 1000 kept, 0 kept/s");
    }
}
