//! Marks of the positions that are being searched, so that threads do not duplicate work.

use std::sync::atomic::AtomicU16;

use crate::atomic::{AtomicU64, Relaxed};

/// A small table of marks of the positions that the threads of a search are working on. A mark
/// lasts as long as the search of the subtree.
///
/// # The protocol
///
/// 1. [`new_search`](Self::new_search) before a search: earlier marks are then ignored, also those
///    of a thread that was stopped or has panicked.
/// 2. From a depth at which a subtree is worth it (6 plies is a good start), check before a move
///    whether the child [`is_busy`](Self::is_busy). If so, defer the move to the end of the list,
///    when its result may be in the transposition table; otherwise [`mark`](Self::mark) the child
///    and search it. The mark is removed when the [`BusyMark`] is dropped, however the search
///    returns. A deferred move is searched without a further check.
/// 3. It is enough to do so with the first move of a node that is expected to fail high: that is
///    where threads meet. Whoever defers later moves too gains if he probes the *node* again before
///    he searches them. (ABDADA: Weill 1996; simplified: Kerrigan 2013.)
///
/// Marks change only the order of moves. With one thread the table is
/// [absent](Self::new) and costs a comparison; the search is then the same, node for node, as
/// without it.
///
/// # Races
///
/// No thread waits for another. Two threads may check before either marks, and search the same
/// child. A mark is not made if its slot holds another thread's mark of at least that depth, and it
/// overwrites a shallower one. The mark of another position is mistaken for this one's with a
/// probability of 1 in 2²⁸, which changes the order of moves. A thread never removes another's mark
/// when it drops its own.
#[derive(Debug)]
pub struct BusyTable {
    /// `None` with one thread. A free slot is zero.
    slots: Option<Box<[AtomicU64; SLOTS]>>,
    epoch: AtomicU16,
}

/// The number of slots: 256 KiB, which stay in the second-level cache.
#[cfg(not(loom))]
const SLOTS: usize = 1 << 15;
/// The number of slots in a model: all marks share one.
#[cfg(loom)]
const SLOTS: usize = 1;

/// The number of distinct threads. Threads beyond it share a number and do not see each other's
/// marks.
const THREADS: usize = (1 << THREAD_BITS) - 1;

const THREAD_BITS: u32 = 12;
const EPOCH_BITS: u32 = 16;
const DEPTH_BITS: u32 = 8;
const TAG_SHIFT: u32 = THREAD_BITS + EPOCH_BITS + DEPTH_BITS;

/// The contents of a slot. From the low end: epoch 16 bits, thread + 1 12, depth 8, tag 28.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Word(u64);

impl Word {
    #[inline]
    fn new(key: u64, depth: u8, thread: usize, epoch: u16) -> Word {
        let thread = (thread % THREADS) as u64 + 1;
        let low = u64::from(epoch) | thread << EPOCH_BITS;
        Word(low | u64::from(depth) << (EPOCH_BITS + THREAD_BITS) | key << TAG_SHIFT)
    }

    #[inline]
    fn is_current(self, epoch: u16) -> bool {
        self.0 != 0 && self.0 as u16 == epoch
    }

    #[inline]
    fn depth(self) -> u8 {
        (self.0 >> (EPOCH_BITS + THREAD_BITS)) as u8
    }

    #[inline]
    fn has_thread_of(self, other: Word) -> bool {
        (self.0 ^ other.0) >> EPOCH_BITS & ((1 << THREAD_BITS) - 1) == 0
    }

    #[inline]
    fn has_tag_of(self, other: Word) -> bool {
        (self.0 ^ other.0) >> TAG_SHIFT == 0
    }
}

impl BusyTable {
    /// Returns a table without marks for this number of threads. With one thread or none it is
    /// absent: nothing can be marked, nothing is busy, and it uses no memory.
    #[must_use]
    pub fn new(threads: usize) -> BusyTable {
        let count = if threads > 1 { SLOTS } else { 0 };
        let slots: Box<[AtomicU64]> = (0..count).map(|_| AtomicU64::new(0)).collect();
        BusyTable { slots: slots.try_into().ok(), epoch: AtomicU16::new(0) }
    }

