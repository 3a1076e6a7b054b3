//! The number that all histories are made of.

/// A number that is drawn towards ±`LIMIT` by rewards and blames, and less the nearer it is: it
/// never gets there, and forgets what is long past. (History heuristic: gravity.)
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct HistoryEntry<const LIMIT: i32>(i16);

impl<const LIMIT: i32> HistoryEntry<LIMIT> {
    /// Its value, -`LIMIT` to `LIMIT`.
    #[inline(always)]
    pub(crate) fn score(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves it by at most `bonus`, which is negative for a blame.
    #[inline(always)]
    pub(crate) fn update(&mut self, bonus: i32) {
        const { assert!(0 < LIMIT && LIMIT <= i16::MAX as i32) };
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let score = self.score();
        self.0 = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }
}

/// So many gauges, a power of two: an index beyond wraps around, so that none needs a check.
#[derive(Clone, Debug)]
pub(crate) struct HistoryTable<const LIMIT: i32, const COUNT: usize>(
    Box<[HistoryEntry<LIMIT>; COUNT]>,
);

impl<const LIMIT: i32, const COUNT: usize> HistoryTable<LIMIT, COUNT> {
    /// All at zero.
    pub(crate) fn new() -> HistoryTable<LIMIT, COUNT> {
        const { assert!(COUNT.is_power_of_two()) };
        // By way of a vector, as an array would pass over the stack.
        let gauges = vec![HistoryEntry::default(); COUNT].into_boxed_slice();
        HistoryTable(gauges.try_into().expect("it has this length"))
    }

    /// Sets all to zero, where they are: to allocate megabytes anew would cost more than to fill
    /// them.
    pub(crate) fn clear(&mut self) {
        self.0.fill(HistoryEntry::default());
    }

    #[inline(always)]
    pub(crate) fn score(&self, index: usize) -> i32 {
        self.0[index & (COUNT - 1)].score()
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, index: usize, bonus: i32) {
        self.0[index & (COUNT - 1)].update(bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_stays_within_its_limit() {
        let mut gauge = HistoryEntry::<100>::default();
        for _ in 0..1000 {
            gauge.update(60);
        }
        assert!((90..=100).contains(&gauge.score()));
        gauge.update(-60);
        assert!(gauge.score() < 0, "what is expected least moves it most");
        for _ in 0..1000 {
            gauge.update(-1_000_000);
        }
        assert_eq!(gauge.score(), -100);
    }
}
