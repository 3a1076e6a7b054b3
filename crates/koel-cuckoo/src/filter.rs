//! Has it been here before? Nearly always no, and two counters know it.

use crate::key::ZobristKey;

/// Counters for each of a position's two slots.
const HALF: usize = 8192;

/// A counting table of earlier positions, in front of the exact scan for a repetition.
///
/// Each position counts in two independent slots, named by two bit fields of its key. A key with a
/// slot at zero is not among the positions; otherwise it may be, and only the scan can tell.
/// It is a counting Bloom filter, and belongs to one thread. The idea is that of the repetition
/// tables of Gerbil, Rookie and iCE, which have one slot a position.
///
/// # Why two slots, and 16,384 counters
///
/// New positions that pass in vain, in per cent, by the number of earlier positions held
/// (ten million questions each, `cargo run --release --example measure`):
///
/// | shape              | size   |     20 |     40 |     80 |    120 |    180 |
/// |--------------------|--------|-------:|-------:|-------:|-------:|-------:|
/// | 1 slot of 65,536   | 64 KiB | 0.0308 | 0.0616 | 0.1218 | 0.1826 | 0.2739 |
/// | 2 slots of 2,048   | 4 KiB  | 0.0096 | 0.0372 | 0.1465 | 0.3238 | 0.7145 |
/// | 2 slots of 4,096   | 8 KiB  | 0.0026 | 0.0091 | 0.0369 | 0.0838 | 0.1864 |
/// | 2 slots of 8,192   | 16 KiB | 0.0005 | 0.0022 | 0.0089 | 0.0214 | 0.0469 |
///
/// The last is kept: it stays below 0.05 % up to 180 positions, which the line of a locked ending
/// does hold; there the next smaller one let 0.06 % pass. In a trial (not kept) an insertion, a
/// question and a removal together took 2.7 ns with one slot and 3.3 ns with two.
///
/// # Balance
///
/// Insertions and removals must mirror each other like makes and unmakes: the last key inserted is
/// the first to be removed. Then the counters are restored exactly, and a counter that is full
/// does no harm: from there on the filter merely counts what it was given and answers "maybe".
///
/// [`KeyHistory`](crate::KeyHistory) owns one and keeps these rules.
#[derive(Clone)]
pub struct RepetitionFilter {
    counters: [[u8; HALF]; 2],
    /// Keys inserted since a counter was full. While there are any, none enters the counters, so
    /// that the last key inserted is always the first to be subtracted here.
    refused: usize,
    counts: FilterCounts,
}

/// How often a [`RepetitionFilter`] was asked, and to what use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterCounts {
    /// Keys it was asked about.
    pub consulted: u64,
    /// Keys that it let pass on to the scan.
    pub passed: u64,
    /// Keys that it let pass and that the scan then found: the true repetitions.
    pub repeated: u64,
}

impl FilterCounts {
    /// How often no scan was needed.
    #[must_use]
    pub const fn exited_early(&self) -> u64 {
        self.consulted - self.passed
    }

    /// How often a position was scanned for that is no repetition.
    #[must_use]
    pub const fn passed_in_vain(&self) -> u64 {
        self.passed - self.repeated
    }

    /// The share of early exits, 0 to 1, where the position was not repeated; 1 if never asked.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share of counts needs no 64 bits")]
    pub fn early_exit_share(&self) -> f64 {
        let unrepeated = self.consulted - self.repeated;
        if unrepeated == 0 { 1.0 } else { self.exited_early() as f64 / unrepeated as f64 }
    }
}

impl core::ops::AddAssign for FilterCounts {
    fn add_assign(&mut self, other: Self) {
        self.consulted += other.consulted;
        self.passed += other.passed;
        self.repeated += other.repeated;
    }
}

impl RepetitionFilter {
    /// An empty filter.
    #[must_use]
    pub const fn new() -> Self {
        let counts = FilterCounts { consulted: 0, passed: 0, repeated: 0 };
        Self { counters: [[0; HALF]; 2], refused: 0, counts }
    }

    /// Adds a position. The same key may be added many times.
    #[inline]
    pub fn insert(&mut self, key: ZobristKey) {
        let refused = self.refused;
        let [low, high] = self.counters_of(key);
        if refused == 0 && *low < u8::MAX && *high < u8::MAX {
            *low += 1;
            *high += 1;
        } else {
            self.refused += 1;
        }
    }

