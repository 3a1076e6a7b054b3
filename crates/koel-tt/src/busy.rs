//! Marks of what is being searched, so that threads spread instead of doing the same.

use std::sync::atomic::AtomicU16;

use crate::atomic::{AtomicU64, Relaxed};

/// What threads tell each other by their marks. Each has its own marks: both can be used at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BusyMode {
    /// A thread marks the *child* that it searches; others put that move off to the end of their
    /// list, when its result may be in the table. (Simplified ABDADA.)
    Deferral,
    /// A thread marks the *node* that it is in; others that come there reduce late moves more,
    /// and so look at them from another distance. (Breadcrumbs.)
    Breadcrumbs,
}

impl BusyMode {
    /// Keeps the marks of the modes apart.
    #[inline]
    fn salted(self, key: u64) -> u64 {
        match self {
            BusyMode::Deferral => key,
            BusyMode::Breadcrumbs => key ^ 0xa5a3_564e_27f8_8651,
        }
    }
}

/// What the threads of a search are busy with: a small table of marks that last as long as a
/// subtree is searched.
///
/// # The protocol
///
/// 1. [`new_search`](Self::new_search) before a search: what was marked before counts no more,
///    even if a thread was stopped or has panicked and left its marks behind.
/// 2. Before any move but the first, at a depth where a subtree is worth it (6 plies and more is
///    a start), ask whether the child [`is_busy`](Self::is_busy). If so, and if it is not the last
///    move, put it off; else [`mark`](Self::mark) it and search it. The mark goes when the
///    [`BusyMark`] is dropped, however the search leaves.
/// 3. Behind the list, for each move that was put off: [`probe`](crate::TranspositionTable::probe)
///    the *node* again, and take the cutoff or the raised alpha that another thread has stored
///    meanwhile; then search the move without asking.
///
/// Marks only change the order of moves or what is reduced. With one thread nobody else is ever
/// busy, so the search is the same, node for node, as without them; then the table is
/// [absent](Self::new) and costs a comparison.
///
/// # Races
///
/// Nobody waits. Two threads may ask before either marks, and search the same. A mark is not made
/// where another thread's of at least that depth stands in the same slot, and one that is made may
/// take the slot of a shallower. Marks of other positions are taken for the same one with odds of
/// one in 2²⁸; it costs a move its place in the list. What never happens: that a thread removes
/// another's mark when it drops its own.
#[derive(Debug)]
pub struct BusyTable {
    /// None when there is one thread. Zero is a free slot.
    slots: Option<Box<[AtomicU64; SLOTS]>>,
    epoch: AtomicU16,
}

/// 256 KiB: they stay in the second-level cache.
#[cfg(not(loom))]
const SLOTS: usize = 1 << 15;
/// All marks meet.
#[cfg(loom)]
const SLOTS: usize = 1;

/// Threads beyond share a number, and so do not see each other's marks.
const THREADS: usize = (1 << THREAD_BITS) - 1;

const THREAD_BITS: u32 = 12;
const EPOCH_BITS: u32 = 16;
const DEPTH_BITS: u32 = 8;
const TAG_SHIFT: u32 = THREAD_BITS + EPOCH_BITS + DEPTH_BITS;

/// A slot's contents. From the low end: epoch 16, thread + 1 12, depth 8, tag 28.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// A table without marks for so many threads; with one or none it is absent: nothing can be
    /// marked, nothing is busy, no memory is used.
    #[must_use]
    pub fn new(threads: usize) -> BusyTable {
        let count = if threads > 1 { SLOTS } else { 0 };
        let slots: Box<[AtomicU64]> = (0..count).map(|_| AtomicU64::new(0)).collect();
        BusyTable { slots: slots.try_into().ok(), epoch: AtomicU16::new(0) }
    }

    /// Whether there can be marks at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.slots.is_none()
    }

    /// Begins a search: no mark made before counts any more. No thread may be searching.
    pub fn new_search(&self) {
        let epoch = self.epoch.load(Relaxed).wrapping_add(1);
        if epoch == 0 {
            // Epochs begin anew: the oldest marks would seem to be of today.
            let slots = self.slots.iter().flat_map(|slots| slots.iter());
            slots.for_each(|slot| slot.store(0, Relaxed));
        }
        self.epoch.store(epoch, Relaxed);
    }

    /// Whether a thread other than this one is at work on the position of this key, to this depth
    /// in plies less one at least.
    ///
    /// A ply less counts too: the other thread will be back soon, and what it stores will help.
    #[inline]
    #[must_use]
    pub fn is_busy(&self, mode: BusyMode, key: u64, depth: u8, thread: usize) -> bool {
        let key = mode.salted(key);
        let Some(slot) = self.slot(key) else { return false };
        let epoch = self.epoch.load(Relaxed);
        let seen = Word(slot.load(Relaxed));
        let ours = Word::new(key, depth, thread, epoch);
        seen.is_current(epoch)
            && seen.has_tag_of(ours)
            && !seen.has_thread_of(ours)
            && seen.depth() >= depth.saturating_sub(1)
    }

    /// Marks the position of this key as being searched to this depth, in plies, by this thread
    /// until the result is dropped. If the place is taken no mark is made, and nothing else
    /// follows from that.
    #[inline]
    #[must_use = "the mark lasts as long as this"]
    pub fn mark(&self, mode: BusyMode, key: u64, depth: u8, thread: usize) -> BusyMark<'_> {
        let key = mode.salted(key);
        let Some(slot) = self.slot(key) else { return BusyMark { made: None } };
        let epoch = self.epoch.load(Relaxed);
        let seen = Word(slot.load(Relaxed));
        if seen.is_current(epoch) && seen.depth() >= depth {
            return BusyMark { made: None };
        }
        let ours = Word::new(key, depth, thread, epoch);
        let exchanged = slot.compare_exchange(seen.0, ours.0, Relaxed, Relaxed);
        BusyMark { made: exchanged.is_ok().then_some((slot, ours)) }
    }

    #[inline]
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        // The tag is of the low bits.
        let index = (u128::from(key) * SLOTS as u128) >> 64;
        Some(&self.slots.as_ref()?[index as usize])
    }
}

