//! A bucket of four entries with their tags: one cache line.

use std::hint::select_unpredictable;

use crate::atomic::{AtomicU64, Relaxed, store};
use crate::packed::Packed;
use crate::payload::{Payload, payload_mask};

/// The number of entries in a bucket.
pub(crate) const SLOTS: usize = 4;

/// The number of 64-bit words in a bucket.
pub(crate) const WORDS: usize = 2 * SLOTS;

/// A cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Bucket([Slot; SLOTS]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == 64 && WORDS * 8 == 64);

/// The place of one entry: two words that are written one after the other.
#[derive(Debug, Default)]
struct Slot {
    data: AtomicU64,
    /// From the low end: the payload, the [`busy_bit`], and the tag, XORed with a hash of
    /// the data: if the two words come from different writers, the tag matches no key, except by
    /// chance.
    guard: AtomicU64,
}

/// A copy of a bucket. Other threads may have changed the bucket since.
#[derive(Clone, Copy)]
pub(crate) struct BucketSnapshot([SlotWords; SLOTS]);

/// The two words of a slot as they were read.
#[derive(Clone, Copy, Default)]
struct SlotWords {
    data: u64,
    guard: u64,
}

impl Slot {
    #[inline]
    fn read(&self) -> SlotWords {
        SlotWords { guard: self.guard.load(Relaxed), data: self.data.load(Relaxed) }
    }
}

impl SlotWords {
    /// Returns true if the words were written with the tag of this key. An empty slot matches the
    /// tag zero.
    #[inline]
    fn matches<P: Payload>(self, key: u64) -> bool {
        (self.guard ^ hash(self.data) ^ shifted_tag::<P>(key)) >> tag_shift::<P>() == 0
    }

    #[inline]
    fn packed<P: Payload>(self) -> Packed {
        Packed { data: self.data, payload: (self.guard & payload_mask::<P>()) as u32 }
    }
}

impl Bucket {
    #[inline]
    pub(crate) fn snapshot(&self) -> BucketSnapshot {
        BucketSnapshot(std::array::from_fn(|slot| self.0[slot].read()))
    }

    /// Returns the entry of this key, or an empty one.
    ///
    /// Branches would be mispredicted, as the slot of an entry is random: conditional moves are
    /// faster.
    #[inline]
    pub(crate) fn find<P: Payload>(&self, key: u64) -> Packed {
        let mut found = SlotWords::default();
        for slot in self.0.iter().rev() {
            let words = slot.read();
            let matches = words.matches::<P>(key);
            found.data = select_unpredictable(matches, words.data, found.data);
            found.guard = select_unpredictable(matches, words.guard, found.guard);
        }
        found.packed::<P>()
    }

    /// Returns the guard of the entry of this key, and its value. The tag zero matches an empty
    /// slot too, which has no data.
    pub(crate) fn guard<P: Payload>(&self, key: u64) -> Option<(&AtomicU64, u64)> {
        self.0.iter().find_map(|slot| {
            let words = slot.read();
            let is_found = words.matches::<P>(key) && words.data != 0;
            is_found.then_some((&slot.guard, words.guard))
        })
    }

    /// Writes an entry and its tag, without a mark. When two threads write to one slot at the same
    /// time both entries may be lost; no other slot is affected.
    #[inline]
    pub(crate) fn write<P: Payload>(&self, slot: usize, key: u64, entry: Packed) {
        let high = hash(entry.data) >> tag_shift::<P>() << tag_shift::<P>();
        let guard = (shifted_tag::<P>(key) ^ high) | u64::from(entry.payload);
        self.0[slot].data.store(entry.data, Relaxed);
        store(&self.0[slot].guard, guard);
    }

    /// Returns the contents as words, for a file.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (pair, SlotWords { data, guard }) in
            words.as_chunks_mut().0.iter_mut().zip(self.snapshot().0)
        {
            *pair = [data, guard];
        }
        words
    }

    /// Replaces the contents by those of a file.
    pub(crate) fn set_words(&self, words: [u64; WORDS]) {
        for (pair, slot) in words.chunks_exact(2).zip(&self.0) {
            slot.data.store(pair[0], Relaxed);
            slot.guard.store(pair[1], Relaxed);
        }
    }
}

impl BucketSnapshot {
    /// Returns the entries without their payload, the empty ones included.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Packed> {
        self.0.iter().map(|words| words.packed::<()>())
    }

    /// Returns the entry of this key and its slot. An empty slot may be found for the tag zero;
    /// it is the first empty one, because slots are filled in order.
    #[inline]
    pub(crate) fn find<P: Payload>(&self, key: u64) -> Option<(usize, Packed)> {
        let (mut found_slot, mut found) = (SLOTS, SlotWords::default());
        for (slot, words) in self.0.iter().enumerate().rev() {
            let matches = words.matches::<P>(key);
            found_slot = select_unpredictable(matches, slot, found_slot);
            found.data = select_unpredictable(matches, words.data, found.data);
            found.guard = select_unpredictable(matches, words.guard, found.guard);
        }
        (found_slot < SLOTS).then(|| (found_slot, found.packed::<P>()))
    }

    /// Returns the slot of the least valuable entry, the first of equals.
    #[inline]
    pub(crate) fn replacement_slot(&self, generation: u8) -> usize {
        // The slot in the low bits breaks ties, and the minimum is found without a branch.
        let ranked = |slot: usize| {
            let entry = Packed { data: self.0[slot].data, payload: 0 };
            entry.replacement_value(generation) * SLOTS as i32 + slot as i32
        };
        let least = (1..SLOTS).fold(ranked(0), |least, slot| least.min(ranked(slot)));
        least as usize % SLOTS
    }
}

