//! Four records and their tags: one cache line.

use crate::atomic::{AtomicU64, Relaxed};
use crate::packed::{PATH_BITS, Packed};

pub(crate) const RECORDS: usize = 4;

/// The 64-bit words of a bucket.
pub(crate) const WORDS: usize = 2 * RECORDS;

/// The bits of a key that a bucket compares.
pub(crate) const TAG_BITS: u32 = u64::BITS - PATH_BITS;

/// A cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Bucket([Entry; RECORDS]);

#[cfg(not(loom))]
const _: () = assert!(size_of::<Bucket>() == 64 && WORDS * 8 == 64);

/// One record in two words that are written one after the other.
#[derive(Debug, Default)]
struct Entry {
    data: AtomicU64,
    /// In the low bits the path of the record, above them its tag, folded with its data: if the
    /// two words were written by different threads, the tag fits no key (but by chance).
    guard: AtomicU64,
}

/// What one look at a bucket saw. Other threads may have changed it since.
#[derive(Clone, Copy)]
pub(crate) struct Glance {
    pub(crate) records: [Packed; RECORDS],
    tags: [u64; RECORDS],
}

impl Entry {
    #[inline]
    fn read(&self) -> (Packed, u64) {
        let (guard, data) = (self.guard.load(Relaxed), self.data.load(Relaxed));
        let path = guard as u32 & ((1 << PATH_BITS) - 1);
        (Packed { data, path }, (guard >> PATH_BITS) ^ fold(data))
    }
}

impl Bucket {
    #[inline]
    pub(crate) fn glance(&self) -> Glance {
        let mut glance = Glance { records: [Packed::default(); RECORDS], tags: [0; RECORDS] };
        for (slot, entry) in self.0.iter().enumerate() {
            (glance.records[slot], glance.tags[slot]) = entry.read();
        }
        glance
    }

    /// The record of this tag, empty if there is none.
    #[inline]
    pub(crate) fn find(&self, tag: u64) -> Packed {
        let read = self.0.iter().map(Entry::read);
        let mut fitting = read.filter(|&(record, found)| found == tag && !record.is_empty());
        fitting.next().map_or_else(Packed::default, |(record, _)| record)
    }

    /// Writes one record and its tag. Two threads that write here at once may lose both records,
    /// but neither a third.
    #[inline]
    pub(crate) fn write(&self, slot: usize, tag: u64, record: Packed) {
        let guard = (tag ^ fold(record.data)) << PATH_BITS | u64::from(record.path);
        self.0[slot].data.store(record.data, Relaxed);
        self.0[slot].guard.store(guard, Relaxed);
    }

    pub(crate) fn clear(&self) {
        self.set_words([0; WORDS]);
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

impl Glance {
    /// Where the record of this tag is.
    #[inline]
    pub(crate) fn find(&self, tag: u64) -> Option<usize> {
        (0..RECORDS).find(|&slot| self.tags[slot] == tag && !self.records[slot].is_empty())
    }
}

/// The bits of a key that say least about its bucket.
#[inline]
pub(crate) fn tag(key: u64) -> u64 {
    key & ((1 << TAG_BITS) - 1)
}

/// As many bits as a tag has, which change with any of the 64.
#[inline]
fn fold(data: u64) -> u64 {
    data.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - TAG_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(seed: u64) -> Packed {
        let data = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 3 << 56;
        Packed { data, path: seed as u32 & 0xff_ffff }
    }

    #[test]
    fn a_record_is_found_by_its_tag_alone() {
        let bucket = Bucket::default();
        for slot in 0..RECORDS {
            bucket.write(slot, 100 + slot as u64, packed(slot as u64 + 1));
        }
        for slot in 0..RECORDS {
            assert_eq!(bucket.glance().find(100 + slot as u64), Some(slot));
            assert_eq!(bucket.find(100 + slot as u64), packed(slot as u64 + 1));
        }
        assert_eq!(bucket.glance().find(99), None);
        let copy = Bucket::default();
        copy.set_words(bucket.words());
        assert_eq!(copy.find(102), packed(3));
        bucket.clear();
        assert!(bucket.glance().find(100).is_none() && bucket.find(100).is_empty());
        assert!(Bucket::default().find(0).is_empty());
    }

    #[test]
    fn a_torn_record_is_not_taken() {
        for seed in 1..200_000 {
            let bucket = Bucket::default();
            bucket.write(0, 7, packed(seed));
            // Another thread has written its data, but not yet its guard.
            bucket.0[0].data.store(packed(seed + 500_000).data, Relaxed);
            assert!(bucket.find(7).is_empty(), "{seed}");
        }
    }
}
