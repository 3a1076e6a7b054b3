//! Four entries and their tags: one cache line.

use std::hint::select_unpredictable;

use crate::atomic::{AtomicU64, Relaxed};
use crate::packed::{PATH_BITS, Packed};

pub(crate) const SLOTS: usize = 4;

/// The 64-bit words of a bucket.
pub(crate) const WORDS: usize = 2 * SLOTS;

/// The bits of a key that a bucket compares.
pub(crate) const TAG_BITS: u32 = u64::BITS - PATH_BITS;

/// A cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Bucket([Slot; SLOTS]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == 64 && WORDS * 8 == 64);

/// One entry in two words that are written one after the other.
#[derive(Debug, Default)]
struct Slot {
    data: AtomicU64,
    /// In the low bits the path of the entry, above them its tag, folded with its data: if the
    /// two words were written by different threads, the tag fits no key (but by chance).
    guard: AtomicU64,
}

/// What one look at a bucket saw. Other threads may have changed it since.
#[derive(Clone, Copy)]
pub(crate) struct BucketSnapshot([Words; SLOTS]);

/// The two words of an entry as they were read.
#[derive(Clone, Copy, Default)]
struct Words {
    data: u64,
    guard: u64,
}

impl Slot {
    #[inline]
    fn read(&self) -> Words {
        Words { guard: self.guard.load(Relaxed), data: self.data.load(Relaxed) }
    }
}

impl Words {
    /// Whether this is the tag they were written with. Two words that are zero fit the tag zero.
    #[inline]
    fn fit(self, tag: u64) -> bool {
        (self.guard ^ mixed(self.data) ^ tag << PATH_BITS) >> PATH_BITS == 0
    }

    #[inline]
    fn entry(self) -> Packed {
        Packed { data: self.data, path: self.guard as u32 & ((1 << PATH_BITS) - 1) }
    }
}

impl Bucket {
    #[inline]
    pub(crate) fn snapshot(&self) -> BucketSnapshot {
        BucketSnapshot(std::array::from_fn(|slot| self.0[slot].read()))
    }

    /// The entry of this tag, empty if there is none.
    ///
    /// Which of the four it is nobody can foresee, the processor no more than we: selecting costs
    /// less than branches would.
    #[inline]
    pub(crate) fn find(&self, tag: u64) -> Packed {
        let mut found = Words::default();
        for entry in self.0.iter().rev() {
            let words = entry.read();
            let fits = words.fit(tag);
            found.data = select_unpredictable(fits, words.data, found.data);
            found.guard = select_unpredictable(fits, words.guard, found.guard);
        }
        found.entry()
    }

    /// Writes one entry and its tag. Two threads that write here at once may lose both entries,
    /// but neither a third.
    #[inline]
    pub(crate) fn write(&self, slot: usize, tag: u64, entry: Packed) {
        let high = mixed(entry.data) >> PATH_BITS << PATH_BITS;
        let guard = (tag << PATH_BITS ^ high) | u64::from(entry.path);
        self.0[slot].data.store(entry.data, Relaxed);
        self.0[slot].guard.store(guard, Relaxed);
    }

    /// Everything there is in it, for a file.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (pair, entry) in words.chunks_exact_mut(2).zip(&self.0) {
            pair[0] = entry.data.load(Relaxed);
            pair[1] = entry.guard.load(Relaxed);
        }
        words
    }

    pub(crate) fn set_words(&self, words: [u64; WORDS]) {
        for (pair, entry) in words.chunks_exact(2).zip(&self.0) {
            entry.data.store(pair[0], Relaxed);
            entry.guard.store(pair[1], Relaxed);
        }
    }
}

impl BucketSnapshot {
    pub(crate) fn entries(&self) -> impl Iterator<Item = Packed> {
        self.0.iter().map(|words| words.entry())
    }

    /// The entry of this tag and where it is. A place that is still empty may be found for the
    /// tag zero, which is as good: places are filled in order.
    #[inline]
    pub(crate) fn find(&self, tag: u64) -> Option<(usize, Packed)> {
        let (mut place, mut found) = (SLOTS, Words::default());
        for (slot, words) in self.0.iter().enumerate().rev() {
            let fits = words.fit(tag);
            place = select_unpredictable(fits, slot, place);
            found.data = select_unpredictable(fits, words.data, found.data);
            found.guard = select_unpredictable(fits, words.guard, found.guard);
        }
        (place < SLOTS).then(|| (place, found.entry()))
    }

