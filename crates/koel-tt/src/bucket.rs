//! Three records and their tags: what shares half a cache line.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::record::Packed;

pub(crate) const RECORDS: usize = 3;

/// Half a cache line. The fourth word holds the tags of the three records, 16 bits each.
#[derive(Default)]
#[repr(align(32))]
pub(crate) struct Bucket {
    records: [AtomicU64; RECORDS],
    tags: AtomicU64,
}

/// What one look at a bucket saw. Other threads may have changed it since.
#[derive(Clone, Copy)]
pub(crate) struct Glance {
    pub(crate) records: [Packed; RECORDS],
    tags: u64,
}

impl Bucket {
    #[inline]
    pub(crate) fn glance(&self) -> Glance {
        let tags = self.tags.load(Relaxed);
        let records = self.records.each_ref().map(|record| Packed(record.load(Relaxed)));
        Glance { records, tags }
    }

    /// Writes one record and its tag. Two threads that write here at once may lose one of the two
    /// tags; its record then matches no key, and is as good as gone.
    #[inline]
    pub(crate) fn write(&self, slot: usize, key_tag: u16, record: Packed) {
        let shift = 16 * slot;
        let others = self.tags.load(Relaxed) & !(0xffff << shift);
        self.records[slot].store(record.0, Relaxed);
        self.tags.store(others | u64::from(key_tag ^ record.fold()) << shift, Relaxed);
    }

    pub(crate) fn clear(&self) {
        for record in &self.records {
            record.store(0, Relaxed);
        }
        self.tags.store(0, Relaxed);
    }
}

impl Glance {
    /// Where the record of this key is, if its tag and its contents belong together.
    #[inline]
    pub(crate) fn find(&self, key_tag: u16) -> Option<usize> {
        (0..RECORDS).find(|&slot| {
            let record = self.records[slot];
            let tag = (self.tags >> (16 * slot)) as u16;
            tag == key_tag ^ record.fold() && !record.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(seed: u64) -> Packed {
        Packed(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 3 << 56)
    }

    #[test]
    fn a_record_is_found_by_its_tag_alone() {
        let bucket = Bucket::default();
        for slot in 0..RECORDS {
            bucket.write(slot, 100 + slot as u16, packed(slot as u64 + 1));
        }
        for slot in 0..RECORDS {
            assert_eq!(bucket.glance().find(100 + slot as u16), Some(slot));
        }
        assert_eq!(bucket.glance().find(99), None);
        bucket.clear();
        assert_eq!(bucket.glance().find(100), None);
        assert_eq!(Bucket::default().glance().find(0), None);
    }

    #[test]
    fn a_record_without_its_tag_is_not_taken() {
        let mut taken = 0;
        for seed in 1..20_000 {
            let bucket = Bucket::default();
            bucket.write(0, 7, packed(seed));
            // Another thread has written its record, but not yet its tag.
            bucket.records[0].store(packed(seed + 50_000).0, Relaxed);
            taken += u32::from(bucket.glance().find(7).is_some());
        }
        assert!(taken <= 5, "{taken} of 20,000 torn records were taken");
    }
}
