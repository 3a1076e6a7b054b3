//! The lag of the clock: time that a move costs beside the engine's own, learned during a game.

use std::time::{Duration, Instant};

use crate::request::Clock;

/// The greatest lag that is learned. More is no lag but another game, or a clock set by hand.
const MAX_LAG: Duration = Duration::from_millis(300);

/// Learns the lag during a game, in two ways: as what the GUI charges beyond the time from `go` to
/// `bestmove` as the engine measures it (pipes, networks), and as the time by which a search
/// exceeds its hard limit. On a busy machine both are mostly the wait for a processor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LagMeter {
    lag: Duration,
    running: Option<RunningClock>,
    /// The time that would be left at the next move without any lag.
    expected: Option<Duration>,
}

/// The clock of the running search.
#[derive(Clone, Copy, Debug)]
struct RunningClock {
    reading: Clock,
    hard_limit: Option<Duration>,
    start: Instant,
}

impl LagMeter {
    /// Returns the lag to expect in a move with this clock, `None` without one: the greatest of the
    /// last moves, of which an eighth is forgotten with each move.
    pub(crate) fn lag(&mut self, clock: Option<Clock>) -> Duration {
        let Some(clock) = clock else { return Duration::ZERO };
        self.lag = self.lag * 7 / 8;
        let expected = self.expected.unwrap_or_default();
        self.learn(expected.saturating_sub(clock.left));
        self.lag
    }

    fn learn(&mut self, lag: Duration) {
        if lag <= MAX_LAG {
            self.lag = self.lag.max(lag);
        }
    }

    /// Starts the measurement of a move, of none without a clock.
    pub(crate) fn start(
        &mut self,
        clock: Option<Clock>,
        hard_limit: Option<Duration>,
        start: Instant,
    ) {
        self.running = clock.map(|reading| RunningClock { reading, hard_limit, start });
        self.expected = None;
    }

    /// Ends the measurement of a move: the outcome is known.
    pub(crate) fn finish(&mut self, now: Instant) {
        let Some(RunningClock { reading, hard_limit, start }) = self.running.take() else { return };
        let elapsed = now.saturating_duration_since(start);
        self.learn(hard_limit.map_or(Duration::ZERO, |limit| elapsed.saturating_sub(limit)));
        // Clocks are told in whole milliseconds.
        let elapsed = Duration::from_millis(elapsed.as_millis() as u64);
        let left = reading.left.saturating_sub(elapsed);
        self.expected = Some(left.saturating_add(reading.increment));
    }

    /// Forgets the clock of the last game, but not the lag.
    pub(crate) fn new_game(&mut self) {
        (self.running, self.expected) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64) -> Option<Clock> {
        let [left, increment] = [left, 10].map(Duration::from_millis);
        Some(Clock { left, increment, moves_to_go: None })
    }

    /// Plays moves with these clocks at their starts, each thought about for 40 ms. Returns the lag
    /// expected at each, in milliseconds.
    fn lags(clocks: &[u64], hard_limit: u64) -> Vec<u128> {
        let mut meter = LagMeter::default();
        let start = Instant::now();
        let lag_at = |&left: &u64| {
            let lag = meter.lag(clock(left));
            meter.start(clock(left), Some(Duration::from_millis(hard_limit)), start);
            meter.finish(start + Duration::from_millis(40));
            lag.as_millis()
        };
        clocks.iter().map(lag_at).collect()
    }

    #[test]
    fn the_lag_is_what_is_missing_on_the_clock() {
        assert_eq!(lags(&[1000, 970, 940], 40), [0, 0, 0]);
        assert_eq!(lags(&[1000, 890, 860, 830], 40), [0, 80, 70, 61]);
        assert_eq!(lags(&[1000, 950, 890, 860], 40), [0, 20, 30, 26]);
    }

    #[test]
    fn the_lag_is_what_exceeds_the_hard_limit() {
        assert_eq!(lags(&[1000, 970, 940], 24), [0, 14, 14]);
        assert_eq!(lags(&[1000, 920, 890], 24), [0, 50, 43], "the greater of both");
    }

    #[test]
    fn a_clock_that_gains_or_jumps_is_no_lag() {
        assert_eq!(lags(&[1000, 61_000, 60_970], 40), [0, 0, 0]);
        assert_eq!(lags(&[60_000, 1000, 970], 40), [0, 0, 0]);
        assert_eq!(lags(&[u64::MAX, 0, u64::MAX], 40), [0, 0, 0]);
    }

    #[test]
    fn a_search_without_a_clock_and_a_new_game_measure_nothing() {
        let now = Instant::now();
        let without_clock = |meter: &mut LagMeter| meter.start(None, None, Instant::now());
        for interrupt in [LagMeter::new_game, without_clock] {
            let mut meter = LagMeter::default();
            meter.start(clock(1000), None, now);
            meter.finish(now);
            interrupt(&mut meter);
            assert_eq!(meter.lag(clock(900)), Duration::ZERO);
        }
    }
}
