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

/// So many gauges, a power of two: an index beyond wraps around, so that none needs a check.
#[derive(Clone, Debug)]
pub(crate) struct Gauges<const LIMIT: i32, const COUNT: usize>(Box<[Gauge<LIMIT>; COUNT]>);

impl<const LIMIT: i32, const COUNT: usize> Gauges<LIMIT, COUNT> {
    /// All at zero.
    pub(crate) fn new() -> Gauges<LIMIT, COUNT> {
        const { assert!(COUNT.is_power_of_two()) };
        // By way of a vector, as an array would pass over the stack.
        let gauges = vec![Gauge::default(); COUNT].into_boxed_slice();
        Gauges(gauges.try_into().expect("it has this length"))
    }

    /// Sets all to zero, where they are: to allocate megabytes anew would cost more than to fill
    /// them.
    pub(crate) fn clear(&mut self) {
        self.0.fill(Gauge::default());
    }

    #[inline(always)]
    pub(crate) fn score(&self, index: usize) -> i32 {
        self.0[index & (COUNT - 1)].score()
    }

    #[inline(always)]
    pub(crate) fn reward(&mut self, index: usize, bonus: i32) {
        self.0[index & (COUNT - 1)].reward(bonus);
    }
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
