//! The dull twin: every entry under its full key, for ever.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use dashmap::DashMap;

use crate::entry::Entry;
use crate::packed::{GENERATIONS, Packed};

/// A table that confuses no positions, tears no entries and forgets nothing: the measure of what
/// a [`TranspositionTable`](crate::TranspositionTable) loses by all that. The methods are the same
/// and mean the same; memory grows with what is stored, some 50 bytes a position.
///
/// It is for tests and experiments, with the feature `exact`.
#[derive(Debug)]
pub struct ExactTable<M> {
    entries: DashMap<u64, Packed>,
    age: AtomicU8,
    moves: PhantomData<fn(M) -> M>,
}

impl<M> Default for ExactTable<M> {
    fn default() -> Self {
        Self { entries: DashMap::new(), age: AtomicU8::new(0), moves: PhantomData }
    }
}

impl<M: From<u16> + Into<u16>> ExactTable<M> {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What is remembered of the position with this key.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry<M>> {
        // A copy: a guard that is held across another call may deadlock.
        self.entries.get(&key).map(|packed| *packed)?.unpack()
    }

    /// Remembers an entry. Which of two for the same position stays is decided as by
    /// [`TranspositionTable::store`](crate::TranspositionTable::store).
    pub fn store(&self, key: u64, entry: Entry<M>) {
        let now = self.age.load(Relaxed);
        let fresh = Packed::new(entry, now);
        self.entries.entry(key).and_modify(|old| *old = fresh.over(*old, now)).or_insert(fresh);
    }

    /// Nothing: there is no single place to fetch.
    pub fn prefetch(&self, _key: u64) {}

    /// Says that a new search begins: what is stored already ages by one.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// Forgets everything. The number of threads means nothing.
    pub fn clear(&mut self, _threads: usize) {
        self.entries.clear();
        self.age = AtomicU8::new(0);
    }

    /// Nothing: it is never full.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        0
    }

    /// How many positions it remembers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it remembers nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
