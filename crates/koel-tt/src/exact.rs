//! The exact table: every entry under its full key, kept for ever.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use dashmap::DashMap;

use crate::busy::BusyMark;
use crate::entry::Entry;
use crate::packed::{GENERATIONS, Packed};
use crate::payload::Payload;

/// A table that confuses no positions, tears no entries and replaces none: the reference against
/// which the losses of a [`TranspositionTable`](crate::TranspositionTable) are measured.
///
/// The methods are those of the other table. Memory grows with every position, by some 50 bytes.
/// It is for tests and experiments, with the feature `exact`.
#[derive(Debug)]
pub struct ExactTable<M, P = ()> {
    entries: DashMap<u64, Packed>,
    generation: AtomicU8,
    contents: PhantomData<fn() -> (M, P)>,
}

impl<M, P> Default for ExactTable<M, P> {
    fn default() -> Self {
        let generation = AtomicU8::new(0);
        Self { entries: DashMap::new(), generation, contents: PhantomData }
    }
}

impl<M: From<u16> + Into<u16>, P: Payload> ExactTable<M, P> {
    /// Returns an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the entry of the position with this key.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry<M, P>> {
        // A copy: a guard that is held across another call may deadlock.
        self.entries.get(&key).map(|packed| *packed)?.unpack()
    }

    /// Stores an entry. Between two entries of one position it decides as
    /// [`TranspositionTable::store`](crate::TranspositionTable::store) does.
    pub fn store(&self, key: u64, entry: Entry<M, P>) {
        let generation = self.generation.load(Relaxed);
        let new = Packed::new(entry, generation);
        self.entries
            .entry(key)
            .and_modify(|old| *old = new.merged_with(*old, generation))
            .or_insert(new);
    }

    /// Does nothing: there is no single cache line to fetch.
    pub fn prefetch(&self, _key: u64) {}

    /// Returns false: there are no marks.
    #[must_use]
    pub fn is_busy(&self, _key: u64) -> bool {
        false
    }

    /// Returns no mark.
    pub fn mark_busy(&self, _key: u64) -> Option<BusyMark<'_>> {
        None
    }

    /// Begins a new search: the age of all entries grows by one.
    pub fn new_search(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// Removes all entries. The number of threads is ignored.
    pub fn clear(&mut self, _threads: usize) {
        self.entries.clear();
        self.generation = AtomicU8::new(0);
    }

    /// Returns 0: the table is never full.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        0
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the table has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