    /// Where the entry is that is worth least, the first of equals.
    #[inline]
    pub(crate) fn replacement_slot(&self, now: u8) -> usize {
        // The slot in the low bits breaks ties, and the least is found without a branch.
        let ranked = |slot: usize| {
            let entry = Packed { data: self.0[slot].data, path: 0 };
            entry.replacement_value(now) * SLOTS as i32 + slot as i32
        };
        let least = (1..SLOTS).fold(ranked(0), |least, slot| least.min(ranked(slot)));
        least as usize % SLOTS
    }
}

/// The bits of a key that say least about its bucket.
#[inline]
pub(crate) fn tag(key: u64) -> u64 {
    key & ((1 << TAG_BITS) - 1)
}

/// A word whose high bits change with any of the data's.
#[inline]
fn mixed(data: u64) -> u64 {
    data.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(seed: u64) -> Packed {
        let data = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 3 << 56;
        Packed { data, path: seed as u32 & 0xff_ffff }
    }

    #[test]
    fn an_entry_is_found_by_its_tag_alone() {
        let bucket = Bucket::default();
        for slot in 0..SLOTS {
            bucket.write(slot, 100 + slot as u64, packed(slot as u64 + 1));
        }
        for slot in 0..SLOTS {
            let entry = packed(slot as u64 + 1);
            assert_eq!(bucket.snapshot().find(100 + slot as u64), Some((slot, entry)));
            assert_eq!(bucket.find(100 + slot as u64), entry);
        }
        assert!(bucket.snapshot().find(99).is_none());
        let copy = Bucket::default();
        copy.set_words(bucket.words());
        assert_eq!(copy.find(102), packed(3));
        bucket.set_words(Bucket::default().words());
        assert!(bucket.snapshot().find(100).is_none() && bucket.find(100).is_empty());
        assert!(Bucket::default().find(0).is_empty());
    }

    /// With branches, as one would write it down.
    fn dull_find(bucket: &Bucket, tag: u64) -> Option<(usize, Packed)> {
        let read = bucket.0.iter().map(Slot::read).enumerate();
        let tag_of = |words: Words| (words.guard ^ mixed(words.data)) >> PATH_BITS;
        let mut fitting = read.filter(|&(_, words)| tag_of(words) == tag);
        fitting.next().map(|(slot, words)| (slot, words.entry()))
    }

    fn dull_least_worth(bucket: &Bucket, now: u8) -> usize {
        let entries = bucket.snapshot().entries().collect::<Vec<_>>();
        let empty = entries.iter().position(|entry| entry.is_empty());
        empty.unwrap_or_else(|| {
            let worth = |slot: &usize| {
                i32::from(entries[*slot].depth()) - 8 * i32::from(entries[*slot].age(now))
            };
            (0..SLOTS).min_by_key(worth).unwrap()
        })
    }

    #[test]
    fn selecting_is_the_same_as_branching() {
        for seed in 0..20_000_u64 {
            let bucket = Bucket::default();
            // Few tags and depths, so that many are equal; the tag zero is one of them.
            for slot in 0..(seed % 5) as usize {
                let mixed = (seed * 4 + slot as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let (tag, age) = (mixed >> 61, mixed >> 40 & 31);
                let data = age << 59 | 3 << 56 | (mixed >> 50 & 7) << 48 | mixed & 0xffff;
                bucket.write(slot, tag, Packed { data, path: mixed as u32 & 0xff_ffff });
            }
            for tag in 0..8 {
                assert_eq!(bucket.snapshot().find(tag), dull_find(&bucket, tag));
                let found = dull_find(&bucket, tag).map_or_else(Packed::default, |found| found.1);
                assert_eq!(bucket.find(tag), found);
            }
            let now = (seed % 32) as u8;
            assert_eq!(bucket.snapshot().replacement_slot(now), dull_least_worth(&bucket, now));
        }
    }

    #[test]
    fn a_torn_entry_is_not_taken() {
        for seed in 1..200_000 {
            let bucket = Bucket::default();
            bucket.write(0, 7, packed(seed));
            // Another thread has written its data, but not yet its guard.
            bucket.0[0].data.store(packed(seed + 500_000).data, Relaxed);
            assert!(bucket.find(7).is_empty(), "{seed}");
        }
    }
}
