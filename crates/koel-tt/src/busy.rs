//! Marks of the positions that are being searched, so that threads do not duplicate work.

use crate::atomic::{AtomicU64, Relaxed};
use crate::bucket::busy_bit;
use crate::payload::Payload;
use crate::table::TranspositionTable;

/// The mark of a position that a thread is searching: a bit of the position's entry in the
/// [`TranspositionTable`], which is cleared when the mark is dropped.
///
/// # The protocol
///
/// From a depth at which a subtree is worth it (6 plies is a good start), check before a move
/// whether the child [is busy](TranspositionTable::is_busy). If so, defer the move to the end of
/// the list, when its result may be in the table; otherwise
/// [mark](TranspositionTable::mark_busy) the child and search it. A deferred move is searched
/// without a further check.
///
/// It is enough to do so with the table move of a node that is expected to fail high: that is where
/// threads meet, and the child nearly always has an entry. To mark a child without one, store a
/// bound that is always true first. Whoever defers later moves too gains if he probes the *node*
/// again before he searches them. (ABDADA: Weill 1996; simplified: Kerrigan 2013.)
///
/// Marks change only the order of moves. A thread may take its own mark for another's, but only
/// where the marked position is repeated below itself. With one thread there is nothing to check.
///
/// # Races
///
/// No thread waits for another. Two threads may check before either marks, and search the same
/// child; then one of them makes no mark. A mark ends early when the position is stored, as there
/// is a result then, and when its entry is replaced. No mark stays behind: the bit is set only in
/// the word that was read, and cleared unless a store has overwritten it. A thread does not remove
/// the mark of another, except of the same position where a store between them changed nothing.
#[must_use = "the mark is removed when this is dropped"]
#[derive(Debug)]
pub struct BusyMark<'a> {
    guard: &'a AtomicU64,
    unmarked: u64,
    marked: u64,
}

impl Drop for BusyMark<'_> {
    fn drop(&mut self) {
        // If this fails, a store has ended the mark.
        let _ = self.guard.compare_exchange(self.marked, self.unmarked, Relaxed, Relaxed);
    }
}

impl<M, P: Payload> TranspositionTable<M, P> {
    /// Returns true if a thread is searching the position of this key and has
    /// [marked](Self::mark_busy) it.
    #[must_use]
    pub fn is_busy(&self, key: u64) -> bool {
        let guard = self.bucket(key).and_then(|bucket| bucket.guard::<P>(key));
        guard.is_some_and(|(_, value)| value & busy_bit::<P>() != 0)
    }

    /// Marks the position of this key as being searched, until the mark is dropped. `None` if the
    /// position has no entry or is marked already; the caller need not care.
    pub fn mark_busy(&self, key: u64) -> Option<BusyMark<'_>> {
        let (guard, unmarked) = self.bucket(key)?.guard::<P>(key)?;
        let marked = unmarked | busy_bit::<P>();
        if marked == unmarked {
            return None;
        }
        guard.compare_exchange(unmarked, marked, Relaxed, Relaxed).ok()?;
        Some(BusyMark { guard, unmarked, marked })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bound, Entry};
    use crate::payload::Full;

    type Table = TranspositionTable<u16, Full<24>>;

    const KEY: u64 = 0x1234_5678_9abc_def0;

    fn entry(depth: u8) -> Entry<u16, Full<24>> {
        Entry { payload: Full(0xff_ffff), ..Entry::of_move(7, depth, Bound::Lower) }
    }

    /// Returns a table of one bucket with entries of these keys, of depths 1, 2 and so on.
    fn table(keys: &[u64]) -> Table {
        let table = Table::new(0).unwrap();
        keys.iter().zip(1..).for_each(|(&key, depth)| table.store(key, entry(depth)));
        table
    }

    #[test]
    fn a_position_is_busy_while_its_mark_lasts() {
        let table = table(&[KEY ^ 1, KEY]);
        let mark = table.mark_busy(KEY).unwrap();
        assert!(table.is_busy(KEY) && !table.is_busy(KEY ^ 1));
        assert_eq!(table.probe(KEY), Some(entry(2)), "the entry is as it was");
        assert!(table.mark_busy(KEY).is_none(), "it is marked already");
        assert!(table.is_busy(KEY), "that mark stays");
        drop(mark);
        assert!(!table.is_busy(KEY) && table.mark_busy(KEY).is_some());
    }

    #[test]
    fn only_a_position_with_an_entry_is_marked() {
        let table = table(&[KEY]);
        for key in [0, KEY ^ 1, KEY ^ 1 << 38] {
            assert!(table.mark_busy(key).is_none() && !table.is_busy(key), "{key}");
        }
        let _mark = table.mark_busy(KEY ^ 1 << 39).expect("the same tag and bucket");
        assert!(table.is_busy(KEY));
    }

    #[test]
    fn every_payload_leaves_room_for_the_mark() {
        fn check<P: Payload + Default + PartialEq + std::fmt::Debug>(payload: P) {
            let table = TranspositionTable::<u16, P>::new(0).unwrap();
            let entry = Entry { payload, ..Entry::of_move(7, 3, Bound::Exact) };
            table.store(KEY, entry);
            let _mark = table.mark_busy(KEY).unwrap();
            assert!(table.is_busy(KEY));
            assert_eq!(table.probe(KEY), Some(entry));
        }
        check(());
        check(Full::<1>(0));
        check(Full::<24>(0xff_ffff));
        check(Full::<32>(0));
        check(Full::<32>(u32::MAX));
    }

    #[test]
    fn a_store_ends_the_mark_and_a_later_one_is_not_removed_with_it() {
        let table = table(&[KEY]);
        let first = table.mark_busy(KEY).unwrap();
        table.store(KEY, entry(9));
        assert!(!table.is_busy(KEY), "a result is in the table");
        let _second = table.mark_busy(KEY).unwrap();
        drop(first);
        assert!(table.is_busy(KEY), "a drop removes only its own mark");
        table.store(KEY, entry(0));
        assert_eq!(table.probe(KEY), Some(entry(9)), "the deeper entry stays");
        assert!(!table.is_busy(KEY));
    }

    #[test]
    fn the_mark_goes_with_an_entry_that_is_replaced() {
        let table = table(&[KEY, KEY ^ 1, KEY ^ 2, KEY ^ 3]);
        let mark = table.mark_busy(KEY).unwrap();
        table.store(KEY ^ 4, entry(5));
        assert_eq!((table.probe(KEY), table.probe(KEY ^ 4)), (None, Some(entry(5))));
        assert!(!table.is_busy(KEY) && !table.is_busy(KEY ^ 4));
        let _other = table.mark_busy(KEY ^ 4).unwrap();
        drop(mark);
        assert!(table.is_busy(KEY ^ 4), "a drop removes only its own mark");
    }

    #[test]
    fn a_panic_leaves_no_mark() {
        let table = table(&[KEY]);
        let result = std::panic::catch_unwind(|| {
            let _mark = table.mark_busy(KEY).unwrap();
            panic!("in the middle of a search");
        });
        assert!(result.is_err() && !table.is_busy(KEY));
    }
}