    /// Takes away the position that was added last.
    ///
    /// # Panics
    ///
    /// May panic, or else spoil the counters, if `key` is not the last one added: in builds with
    /// debug assertions a counter that would fall below zero is noticed.
    #[inline]
    pub fn remove(&mut self, key: ZobristKey) {
        if self.refused > 0 {
            self.refused -= 1;
            return;
        }
        let [low, high] = self.counters_of(key);
        debug_assert!(*low > 0 && *high > 0, "a key was removed that was not inserted");
        *low = low.wrapping_sub(1);
        *high = high.wrapping_sub(1);
    }

    /// Whether the position may be among those added; `false` is certain, `true` is not.
    #[inline]
    #[must_use]
    pub fn may_contain(&self, key: ZobristKey) -> bool {
        let [first, second] = slots(key);
        self.refused > 0 || (self.counters[0][first] > 0 && self.counters[1][second] > 0)
    }

    /// Removes all positions. The [`counts`](Self::counts) go on.
    pub fn clear(&mut self) {
        self.counters = [[0; HALF]; 2];
        self.refused = 0;
    }

    /// Whether all counters are at zero. It reads the whole table: for assertions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.refused == 0 && self.counters.iter().flatten().all(|&counter| counter == 0)
    }

    /// Whether both hold the same positions, as far as the counters can tell: for assertions.
    #[must_use]
    pub fn holds_the_same(&self, other: &Self) -> bool {
        self.refused == other.refused && self.counters == other.counters
    }

    /// How often it was asked by its owner, since it was made or last [`reset`](Self::reset_counts).
    #[must_use]
    pub const fn counts(&self) -> FilterCounts {
        self.counts
    }

    /// Sets the [`counts`](Self::counts) to zero; positions stay.
    pub const fn reset_counts(&mut self) {
        self.counts = FilterCounts { consulted: 0, passed: 0, repeated: 0 };
    }

    /// Asks, and scans only where the answer is "maybe". Both are counted.
    #[inline]
    pub fn consult<T>(&mut self, key: ZobristKey, scan: impl FnOnce() -> Option<T>) -> Option<T> {
        self.counts.consulted += 1;
        if !self.may_contain(key) {
            return None;
        }
        self.counts.passed += 1;
        let found = scan();
        self.counts.repeated += u64::from(found.is_some());
        found
    }

    #[inline]
    fn counters_of(&mut self, key: ZobristKey) -> [&mut u8; 2] {
        let [low, high] = &mut self.counters;
        let [first, second] = slots(key);
        [&mut low[first], &mut high[second]]
    }
}

impl Default for RepetitionFilter {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for RepetitionFilter {
    /// The counts only; thousands of zeros help nobody.
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut fields = formatter.debug_struct("RepetitionFilter");
        fields.field("counts", &self.counts).field("refused", &self.refused).finish_non_exhaustive()
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the mask keeps 13 bits")]
const fn slots(key: ZobristKey) -> [usize; 2] {
    [key.0 as usize % HALF, (key.0 >> 32) as usize % HALF]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_counter_answers_maybe_and_is_restored() {
        let (full, late) = (ZobristKey(1 | 1 << 32), ZobristKey(2 | 2 << 32));
        let mut filter = RepetitionFilter::new();
        for _ in 0..300 {
            filter.insert(full);
        }
        filter.insert(late);
        assert!(filter.may_contain(full) && filter.may_contain(late));
        filter.remove(late);
        for _ in 0..299 {
            filter.remove(full);
        }
        assert!(filter.may_contain(full) && !filter.may_contain(late));
        filter.remove(full);
        assert!(filter.is_empty());
    }

    #[test]
    fn one_shared_slot_is_not_enough_to_pass() {
        let mut filter = RepetitionFilter::new();
        filter.insert(ZobristKey(7 | 9 << 32));
        assert!(!filter.may_contain(ZobristKey(7)));
        assert!(!filter.may_contain(ZobristKey(9 << 32)));
        assert!(filter.may_contain(ZobristKey(7 | 9 << 32 | 1 << 60)));
    }

    #[test]
    fn counts_tell_early_exits_from_passes() {
        let mut filter = RepetitionFilter::new();
        filter.insert(ZobristKey(1));
        assert_eq!(filter.consult(ZobristKey(1), || Some(4)), Some(4));
        assert_eq!(filter.consult(ZobristKey(1 << 60 | 1), || None::<u8>), None);
        assert_eq!(filter.consult(ZobristKey(2), || Some(4)), None);
        let counts = filter.counts();
        assert_eq!(counts, FilterCounts { consulted: 3, passed: 2, repeated: 1 });
        assert_eq!((counts.exited_early(), counts.passed_in_vain()), (1, 1));
        assert!((counts.early_exit_share() - 0.5).abs() < 1e-9);
        filter.reset_counts();
        assert_eq!(filter.counts(), FilterCounts::default());
    }
}
