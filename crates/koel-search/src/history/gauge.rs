//! The number that all histories are made of.

/// A number that is drawn towards ±`LIMIT` by rewards and blames, and less the nearer it is: it
/// never gets there, and forgets what is long past. (History heuristic: gravity.)
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Gauge<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gauge<LIMIT> {
    /// Its value, -`LIMIT` to `LIMIT`.
    #[inline(always)]
    pub(crate) fn score(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves it by at most `bonus`, which is negative for a blame.
    #[inline(always)]
    pub(crate) fn reward(&mut self, bonus: i32) {
        const { assert!(0 < LIMIT && LIMIT <= i16::MAX as i32) };
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let score = self.score();
        self.0 = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }
}

/// So many gauges on the heap, without passing over the stack.
pub(crate) fn gauges<const LIMIT: i32>(count: usize) -> Box<[Gauge<LIMIT>]> {
    vec![Gauge::default(); count].into()
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
