//! The transposition table: buckets, replacement and generations.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::bucket::{Bucket, SLOTS};
use crate::entry::Entry;
use crate::huge_pages::{Pages, for_each_part, threads_for};
use crate::memory::{OutOfMemory, Reserved, buckets_of};
use crate::packed::{GENERATIONS, Packed};
use crate::payload::Payload;
use crate::prefetch::prefetch;

/// The number of buckets that [`hashfull`](TranspositionTable::hashfull) samples.
const SAMPLE: usize = 1000;

/// A transposition table that all threads of a search read and write at the same time.
///
/// `M` is the move, converted to and from 16 bits. `P` is the [`Payload`]: bits of the caller's own
/// in every entry, by default none.
///
/// # Races
///
/// No thread waits for another. [`probe`](Self::probe) compares a tag of `63 - P::BITS` bits with
/// each of four entries. With a probability of 1 in 2^(63 − `P::BITS`) each it accepts an entry
/// that was never stored for this key: one of another position, or one whose two words come from
/// different writers. That is accepted, because a lock costs more than such an entry; but a move
/// from the table must be checked for legality. When two threads write to one slot at the same
/// time, one or both entries are lost, at random: a search with several threads is not
/// reproducible.
///
/// ```
/// use koel_tt::{Bound, Entry, TranspositionTable};
///
/// let table: TranspositionTable<u16> = TranspositionTable::new(1).unwrap();
/// let entry = Entry::new(-20, Bound::Upper, 4).with_move(7);
/// std::thread::scope(|scope| {
///     scope.spawn(|| table.store(1 << 60, entry));
/// });
/// assert_eq!(table.probe(1 << 60).map(|entry| entry.depth), Some(4));
/// ```
pub struct TranspositionTable<M, P = ()> {
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) pages: Pages,
    /// The number of searches so far, modulo [`GENERATIONS`].
    pub(crate) generation: AtomicU8,
    contents: PhantomData<fn() -> (M, P)>,
}

impl<M, P> TranspositionTable<M, P> {
    /// Returns an empty table of this size in MiB, in huge pages if the system has them.
    ///
    /// With 0 MiB it has one bucket of four entries.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system refuses that much. Most systems promise more than they have
    /// and end the process that uses it: check the available memory before a large table.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Self::with_pages(mebibytes, Pages::Huge)
    }

    /// Returns an empty table of this size in MiB, in pages of the preferred kind.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_pages(mebibytes: usize, preferred: Pages) -> Result<Self, OutOfMemory> {
        let reserved = Reserved::of_mebibytes(mebibytes, preferred)?;
        let pages = reserved.pages();
        let generation = AtomicU8::new(0);
        Ok(Self { buckets: reserved.filled(), pages, generation, contents: PhantomData })
    }

    /// Replaces the table by an empty one of this size in MiB. If the size does not change, the
    /// table is cleared in place and keeps its pages: graphical interfaces set all options, the
    /// unchanged ones too.
    ///
    /// # Errors
    /// [`OutOfMemory`], as for [`new`](Self::new). The present table is then kept, with its
    /// entries.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        if buckets_of(mebibytes) == self.buckets.len() {
            self.clear(threads_for(self.bytes()));
            return Ok(());
        }
        let reserved = Reserved::of_mebibytes(mebibytes, Pages::Huge)?;
        // The old memory is released before the new is used: there may not be enough for both.
        self.buckets = Vec::new();
        self.pages = reserved.pages();
        self.buckets = reserved.filled();
        self.generation = AtomicU8::new(0);
        Ok(())
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Returns the kind of pages that the table is in.
    #[must_use]
    pub fn pages(&self) -> Pages {
        self.pages
    }

    /// Removes all entries, with at most this number of threads (at least one): with fewer if the
    /// table is small, the machine has fewer cores, or the system refuses them.
    pub fn clear(&mut self, threads: usize) {
        let threads = threads.min(threads_for(self.bytes()));
        for_each_part(&mut self.buckets, threads, clear_buckets);
        self.generation = AtomicU8::new(0);
    }

    /// Begins a new search: the age of all entries grows by one.
    pub fn new_search(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    /// Returns the permille of the table that holds entries of this search, estimated from a
    /// sample.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let generation = self.generation();
        let is_current = |entry: &Packed| !entry.is_empty() && entry.age(generation) == 0;
        let current = sample
            .iter()
            .map(|bucket| bucket.snapshot().entries().filter(is_current).count())
            .sum::<usize>();
        current * 1000 / (sample.len() * SLOTS)
    }

    /// Begins to fetch the bucket of this key into the cache, so that a later
    /// [`probe`](Self::probe) does not wait for the memory.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// Returns the bucket of a key. The high half of the product uses every size in full, not only
    /// powers of two. The bucket always exists; the option avoids the code for a panic.
    #[inline]
    pub(crate) fn bucket(&self, key: u64) -> Option<&Bucket> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

