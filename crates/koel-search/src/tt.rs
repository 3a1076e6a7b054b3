//! The shared transposition table and its keys.

use koel_board::{Key, Move, Position};
#[cfg(feature = "exact")]
use koel_tt::ExactTable;
use koel_tt::{BusyMark, Entry, OutOfMemory, TranspositionTable};

use crate::features;
use crate::path::PathMark;

/// The least halfmove clock that changes the key: below it the fifty-move rule is too far away.
const FIRST_CLOCK: u16 = 14;

/// The range of halfmove clocks that share a key.
const CLOCK_STEP: u16 = 8;

/// The table key of a position: near the fifty-move rule it depends on the halfmove clock.
/// (Halfmove clock in the key, Stockfish 2021.)
#[inline]
pub(crate) fn tt_key(position: &Position) -> u64 {
    key_with_clock(position.key(), position.halfmove_clock())
}

/// The table key, from the key of the position and its halfmove clock.
#[inline]
pub(crate) fn key_with_clock(key: Key, clock: u16) -> u64 {
    let key = key.0;
    if !features::clock_in_key() || clock < FIRST_CLOCK {
        return key;
    }
    // An odd multiplier, so that the high bits that choose the bucket differ too.
    key ^ u64::from((clock - FIRST_CLOCK) / CLOCK_STEP + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The transposition table of games, or the exact one of tests and experiments. Without the
/// feature `exact` the choice costs nothing.
#[derive(Debug)]
pub(crate) enum Tt {
    Lossy(TranspositionTable<Move, PathMark>),
    #[cfg(feature = "exact")]
    Exact(ExactTable<Move, PathMark>),
}

/// Calls a method of the table that is in use.
macro_rules! dispatch {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            Tt::Lossy(table) => table.$method($($argument),*),
            #[cfg(feature = "exact")]
            Tt::Exact(table) => table.$method($($argument),*),
        }
    };
}

impl Tt {
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry<Move, PathMark>> {
        dispatch!(self.probe(key))
    }

    /// Prefetches the bucket that [`probe`](Self::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        dispatch!(self.prefetch(key));
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, entry: Entry<Move, PathMark>) {
        dispatch!(self.store(key, entry));
    }

    pub(crate) fn is_busy(&self, key: u64) -> bool {
        dispatch!(self.is_busy(key))
    }

    pub(crate) fn mark_busy(&self, key: u64) -> Option<BusyMark<'_>> {
        dispatch!(self.mark_busy(key))
    }

    pub(crate) fn new_search(&self) {
        dispatch!(self.new_search());
    }

    pub(crate) fn clear(&mut self, threads: usize) {
        dispatch!(self.clear(threads));
    }

    pub(crate) fn hashfull(&self) -> usize {
        dispatch!(self.hashfull())
    }

    /// The transposition table of games. An exact one is replaced by it, at the least size.
    pub(crate) fn lossy_mut(&mut self) -> &mut TranspositionTable<Move, PathMark> {
        #[cfg(feature = "exact")]
        if let Tt::Exact(_) = self {
            *self = Tt::Lossy(TranspositionTable::new(0).expect("memory for one bucket"));
        }
        match self {
            Tt::Lossy(table) => table,
            #[cfg(feature = "exact")]
            Tt::Exact(_) => unreachable!("it has just been replaced"),
        }
    }

    pub(crate) fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.lossy_mut().resize(mebibytes)
    }
}