    /// Returns true if the table is absent: there are no marks.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.slots.is_none()
    }

    /// Begins a search: earlier marks are ignored from now on. No thread may be searching.
    pub fn new_search(&self) {
        let epoch = self.epoch.load(Relaxed).wrapping_add(1);
        if epoch == 0 {
            // The epoch has wrapped around: the oldest marks would become valid again.
            let slots = self.slots.iter().flat_map(|slots| slots.iter());
            slots.for_each(|slot| slot.store(0, Relaxed));
        }
        self.epoch.store(epoch, Relaxed);
    }

    /// Returns true if another thread is searching the position of this key to at least this depth,
    /// in plies, less one.
    ///
    /// One ply less counts, because the other thread will finish soon and its result will help.
    #[inline]
    #[must_use]
    pub fn is_busy(&self, key: u64, depth: u8, thread: usize) -> bool {
        let Some(slot) = self.slot(key) else { return false };
        let epoch = self.epoch.load(Relaxed);
        let found = Word(slot.load(Relaxed));
        let ours = Word::new(key, depth, thread, epoch);
        found.is_current(epoch)
            && found.has_tag_of(ours)
            && !found.has_thread_of(ours)
            && found.depth() >= depth.saturating_sub(1)
    }

    /// Marks the position of this key as being searched by this thread to this depth, in plies,
    /// until the returned mark is dropped. If the slot is taken no mark is made; the caller need
    /// not care.
    #[inline]
    #[must_use = "the mark is removed when this is dropped"]
    pub fn mark(&self, key: u64, depth: u8, thread: usize) -> BusyMark<'_> {
        let Some(slot) = self.slot(key) else { return BusyMark { made: None } };
        let epoch = self.epoch.load(Relaxed);
        let found = Word(slot.load(Relaxed));
        if found.is_current(epoch) && found.depth() >= depth {
            return BusyMark { made: None };
        }
        let ours = Word::new(key, depth, thread, epoch);
        let exchanged = slot.compare_exchange(found.0, ours.0, Relaxed, Relaxed);
        BusyMark { made: exchanged.is_ok().then_some((slot, ours)) }
    }

    #[inline]
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        // The high bits; the tag has the low ones.
        let index = (u128::from(key) * SLOTS as u128) >> 64;
        Some(&self.slots.as_ref()?[index as usize])
    }
}

/// The mark of a position that is being searched; removed when it is dropped.
#[must_use = "the mark is removed when this is dropped"]
#[derive(Debug)]
pub struct BusyMark<'a> {
    made: Option<(&'a AtomicU64, Word)>,
}

impl BusyMark<'_> {
    /// Returns true if the mark was made. It may have been overwritten since.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.made.is_some()
    }
}

impl Drop for BusyMark<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some((slot, ours)) = self.made {
            // If this fails, another thread has overwritten the mark.
            let _ = slot.compare_exchange(ours.0, 0, Relaxed, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: u64 = 0x1234_5678_9abc_def0;
    /// Another key of the same slot.
    const NEIGHBOUR: u64 = KEY ^ 1;

    #[test]
    fn other_threads_see_a_mark_while_it_lasts() {
        let table = BusyTable::new(2);
        let mark = table.mark(KEY, 8, 0);
        assert!(mark.is_made());
        assert!(table.is_busy(KEY, 8, 1));
        assert!(!table.is_busy(KEY, 8, 0), "a thread does not see its own mark");
        assert!(!table.is_busy(NEIGHBOUR, 8, 1));
        drop(mark);
        assert!(!table.is_busy(KEY, 8, 1));
    }

    #[test]
    fn one_ply_less_is_deep_enough() {
        let table = BusyTable::new(2);
        let _mark = table.mark(KEY, 8, 0);
        let is_busy = |depth| table.is_busy(KEY, depth, 1);
        assert!(is_busy(0) && is_busy(7) && is_busy(9) && !is_busy(10) && !is_busy(255));
    }

    #[test]
    fn the_deeper_mark_keeps_the_slot() {
        let table = BusyTable::new(4);
        let first = table.mark(KEY, 8, 0);
        assert!(!table.mark(KEY, 8, 1).is_made(), "the slot is taken");
        assert!(!table.mark(NEIGHBOUR, 7, 2).is_made());
        assert!(table.is_busy(KEY, 8, 3));
        let deeper = table.mark(NEIGHBOUR, 9, 3);
        assert!(deeper.is_made() && !table.is_busy(KEY, 8, 2));
        drop(first);
        assert!(table.is_busy(NEIGHBOUR, 9, 2), "a drop removes only its own mark");
    }

    #[test]
    fn a_new_search_ignores_earlier_marks() {
        let table = BusyTable::new(2);
        std::mem::forget(table.mark(KEY, 200, 0));
        assert!(table.is_busy(KEY, 8, 1));
        table.new_search();
        assert!(!table.is_busy(KEY, 8, 1));
        assert!(table.mark(KEY, 1, 1).is_made(), "the old mark does not keep the slot");
        std::mem::forget(table.mark(KEY, 200, 0));
        for _ in 0..1 << EPOCH_BITS {
            table.new_search();
            assert!(!table.is_busy(KEY, 8, 1));
        }
    }

    #[test]
    fn with_one_thread_the_table_is_absent() {
        for threads in [0, 1] {
            let table = BusyTable::new(threads);
            assert!(table.is_absent());
            table.new_search();
            let mark = table.mark(KEY, 8, 0);
            assert!(!mark.is_made() && !table.is_busy(KEY, 8, 1));
        }
        assert!(!BusyTable::new(2).is_absent());
    }

    #[test]
    fn every_thread_number_is_accepted() {
        let table = BusyTable::new(2);
        for thread in [0, 1, THREADS - 1, THREADS, usize::MAX] {
            let mark = table.mark(u64::MAX, 8, thread);
            assert!(mark.is_made());
            assert!(!table.is_busy(u64::MAX, 8, thread));
            assert!(table.is_busy(u64::MAX, 8, thread.wrapping_add(2)));
        }
    }

    #[test]
    fn a_panic_leaves_no_mark() {
        let table = BusyTable::new(2);
        let result = std::panic::catch_unwind(|| {
            let _mark = table.mark(KEY, 8, 0);
            panic!("in the middle of a search");
        });
        assert!(result.is_err() && !table.is_busy(KEY, 8, 1));
    }
}
