//! The table: which bucket, which entry goes, and how old everything is.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::bucket::{Bucket, SLOTS, tag};
use crate::entry::Entry;
use crate::huge_pages::{Pages, threads_for};
use crate::memory::{OutOfMemory, Reserved, buckets_of};
use crate::packed::{GENERATIONS, Packed};
use crate::prefetch::prefetch;

/// Buckets that [`hashfull`](TranspositionTable::hashfull) looks at.
const SAMPLE: usize = 1000;

/// A transposition table that all threads of a search read and write at once.
///
/// # Races
///
/// Nobody waits. [`probe`](Self::probe) may return an entry that was never stored for its key,
/// with odds of one in 2⁴⁰ for each of the four entries it compares: it is another position's, or
/// was torn by a writer in between. An entry may also be lost when two threads write to one place
/// at the same time. Both are accepted: waiting costs more than such an entry does harm, if its
/// move is checked for legality. And which of two entries written at once stays is chance, so a
/// search with more than one thread cannot be repeated exactly.
pub struct TranspositionTable<M> {
    pub(crate) buckets: Vec<Bucket>,
    pub(crate) pages: Pages,
    /// The number of searches so far, modulo [`GENERATIONS`].
    pub(crate) age: AtomicU8,
    moves: PhantomData<fn(M) -> M>,
}

impl<M> TranspositionTable<M> {
    /// An empty table of so many MiB, in huge pages if the system has them.
    ///
    /// With 0 MiB it has one bucket of four entries.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system refuses that much, or says that it has not as much free.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Self::with_pages(mebibytes, Pages::Huge)
    }

    /// The same, in pages as they are wished.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_pages(mebibytes: usize, wish: Pages) -> Result<Self, OutOfMemory> {
        let reserved = Reserved::of_mebibytes(mebibytes, 0, wish)?;
        let pages = reserved.pages();
        Ok(Self { buckets: reserved.filled(), pages, age: AtomicU8::new(0), moves: PhantomData })
    }

    /// Replaces the table by an empty one of so many MiB. One of this size is emptied where it lies:
    /// graphical interfaces set all options whether they differ or not. It keeps its pages then.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system refuses that much, or has not as much even without the
    /// present table, which is then kept with all it holds.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        if buckets_of(mebibytes) == self.buckets.len() {
            self.clear(threads_for(self.bytes()));
            return Ok(());
        }
        let reserved = Reserved::of_mebibytes(mebibytes, self.bytes(), Pages::Huge)?;
        // The old memory goes before the new is used: together they may be too much.
        self.buckets = Vec::new();
        self.pages = reserved.pages();
        self.buckets = reserved.filled();
        self.age = AtomicU8::new(0);
        Ok(())
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// The pages in which it lies.
    #[must_use]
    pub fn pages(&self) -> Pages {
        self.pages
    }

    /// Forgets everything, with so many threads (at least one).
    pub fn clear(&mut self, threads: usize) {
        let share = self.buckets.len().div_ceil(threads.max(1));
        if threads <= 1 {
            empty(&mut self.buckets);
        } else {
            std::thread::scope(|scope| {
                for part in self.buckets.chunks_mut(share) {
                    scope.spawn(|| empty(part));
                }
            });
        }
        self.age = AtomicU8::new(0);
    }

    /// Says that a new search begins: what is stored already ages by one.
    pub fn new_search(&self) {
        self.age.store((self.age() + 1) % GENERATIONS, Relaxed);
    }

    /// How much of the table this search has filled, in permille, from a sample of it.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let now = self.age();
        let is_fresh = |entry: &Packed| !entry.is_empty() && entry.age(now) == 0;
        let fresh = sample
            .iter()
            .map(|bucket| bucket.snapshot().entries().filter(is_fresh).count())
            .sum::<usize>();
        fresh * 1000 / (sample.len() * SLOTS)
    }

    /// Begins to fetch what [`probe`](Self::probe) will look at for this key, so that it need not
    /// wait for the memory.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    /// By the high half of the product every size is used in full, not only powers of two. There
    /// always is such a bucket; an option spares the callers a panic.
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        self.buckets.get(index as usize)
    }
}

