//! The table: which bucket, which record goes, and how old everything is.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::bucket::{Bucket, Glance, RECORDS};
use crate::memory::{OutOfMemory, allocate};
use crate::record::{AGES, Bound, Packed, Record};

/// A search ago weighs as much as this many plies when a record must go.
const PLIES_A_YEAR: i32 = 8;

/// A record of the same position may be shallower by less than this and still replace.
const PLIES_OF_GRACE: i32 = 4;

/// A transposition table that all threads of a search read and write at once.
///
/// # Races
///
/// [`probe`](Self::probe) may return a record that was never stored for its key: with odds of one
/// in 65,536 for each of the three records it compares, whether they are another position's or
/// torn by a writer in between. A record may also be lost when two threads write to one bucket at
/// the same time. Both are accepted: waiting costs more than such a record does harm, if its move
/// is checked for legality.
pub struct TranspositionTable<M> {
    buckets: Vec<Bucket>,
    /// The number of searches so far, modulo [`AGES`].
    age: AtomicU8,
    moves: PhantomData<fn(M) -> M>,
}

impl<M: Copy + From<u16> + Into<u16>> TranspositionTable<M> {
    /// An empty table of so many MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system refuses that much.
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { buckets: allocate(mebibytes)?, age: AtomicU8::new(0), moves: PhantomData })
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system refuses that much beside the present table, which is then
    /// kept with all it holds.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.buckets = allocate(mebibytes)?;
        Ok(())
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Forgets everything, with so many threads (at least one).
    pub fn clear(&mut self, threads: usize) {
        let share = self.buckets.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in self.buckets.chunks(share) {
                scope.spawn(|| part.iter().for_each(Bucket::clear));
            }
        });
        self.age = AtomicU8::new(0);
    }

    /// Says that a new search begins: what is stored already ages by one.
    pub fn new_search(&self) {
        self.age.store((self.age() + 1) % AGES, Relaxed);
    }

    /// What is remembered of the position with this key.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Record<M>> {
        let glance = self.bucket(key).glance();
        glance.records[glance.find(tag(key))?].unpack()
    }

    /// Remembers a record, in the place of the one that is worth least.
    ///
    /// If the position has a record already that is much deeper, of this search, and if this one
    /// is no exact score, that is kept instead. If this one has no move, the old move is kept.
    #[inline]
    pub fn store(&self, key: u64, record: Record<M>) {
        let bucket = self.bucket(key);
        let glance = bucket.glance();
        let now = self.age();
        let mut packed = Packed::new(record, now);
        let slot = match glance.find(tag(key)) {
            None => least_worth(&glance, now),
            Some(slot) => {
                let old = glance.records[slot];
                let depth = i32::from(record.depth) + 2 * i32::from(record.was_pv);
                let is_worth_more = record.bound == Bound::Exact
                    || old.years(now) != 0
                    || depth + PLIES_OF_GRACE > i32::from(old.depth());
                if packed.move_bits() == 0 {
                    packed = packed.with_move_bits(old.move_bits());
                }
                if !is_worth_more {
                    // What refutes is news even where the score is not.
                    packed = old.with_move_bits(packed.move_bits());
                }
                slot
            }
        };
        bucket.write(slot, tag(key), packed);
    }

    /// How much of the table this search has filled, in permille, from a sample of it.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let now = self.age();
        let is_fresh = |record: &Packed| !record.is_empty() && record.years(now) == 0;
        let fresh = sample
            .iter()
            .map(|bucket| bucket.glance().records.iter().filter(|record| is_fresh(record)).count())
            .sum::<usize>();
        fresh * 1000 / (sample.len() * RECORDS)
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

impl<M> std::fmt::Debug for TranspositionTable<M> {
    /// The size only; millions of records help nobody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TranspositionTable")
            .field("buckets", &self.buckets.len())
            .finish_non_exhaustive()
    }
}

/// The bits of a key that say nothing about its bucket.
#[inline]
fn tag(key: u64) -> u16 {
    key as u16
}

