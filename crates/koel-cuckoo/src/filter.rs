//! A counting Bloom filter in front of the repetition scan.

use crate::key::ZobristKey;

/// The number of counters in each of the two arrays.
const HALF: usize = 8192;

/// A counting Bloom filter of earlier positions, in front of the exact scan for a repetition.
///
/// Each position is counted in two slots, selected by two independent bit fields of its key. A key
/// with a zero slot is certainly not in the filter; otherwise the scan has to decide. Each search
/// thread has its own filter. The idea is that of the repetition tables of Gerbil, Rookie and iCE,
/// which have one slot per position.
///
/// # Choice of two slots and 16,384 counters
///
/// False positives in per cent, by the number of positions in the filter (ten million lookups each,
/// `cargo run --release --example measure`):
///
/// | shape              | size   |     20 |     40 |     80 |    120 |    180 |
/// |--------------------|--------|-------:|-------:|-------:|-------:|-------:|
/// | 1 slot of 65,536   | 64 KiB | 0.0308 | 0.0616 | 0.1218 | 0.1826 | 0.2739 |
/// | 2 slots of 2,048   | 4 KiB  | 0.0096 | 0.0372 | 0.1465 | 0.3238 | 0.7145 |
/// | 2 slots of 4,096   | 8 KiB  | 0.0026 | 0.0091 | 0.0369 | 0.0838 | 0.1864 |
/// | 2 slots of 8,192   | 16 KiB | 0.0005 | 0.0022 | 0.0089 | 0.0214 | 0.0469 |
///
/// The last shape is used: its rate stays below 0.05 % up to 180 positions, which occur in lines of
/// locked endgames; the next smaller one had 0.06 % there. An insertion, a lookup and a removal
/// together took 2.7 ns with one slot and 3.3 ns with two.
///
/// # Order of removal
///
/// Keys have to be removed in the reverse order of their insertion, as moves are unmade. Then the
/// counters are restored exactly, and a saturated counter does no harm: from there on the filter
/// only counts the keys that overflowed, and reports every key as possibly contained.
///
/// [`KeyStack`](crate::KeyStack) owns a filter and follows these rules.
///
/// ```
/// use koel_cuckoo::{RepetitionFilter, ZobristKey};
///
/// let mut filter = RepetitionFilter::new();
/// let key = ZobristKey(0x9e37_79b9_7f4a_7c15);
/// filter.insert(key);
/// assert!(filter.may_contain(key));
/// filter.remove(key);
/// assert!(!filter.may_contain(key));
/// ```
#[derive(Clone)]
pub struct RepetitionFilter {
    counters: [[u8; HALF]; 2],
    /// The number of keys inserted since a counter was saturated. While it is not zero, no key is
    /// counted in the slots, so that removals in reverse order stay exact.
    overflowed: usize,
    counts: FilterCounts,
}

/// Statistics of a [`RepetitionFilter`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterCounts {
    /// The number of keys looked up.
    pub lookups: u64,
    /// The number of lookups that needed the scan.
    pub positives: u64,
    /// The number of keys that the scan found: the repetitions.
    pub true_positives: u64,
}

impl FilterCounts {
    /// Returns the number of lookups that needed no scan.
    #[must_use]
    pub const fn exited_early(&self) -> u64 {
        self.lookups - self.positives
    }

    /// Returns the number of scans that found nothing.
    #[must_use]
    pub const fn false_positives(&self) -> u64 {
        self.positives - self.true_positives
    }

    /// Returns the share of early exits among positions that were not repeated, 0 to 1; 1 without
    /// lookups.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share of counts does not need 64 bits")]
    pub fn early_exit_share(&self) -> f64 {
        let negatives = self.lookups - self.true_positives;
        if negatives == 0 { 1.0 } else { self.exited_early() as f64 / negatives as f64 }
    }
}

impl core::ops::AddAssign for FilterCounts {
    fn add_assign(&mut self, other: Self) {
        self.lookups += other.lookups;
        self.positives += other.positives;
        self.true_positives += other.true_positives;
    }
}

impl RepetitionFilter {
    /// Creates an empty filter.
    #[must_use]
    pub const fn new() -> Self {
        let counts = FilterCounts { lookups: 0, positives: 0, true_positives: 0 };
        Self { counters: [[0; HALF]; 2], overflowed: 0, counts }
    }

