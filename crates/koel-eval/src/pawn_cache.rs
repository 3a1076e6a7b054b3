//! What was found out about pawns, kept for the next position with the same. (Pawn hash table.)

use koel_board::{Key, Position};

use crate::hand_written;
use crate::pair::Pair;
use crate::tally::Sum;
use crate::terms::pawns::PawnFacts;

/// What depends on the pawns alone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PawnEntry {
    key: Key,
    /// From White's view.
    pub(crate) score: Pair,
    pub(crate) facts: PawnFacts,
}

impl PawnEntry {
    pub(crate) fn new(position: &Position) -> PawnEntry {
        let mut sides = [Sum::default(); 2];
        let facts = hand_written::tally_pawns(position, &mut sides);
        let [black, white] = sides.map(Sum::total);
        PawnEntry { key: position.keys().pawn, score: white - black, facts }
    }
}

/// Pawn structures that a thread has seen. One for each thread, kept from search to search.
#[derive(Clone)]
pub struct PawnCache {
    entries: Box<[PawnEntry; PawnCache::SLOTS]>,
}

impl PawnCache {
    /// 192 KiB: pawns change seldom, and a small table stays near.
    const SLOTS: usize = 1 << 12;

    /// An empty cache.
    #[must_use]
    pub fn new() -> PawnCache {
        // Key 0 is that of no pawns, about which an empty entry is right.
        let entries = vec![PawnEntry::default(); PawnCache::SLOTS].into_boxed_slice();
        PawnCache { entries: entries.try_into().expect("it has this length") }
    }

    #[inline]
    pub(crate) fn entry(&mut self, position: &Position) -> &PawnEntry {
        let key = position.keys().pawn;
        let entry = &mut self.entries[key.0 as usize % PawnCache::SLOTS];
        if entry.key != key {
            *entry = PawnEntry::new(position);
        }
        entry
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}
