//! The shared transposition table and its keys.

use koel_board::{Key, Move, Position};
use koel_tt::TranspositionTable;

use crate::path::PathMark;

declare! { clock_in_key = true; }

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
    if !clock_in_key() || clock < FIRST_CLOCK {
        return key;
    }
    // An odd multiplier, so that the high bits that choose the bucket differ too.
    key ^ u64::from((clock - FIRST_CLOCK) / CLOCK_STEP + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The transposition table of the search.
pub(crate) type Tt = TranspositionTable<Move, PathMark>;