/// A position is being searched as long as this lives.
#[must_use = "the mark lasts as long as this"]
pub struct BusyMark<'a> {
    made: Option<(&'a AtomicU64, Word)>,
}

impl BusyMark<'_> {
    /// Whether there was room for it. It may have been overwritten since.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.made.is_some()
    }
}

impl Drop for BusyMark<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some((slot, ours)) = self.made {
            // If it fails the slot is another's by now, who has overwritten ours.
            let _ = slot.compare_exchange(ours.0, 0, Relaxed, Relaxed);
        }
    }
}

impl std::fmt::Debug for BusyMark<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BusyMark").field("is_made", &self.is_made()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::BusyMode::{Breadcrumbs, Deferral};
    use super::*;

    const KEY: u64 = 0x1234_5678_9abc_def0;
    /// Another key with the same slot.
    const NEIGHBOUR: u64 = KEY ^ 1;

    #[test]
    fn others_see_a_mark_while_it_lasts() {
        let table = BusyTable::new(2);
        let mark = table.mark(Deferral, KEY, 8, 0);
        assert!(mark.is_made());
        assert!(table.is_busy(Deferral, KEY, 8, 1));
        assert!(!table.is_busy(Deferral, KEY, 8, 0), "one's own work is no reason to wait");
        assert!(!table.is_busy(Deferral, NEIGHBOUR, 8, 1));
        assert!(!table.is_busy(Breadcrumbs, KEY, 8, 1), "the modes do not mix");
        drop(mark);
        assert!(!table.is_busy(Deferral, KEY, 8, 1));
    }

    #[test]
    fn a_ply_less_is_deep_enough() {
        let table = BusyTable::new(2);
        let _mark = table.mark(Deferral, KEY, 8, 0);
        let is_busy = |depth| table.is_busy(Deferral, KEY, depth, 1);
        assert!(is_busy(0) && is_busy(7) && is_busy(9) && !is_busy(10) && !is_busy(255));
    }

    #[test]
    fn the_deeper_mark_has_the_slot() {
        let table = BusyTable::new(4);
        let first = table.mark(Deferral, KEY, 8, 0);
        assert!(!table.mark(Deferral, KEY, 8, 1).is_made(), "nor its drop harms the first");
        assert!(!table.mark(Deferral, NEIGHBOUR, 7, 2).is_made());
        assert!(table.is_busy(Deferral, KEY, 8, 3));
        let deeper = table.mark(Deferral, NEIGHBOUR, 9, 3);
        assert!(deeper.is_made() && !table.is_busy(Deferral, KEY, 8, 2));
        drop(first);
        assert!(table.is_busy(Deferral, NEIGHBOUR, 9, 2), "only one's own mark is removed");
    }

    #[test]
    fn marks_die_with_their_search() {
        let table = BusyTable::new(2);
        std::mem::forget(table.mark(Deferral, KEY, 200, 0));
        assert!(table.is_busy(Deferral, KEY, 8, 1));
        table.new_search();
        assert!(!table.is_busy(Deferral, KEY, 8, 1));
        assert!(table.mark(Deferral, KEY, 1, 1).is_made(), "the stale mark is in nobody's way");
        std::mem::forget(table.mark(Deferral, KEY, 200, 0));
        for _ in 0..1 << EPOCH_BITS {
            table.new_search();
            assert!(!table.is_busy(Deferral, KEY, 8, 1));
        }
    }

    #[test]
    fn with_one_thread_there_is_none() {
        for threads in [0, 1] {
            let table = BusyTable::new(threads);
            assert!(table.is_absent());
            table.new_search();
            let mark = table.mark(Deferral, KEY, 8, 0);
            assert!(!mark.is_made() && !table.is_busy(Deferral, KEY, 8, 1));
        }
        assert!(!BusyTable::new(2).is_absent());
    }

    #[test]
    fn any_thread_number_will_do() {
        let table = BusyTable::new(2);
        for thread in [0, 1, THREADS - 1, THREADS, usize::MAX] {
            let mark = table.mark(Deferral, u64::MAX, 8, thread);
            assert!(mark.is_made());
            assert!(!table.is_busy(Deferral, u64::MAX, 8, thread));
            assert!(table.is_busy(Deferral, u64::MAX, 8, thread.wrapping_add(2)));
        }
    }

    #[test]
    fn a_panic_leaves_no_mark() {
        let table = BusyTable::new(2);
        let result = std::panic::catch_unwind(|| {
            let _mark = table.mark(Breadcrumbs, KEY, 8, 0);
            panic!("in the middle of a search");
        });
        assert!(result.is_err() && !table.is_busy(Breadcrumbs, KEY, 8, 1));
    }
}
