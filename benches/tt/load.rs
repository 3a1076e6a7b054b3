//! The load of the benchmark, for the table and the alternatives to it.

use std::hint::black_box;
use std::sync::Mutex;

use dashmap::DashMap;
use koel_random::Rng;
use koel_tt::{Bound, Entry, TranspositionTable};

/// The number of keys that are known in advance for prefetching: about the time to make a move.
const AHEAD: u64 = 4;

/// Returns a random number that depends on the seed alone.
fn mix(seed: u64) -> u64 {
    Rng::new(seed).next_u64()
}

fn entry(seed: u64) -> Entry<u16> {
    Entry {
        best_move: Some(seed as u16 | 1),
        score: (seed >> 16) as i16,
        static_eval: Some(1),
        depth: (seed >> 32) as u8 % 32,
        bound: Bound::Lower,
        is_pv: false,
        payload: (),
    }
}

/// The interface of all tables.
pub(crate) trait Table: Sync {
    fn probe(&self, key: u64) -> Option<Entry<u16>>;
    fn store(&self, key: u64, entry: Entry<u16>);
    fn prefetch(&self, _key: u64) {}
}

impl Table for TranspositionTable<u16> {
    fn probe(&self, key: u64) -> Option<Entry<u16>> {
        self.probe(key)
    }
    fn store(&self, key: u64, entry: Entry<u16>) {
        self.store(key, entry);
    }
    fn prefetch(&self, key: u64) {
        self.prefetch(key);
    }
}

/// Every entry under its full key, kept for ever.
impl Table for DashMap<u64, Entry<u16>> {
    fn probe(&self, key: u64) -> Option<Entry<u16>> {
        self.get(&key).map(|entry| *entry)
    }
    fn store(&self, key: u64, entry: Entry<u16>) {
        self.insert(key, entry);
    }
}

/// An always-replace table under a lock; 16 bytes per slot, as in the table.
pub(crate) struct Locked(Mutex<Vec<(u64, u64)>>);

impl Locked {
    pub(crate) fn new(mebibytes: usize) -> Locked {
        Locked(Mutex::new(vec![(0, 1); mebibytes << 16]))
    }
}

fn place(key: u64, count: usize) -> usize {
    ((u128::from(key) * count as u128) >> 64) as usize
}

impl Table for Locked {
    fn probe(&self, key: u64) -> Option<Entry<u16>> {
        let places = self.0.lock().unwrap();
        let (found, bits) = places[place(key, places.len())];
        (found == key).then(|| entry(bits))
    }
    fn store(&self, key: u64, entry: Entry<u16>) {
        let low = u64::from(entry.best_move.unwrap_or(0));
        let bits = low | (entry.score as u64) << 16 | u64::from(entry.depth) << 32;
        let mut places = self.0.lock().unwrap();
        let index = place(key, places.len());
        places[index] = (key, bits);
    }
}

/// No table, to measure the loop itself.
pub(crate) struct Nothing;

impl Table for Nothing {
    fn probe(&self, key: u64) -> Option<Entry<u16>> {
        black_box(key);
        None
    }
    fn store(&self, key: u64, entry: Entry<u16>) {
        black_box((key, entry));
    }
}

/// Runs the share of one thread, with this number of keys, a power of two: each key is probed and
/// then stored, as at a node of a search.
pub(crate) fn work(table: &impl Table, keys: u64, thread: u64, rounds: u64, prefetches: bool) {
    let key_of = |round: u64| mix(mix(round ^ thread << 48) & (keys - 1));
    let mut upcoming = [0, 1, 2, 3].map(key_of);
    for round in 0..rounds {
        let next = key_of(round + AHEAD);
        let key = std::mem::replace(&mut upcoming[(round % AHEAD) as usize], next);
        if prefetches {
            table.prefetch(next);
        }
        black_box(table.probe(key));
        table.store(key, entry(key ^ round));
    }
}