impl<M: From<u16> + Into<u16>> TranspositionTable<M> {
    /// What is remembered of the position with this key.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry<M>> {
        self.bucket(key)?.find(tag(key)).unpack()
    }

    /// Remembers an entry, in the place of the one that is worth least.
    ///
    /// If the position has an entry already that is much deeper, of this search, and if this one
    /// is no exact score, that is kept instead, with the new move. If this one has no move, the
    /// old move is kept.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry<M>) {
        let now = self.age();
        let fresh = Packed::new(entry, now);
        let Some(bucket) = self.bucket(key) else { return };
        let snapshot = bucket.snapshot();
        let (slot, entry) = match snapshot.find(tag(key)) {
            None => (snapshot.replacement_slot(now), fresh),
            Some((slot, old)) => (slot, fresh.over(old, now)),
        };
        bucket.write(slot, tag(key), entry);
    }
}

impl<M> std::fmt::Debug for TranspositionTable<M> {
    /// The size only; millions of entries help nobody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("buckets", &self.buckets.len())
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

/// Nobody else sees them meanwhile, so the stores need not be atomic, and the compiler makes one
/// filling of them.
fn empty(buckets: &mut [Bucket]) {
    buckets.fill_with(Bucket::default);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bound, PathDependence};

    fn entry(best_move: u16, depth: u8, bound: Bound) -> Entry<u16> {
        Entry {
            best_move: (best_move != 0).then_some(best_move),
            score: i16::from(depth),
            static_eval: None,
            depth,
            bound,
            is_pv: false,
            dependence: PathDependence::NONE,
        }
    }

    /// Keys of one bucket, however many buckets there are.
    fn key(tag: u64) -> u64 {
        7 << 60 | tag
    }

    fn small() -> TranspositionTable<u16> {
        TranspositionTable::new(1).unwrap()
    }

    #[test]
    fn a_move_is_not_overwritten_by_none() {
        let table = small();
        table.store(key(1), entry(42, 5, Bound::Lower));
        table.store(key(1), entry(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(1)), Some(entry(42, 6, Bound::Upper)));
        table.store(key(2), entry(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(2)).unwrap().best_move, None);
    }

    #[test]
    fn much_deeper_stays_unless_the_new_is_exact_or_the_old_is_old() {
        let table = small();
        let head = PathDependence::new(true, false, 0xabcd, 9);
        table.store(key(1), Entry { dependence: head, ..entry(42, 9, Bound::Lower) });
        table.store(key(1), entry(43, 5, Bound::Lower));
        let kept = Entry { dependence: head, ..entry(43, 9, Bound::Lower) };
        assert_eq!(table.probe(key(1)), Some(kept), "with what its score rests on");
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
    fn the_shallowest_goes_and_the_old_before_the_young() {
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
    fn ages_go_round() {
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
        let refused = OutOfMemory { mebibytes: 99, available: None };
        assert_eq!(refused.to_string(), "no memory for a transposition table of 99 MiB");
        let refused = OutOfMemory { available: Some(70), ..refused };
        assert!(refused.to_string().ends_with("of 99 MiB, only for 70 MiB"));
        table.resize(3).unwrap();
        assert_eq!((table.bytes(), table.probe(key(1))), (3 << 20, None));
        table.store(key(1), entry(42, 5, Bound::Exact));
        let place = table.buckets.as_ptr();
        table.resize(3).unwrap();
        assert_eq!((table.bytes(), table.probe(key(1))), (3 << 20, None));
        assert_eq!(table.buckets.as_ptr(), place, "the same size is no reason to move");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn more_than_there_is_is_refused_before_it_is_mapped() {
        let mut table = small();
        table.store(key(1), entry(42, 5, Bound::Exact));
        let there_is = (crate::available_memory().unwrap() >> 20) as usize;
        for mebibytes in [there_is + 1, there_is + 64, 2 * there_is, 1 << 30] {
            let refused = table.resize(mebibytes).unwrap_err();
            assert!(refused.available.unwrap() < mebibytes, "{refused}");
            assert_eq!(table.probe(key(1)), Some(entry(42, 5, Bound::Exact)));
        }
    }

    #[test]
    fn clearing_leaves_nothing() {
        let keys = || (0..40_000_u64).map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for threads in [0, 1, 3, 100] {
            let mut table = small();
            keys().for_each(|key| table.store(key, entry(1, 1, Bound::Exact)));
            assert!((500..=700).contains(&table.hashfull()), "{}", table.hashfull());
            table.new_search();
            assert_eq!(table.hashfull(), 0, "what is old does not count");
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
            assert!(
                table
                    .buckets
                    .iter()
                    .all(|bucket| bucket.snapshot().entries().any(|entry| !entry.is_empty()))
            );
            assert_eq!(table.hashfull(), 250);
            table.prefetch(u64::MAX);
            table.store(u64::MAX, entry(1, 1, Bound::Exact));
            assert!(table.probe(u64::MAX).is_some());
        }
    }
}