impl<M: From<u16> + Into<u16>, P: Payload> TranspositionTable<M, P> {
    /// Returns the entry of the position with this key.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry<M, P>> {
        self.bucket(key)?.find::<P>(key).unpack()
    }

    /// Stores an entry, in the place of the least valuable one of the bucket.
    ///
    /// An entry of the same position is kept, with the new move, if it is much deeper and of this
    /// search and the new one is not exact. A new entry without a move keeps the old move.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry<M, P>) {
        let generation = self.generation();
        let new = Packed::new(entry, generation);
        let Some(bucket) = self.bucket(key) else { return };
        let snapshot = bucket.snapshot();
        let (slot, entry) = match snapshot.find::<P>(key) {
            None => (snapshot.replacement_slot(generation), new),
            Some((slot, old)) => (slot, new.merged_with(old, generation)),
        };
        bucket.write::<P>(slot, key, entry);
    }
}

impl<M, P> std::fmt::Debug for TranspositionTable<M, P> {
    /// Prints the size, not the entries.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("buckets", &self.buckets.len())
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

/// Empties buckets to which there is exclusive access: the stores need not be atomic, and the
/// compiler turns them into one fill.
fn clear_buckets(buckets: &mut [Bucket]) {
    buckets.fill_with(Bucket::default);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Bound;
    use crate::payload::Full;

    fn entry(best_move: u16, depth: u8, bound: Bound) -> Entry<u16> {
        Entry::of_move(best_move, depth, bound)
    }

    /// Returns keys of one bucket, for any number of buckets.
    fn key(tag: u64) -> u64 {
        7 << 60 | tag
    }

    fn small() -> TranspositionTable<u16> {
        TranspositionTable::new(1).unwrap()
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = small();
        table.store(key(1), entry(42, 5, Bound::Lower));
        table.store(key(1), entry(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(1)), Some(entry(42, 6, Bound::Upper)));
        table.store(key(2), entry(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(2)).unwrap().best_move, None);
    }

    #[test]
    fn a_much_deeper_entry_stays_unless_the_new_one_is_exact_or_it_is_old() {
        let table = small();
        table.store(key(1), entry(42, 9, Bound::Lower));
        table.store(key(1), entry(43, 5, Bound::Lower));
        assert_eq!(table.probe(key(1)), Some(entry(43, 9, Bound::Lower)));
        table.store(key(1), entry(44, 6, Bound::Lower));
        assert_eq!(table.probe(key(1)), Some(entry(44, 6, Bound::Lower)));
        table.store(key(1), entry(45, 1, Bound::Exact));
        assert_eq!(table.probe(key(1)), Some(entry(45, 1, Bound::Exact)));
        table.store(key(1), entry(46, 9, Bound::Exact));
        table.new_search();
        table.store(key(1), entry(47, 1, Bound::Upper));
        assert_eq!(table.probe(key(1)), Some(entry(47, 1, Bound::Upper)));
    }

    #[test]
    fn an_entry_that_is_kept_keeps_its_payload() {
        let table = TranspositionTable::<u16, Full<24>>::new(1).unwrap();
        let with_payload = |best_move, depth, payload| Entry {
            payload: Full(payload),
            ..Entry::of_move(best_move, depth, Bound::Lower)
        };
        table.store(key(1), with_payload(42, 9, 0xab_cdef));
        table.store(key(1), with_payload(43, 5, 0x12_3456));
        assert_eq!(table.probe(key(1)), Some(with_payload(43, 9, 0xab_cdef)));
        table.store(key(1), with_payload(44, 8, 0x12_3456));
        assert_eq!(table.probe(key(1)), Some(with_payload(44, 8, 0x12_3456)));
    }

    #[test]
    fn the_shallowest_entry_is_replaced_and_old_ones_before_new_ones() {
        let table = small();
        for (tag, depth) in [(1, 7), (2, 3), (3, 8), (4, 5), (5, 6)] {
            table.store(key(tag), entry(1, depth, Bound::Lower));
        }
        let depths = |tags: [u64; 6]| tags.map(|tag| table.probe(key(tag)).map(|old| old.depth));
        let expected = [Some(7), None, Some(8), Some(5), Some(6), None];
        assert_eq!(depths([1, 2, 3, 4, 5, 6]), expected);
        table.new_search();
        table.store(key(4), entry(1, 5, Bound::Lower));
        table.store(key(6), entry(1, 1, Bound::Lower));
        let expected = [Some(7), None, Some(8), Some(5), None, Some(1)];
        assert_eq!(depths([1, 2, 3, 4, 5, 6]), expected);
    }

    #[test]
    fn generations_wrap_around() {
        let table = small();
        for _ in 0..100 {
            table.store(key(1), entry(1, 1, Bound::Exact));
            table.prefetch(key(1));
            assert_eq!(table.probe(key(1)), Some(entry(1, 1, Bound::Exact)));
            table.new_search();
        }
    }

    #[test]
    fn a_refused_size_keeps_the_table_and_another_replaces_it() {
        let mut table = small();
        table.store(key(1), entry(42, 5, Bound::Exact));
        for mebibytes in [usize::MAX, usize::MAX >> 21, 1 << 40] {
            let refused = table.resize(mebibytes).unwrap_err();
            assert_eq!(refused.mebibytes, mebibytes);
            assert_eq!(table.probe(key(1)), Some(entry(42, 5, Bound::Exact)));
        }
        let refused = OutOfMemory { mebibytes: 99 };
        assert_eq!(refused.to_string(), "no memory for a transposition table of 99 MiB");
        table.resize(3).unwrap();
        assert_eq!((table.bytes(), table.probe(key(1))), (3 << 20, None));
        table.store(key(1), entry(42, 5, Bound::Exact));
        let address = table.buckets.as_ptr();
        table.resize(3).unwrap();
        assert_eq!((table.bytes(), table.probe(key(1))), (3 << 20, None));
        assert_eq!(table.buckets.as_ptr(), address, "the same size stays in place");
    }

    #[test]
    fn clearing_removes_every_entry() {
        let keys = || (0..40_000_u64).map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for threads in [0, 1, 3, 100] {
            let mut table = small();
            keys().for_each(|key| table.store(key, entry(1, 1, Bound::Exact)));
            assert!((500..=700).contains(&table.hashfull()), "{}", table.hashfull());
            table.new_search();
            assert_eq!(table.hashfull(), 0, "old entries do not count");
            table.clear(threads);
            assert!(keys().all(|key| table.probe(key).is_none()));
        }
    }

    #[test]
    fn every_bucket_is_used_in_tables_of_any_size() {
        let table = TranspositionTable::<u16>::new(0).unwrap();
        assert_eq!(table.bytes(), 64);
        table.store(u64::MAX, entry(1, 1, Bound::Exact));
        table.store(0, entry(2, 1, Bound::Exact));
        assert_eq!(table.hashfull(), 500);
        for mebibytes in [1, 3, 7] {
            let table = TranspositionTable::<u16>::new(mebibytes).unwrap();
            let count = table.buckets.len() as u64;
            for index in 0..count {
                let first = ((u128::from(index) << 64).div_ceil(u128::from(count))) as u64;
                table.store(first, entry(1, 1, Bound::Exact));
            }
            let is_used =
                |bucket: &Bucket| bucket.snapshot().entries().any(|entry| !entry.is_empty());
            assert!(table.buckets.iter().all(is_used));
            assert_eq!(table.hashfull(), 250);
            table.prefetch(u64::MAX);
            table.store(u64::MAX, entry(1, 1, Bound::Exact));
            assert!(table.probe(u64::MAX).is_some());
        }
    }
}
