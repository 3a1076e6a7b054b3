//! What worked before: the memory of quiet moves.

use koel_board::{Move, Position};

/// A number that is drawn towards ±`LIMIT` by rewards and blames, and less the nearer it is: it
/// never gets there, and forgets what is long past. (History heuristic: gravity.)
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gauge<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gauge<LIMIT> {
    /// Its value, -`LIMIT` to `LIMIT`.
    #[inline]
    pub(crate) fn score(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves it by at most `bonus`, which is negative for a blame.
    #[inline]
    pub(crate) fn reward(&mut self, bonus: i32) {
        const { assert!(0 < LIMIT && LIMIT <= i16::MAX as i32) };
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let score = self.score();
        self.0 = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }
}

/// The limit of the quiet history.
pub(crate) const QUIET_LIMIT: i32 = 8192;

/// How well quiet moves did, by who moves, from where and to where. (Butterfly boards.)
#[derive(Clone)]
pub(crate) struct QuietHistory {
    gauges: Box<[[Gauge<QUIET_LIMIT>; 4096]; 2]>,
}

impl QuietHistory {
    pub(crate) fn new() -> QuietHistory {
        QuietHistory { gauges: Box::new([[Gauge::default(); 4096]; 2]) }
    }

    /// How well a move did, -[`QUIET_LIMIT`] to [`QUIET_LIMIT`].
    #[inline]
    pub(crate) fn score(&self, position: &Position, m: Move) -> i32 {
        self.gauges[position.turn() as usize][from_to(m)].score()
    }

    /// Says how well a move has done.
    #[inline]
    pub(crate) fn reward(&mut self, position: &Position, m: Move, bonus: i32) {
        self.gauges[position.turn() as usize][from_to(m)].reward(bonus);
    }
}

/// The squares of a move: the low twelve bits.
#[inline]
fn from_to(m: Move) -> usize {
    usize::from(m.bits() & 0xfff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_stays_within_its_limit() {
        let mut gauge = Gauge::<100>::default();
        for _ in 0..1000 {
            gauge.reward(60);
        }
        assert!((90..=100).contains(&gauge.score()));
        gauge.reward(-60);
        assert!(gauge.score() < 0, "what is expected least moves it most");
        for _ in 0..1000 {
            gauge.reward(-1_000_000);
        }
        assert_eq!(gauge.score(), -100);
    }
}