    /// Adds a position. The same key may be added many times.
    #[inline]
    pub fn insert(&mut self, key: ZobristKey) {
        let overflowed = self.overflowed;
        let [low, high] = self.counters_of(key);
        if overflowed == 0 && *low < u8::MAX && *high < u8::MAX {
            *low += 1;
            *high += 1;
        } else {
            self.overflowed += 1;
        }
    }

    /// Removes the position that was added last.
    ///
    /// # Panics
    ///
    /// Builds with debug assertions may panic if `key` is not the last one added (if a counter
    /// would fall below zero); other builds then have wrong counters.
    #[inline]
    pub fn remove(&mut self, key: ZobristKey) {
        if self.overflowed > 0 {
            self.overflowed -= 1;
            return;
        }
        let [low, high] = self.counters_of(key);
        debug_assert!(*low > 0 && *high > 0, "a key was removed that had not been inserted");
        *low = low.wrapping_sub(1);
        *high = high.wrapping_sub(1);
    }

    /// Returns false if the position is certainly not among those added, true if it may be.
    #[inline]
    #[must_use]
    pub fn may_contain(&self, key: ZobristKey) -> bool {
        let [first, second] = slots(key);
        self.overflowed > 0 || (self.counters[0][first] > 0 && self.counters[1][second] > 0)
    }

    /// Removes all positions. The statistics are kept.
    pub fn clear(&mut self) {
        self.counters = [[0; HALF]; 2];
        self.overflowed = 0;
    }

    /// Returns true if all counters are zero. For assertions: it reads the whole table.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.overflowed == 0 && self.counters.iter().flatten().all(|&counter| counter == 0)
    }

    /// Returns true if both filters have the same counters. For assertions.
    #[must_use]
    pub fn has_equal_counters(&self, other: &Self) -> bool {
        self.overflowed == other.overflowed && self.counters == other.counters
    }

    /// Returns the statistics since the filter was created or [reset](Self::reset_counts).
    #[must_use]
    pub const fn counts(&self) -> FilterCounts {
        self.counts
    }

    /// Resets the statistics; positions are kept.
    pub const fn reset_counts(&mut self) {
        self.counts = FilterCounts { lookups: 0, positives: 0, true_positives: 0 };
    }

    /// Looks up a key and runs `scan` only if the key may be contained. Updates the statistics.
    #[inline]
    pub fn find_with<T>(&mut self, key: ZobristKey, scan: impl FnOnce() -> Option<T>) -> Option<T> {
        self.counts.lookups += 1;
        if !self.may_contain(key) {
            return None;
        }
        self.counts.positives += 1;
        let found = scan();
        self.counts.true_positives += u64::from(found.is_some());
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
    /// Shows the statistics, without the counters.
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut fields = formatter.debug_struct("RepetitionFilter");
        fields
            .field("counts", &self.counts)
            .field("overflowed", &self.overflowed)
            .finish_non_exhaustive()
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
    fn a_saturated_counter_reports_every_key_and_is_restored() {
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
    fn one_shared_slot_is_no_false_positive() {
        let mut filter = RepetitionFilter::new();
        filter.insert(ZobristKey(7 | 9 << 32));
        assert!(!filter.may_contain(ZobristKey(7)));
        assert!(!filter.may_contain(ZobristKey(9 << 32)));
        assert!(filter.may_contain(ZobristKey(7 | 9 << 32 | 1 << 60)));
    }

    #[test]
    fn statistics_count_early_exits_and_false_positives() {
        let mut filter = RepetitionFilter::new();
        filter.insert(ZobristKey(1));
        assert_eq!(filter.find_with(ZobristKey(1), || Some(4)), Some(4));
        assert_eq!(filter.find_with(ZobristKey(1 << 60 | 1), || None::<u8>), None);
        assert_eq!(filter.find_with(ZobristKey(2), || Some(4)), None);
        let counts = filter.counts();
        assert_eq!(counts, FilterCounts { lookups: 3, positives: 2, true_positives: 1 });
        assert_eq!((counts.exited_early(), counts.false_positives()), (1, 1));
        assert!((counts.early_exit_share() - 0.5).abs() < 1e-9);
        filter.reset_counts();
        assert_eq!(filter.counts(), FilterCounts::default());
    }
}