#[inline]
fn least_worth(glance: &Glance, now: u8) -> usize {
    let worth = |slot: usize| {
        let record = glance.records[slot];
        if record.is_empty() {
            i32::MIN
        } else {
            i32::from(record.depth()) - PLIES_A_YEAR * i32::from(record.years(now))
        }
    };
    let mut least = 0;
    for slot in 1..RECORDS {
        if worth(slot) < worth(least) {
            least = slot;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(best_move: u16, depth: u8, bound: Bound) -> Record<u16> {
        Record {
            best_move: (best_move != 0).then_some(best_move),
            score: i16::from(depth),
            static_eval: None,
            depth,
            bound,
            was_pv: false,
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
        table.store(key(1), record(42, 5, Bound::Lower));
        table.store(key(1), record(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(1)), Some(record(42, 6, Bound::Upper)));
        table.store(key(2), record(0, 6, Bound::Upper));
        assert_eq!(table.probe(key(2)).unwrap().best_move, None);
    }

    #[test]
    fn much_deeper_stays_unless_the_new_is_exact_or_the_old_is_old() {
        let table = small();
        table.store(key(1), record(42, 9, Bound::Lower));
        table.store(key(1), record(43, 5, Bound::Lower));
        assert_eq!(table.probe(key(1)), Some(Record { score: 9, ..record(43, 9, Bound::Lower) }));
        table.store(key(1), record(44, 6, Bound::Lower));
        assert_eq!(table.probe(key(1)), Some(record(44, 6, Bound::Lower)));
        table.store(key(1), record(45, 1, Bound::Exact));
        assert_eq!(table.probe(key(1)), Some(record(45, 1, Bound::Exact)));
        table.store(key(1), record(46, 9, Bound::Exact));
        table.new_search();
        table.store(key(1), record(47, 1, Bound::Upper));
        assert_eq!(table.probe(key(1)), Some(record(47, 1, Bound::Upper)));
    }

    #[test]
    fn the_shallowest_goes_and_the_old_before_the_young() {
        let table = small();
        for (tag, depth) in [(1, 7), (2, 3), (3, 8), (4, 5)] {
            table.store(key(tag), record(1, depth, Bound::Lower));
        }
        let depths = |tags: [u64; 5]| tags.map(|tag| table.probe(key(tag)).map(|old| old.depth));
        assert_eq!(depths([1, 2, 3, 4, 5]), [Some(7), None, Some(8), Some(5), None]);
        table.new_search();
        table.store(key(4), record(1, 5, Bound::Lower));
        table.store(key(5), record(1, 1, Bound::Lower));
        assert_eq!(depths([1, 2, 3, 4, 5]), [None, None, Some(8), Some(5), Some(1)]);
    }

    #[test]
    fn ages_go_round() {
        let table = small();
        for _ in 0..100 {
            table.store(key(1), record(1, 1, Bound::Exact));
            assert_eq!(table.probe(key(1)), Some(record(1, 1, Bound::Exact)));
            table.new_search();
        }
    }

    #[test]
    fn a_refused_size_keeps_the_table() {
        let mut table = small();
        table.store(key(1), record(42, 5, Bound::Exact));
        for mebibytes in [usize::MAX, usize::MAX >> 21, 1 << 40] {
            assert_eq!(table.resize(mebibytes), Err(OutOfMemory { mebibytes }));
            assert_eq!(table.probe(key(1)), Some(record(42, 5, Bound::Exact)));
        }
        let refused = OutOfMemory { mebibytes: 99 };
        assert_eq!(refused.to_string(), "no memory for a transposition table of 99 MiB");
        table.resize(3).unwrap();
        assert_eq!((table.bytes(), table.probe(key(1))), (3 << 20, None));
    }

    #[test]
    fn clearing_leaves_nothing() {
        for threads in [0, 1, 3, 100] {
            let mut table = small();
            for tag in 0..30_000 {
                table.store(
                    (tag as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    record(1, 1, Bound::Exact),
                );
            }
            assert!((200..=400).contains(&table.hashfull()), "{}", table.hashfull());
            table.new_search();
            assert_eq!(table.hashfull(), 0, "what is old does not count");
            table.clear(threads);
            let keys = (0..30_000_u64).map(|tag| tag.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert!(keys.into_iter().all(|key| table.probe(key).is_none()));
        }
    }

    #[test]
    fn every_bucket_is_used() {
        let table = TranspositionTable::<u16>::new(0).unwrap();
        table.store(u64::MAX, record(1, 1, Bound::Exact));
        table.store(0, record(2, 1, Bound::Exact));
        assert_eq!(table.hashfull(), 666);
        let table = small();
        table.store(u64::MAX, record(1, 1, Bound::Exact));
        assert!(table.probe(u64::MAX).is_some());
    }
}