/// The bit of a guard that says that the position is being searched.
pub(crate) const fn busy_bit<P: Payload>() -> u64 {
    1 << P::BITS
}

/// The number of bits of a guard below the tag.
const fn tag_shift<P: Payload>() -> u32 {
    P::BITS + 1
}

/// Returns the tag of a key, its low bits, where a guard has it. The high bits of the key choose
/// the bucket.
#[inline]
const fn shifted_tag<P: Payload>(key: u64) -> u64 {
    key << tag_shift::<P>()
}

/// Returns a hash whose high bits depend on every bit of the data.
#[inline]
fn hash(data: u64) -> u64 {
    data.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::Full;

    type P = Full<24>;

    fn packed(seed: u64) -> Packed {
        let data = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 3 << 56;
        Packed { data, payload: seed as u32 & 0xff_ffff }
    }

    #[test]
    fn an_entry_is_found_by_its_tag_alone() {
        let bucket = Bucket::default();
        for slot in 0..SLOTS {
            bucket.write::<P>(slot, 100 + slot as u64, packed(slot as u64 + 1));
        }
        for slot in 0..SLOTS {
            let entry = packed(slot as u64 + 1);
            let key = 100 + slot as u64;
            assert_eq!(bucket.snapshot().find::<P>(key), Some((slot, entry)));
            assert_eq!(bucket.find::<P>(key), entry);
            assert_eq!(bucket.find::<P>(key | 1 << 39), entry, "a bit above the tag");
        }
        assert!(bucket.snapshot().find::<P>(99).is_none());
        let copy = Bucket::default();
        copy.set_words(bucket.words());
        assert_eq!(copy.find::<P>(102), packed(3));
        bucket.set_words(Bucket::default().words());
        assert!(bucket.snapshot().find::<P>(100).is_none() && bucket.find::<P>(100).is_empty());
        assert!(Bucket::default().find::<P>(0).is_empty());
    }

    #[test]
    fn without_a_payload_the_tag_has_63_bits() {
        let bucket = Bucket::default();
        let entry = Packed { payload: 0, ..packed(5) };
        for key in [0, 7, u64::MAX, 1 << 63] {
            bucket.write::<()>(0, key, entry);
            assert_eq!(bucket.find::<()>(key), entry);
            for bit in 0..63 {
                assert!(bucket.find::<()>(key ^ 1 << bit).is_empty());
            }
        }
    }

    /// The straightforward search, with branches.
    fn plain_find(bucket: &Bucket, key: u64) -> Option<(usize, Packed)> {
        let read = bucket.0.iter().map(Slot::read).enumerate();
        let tag_of = |words: SlotWords| (words.guard ^ hash(words.data)) >> (P::BITS + 1);
        let mut matching =
            read.filter(|&(_, words)| tag_of(words) == key & u64::MAX >> (P::BITS + 1));
        matching.next().map(|(slot, words)| (slot, words.packed::<P>()))
    }

    fn plain_replacement_slot(bucket: &Bucket, generation: u8) -> usize {
        let entries = bucket.snapshot().entries().collect::<Vec<_>>();
        let empty = entries.iter().position(|entry| entry.is_empty());
        empty.unwrap_or_else(|| {
            let value = |slot: &usize| {
                let entry = entries[*slot];
                i32::from(entry.depth()) - 8 * i32::from(entry.age(generation))
            };
            (0..SLOTS).min_by_key(value).unwrap()
        })
    }

    #[test]
    fn selecting_is_the_same_as_branching() {
        for seed in 0..20_000_u64 {
            let bucket = Bucket::default();
            // Few tags and depths, so that many are equal; the tag zero is one of them.
            for slot in 0..(seed % 5) as usize {
                let mixed = (seed * 4 + slot as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let (key, generation) = (mixed >> 61, mixed >> 40 & 31);
                let data = generation << 59 | 3 << 56 | (mixed >> 50 & 7) << 48 | mixed & 0xffff;
                bucket.write::<P>(slot, key, Packed { data, payload: mixed as u32 & 0xff_ffff });
            }
            for key in 0..8 {
                let expected = plain_find(&bucket, key);
                assert_eq!(bucket.snapshot().find::<P>(key), expected);
                let entry = expected.map_or_else(Packed::default, |(_, entry)| entry);
                assert_eq!(bucket.find::<P>(key), entry);
            }
            let generation = (seed % 32) as u8;
            let expected = plain_replacement_slot(&bucket, generation);
            assert_eq!(bucket.snapshot().replacement_slot(generation), expected);
        }
    }

    #[test]
    fn a_torn_entry_is_rejected() {
        for seed in 1..200_000 {
            let bucket = Bucket::default();
            bucket.write::<P>(0, 7, packed(seed));
            // Another thread has written its data, but not yet its guard.
            bucket.0[0].data.store(packed(seed + 500_000).data, Relaxed);
            assert!(bucket.find::<P>(7).is_empty(), "{seed}");
        }
    }
}
