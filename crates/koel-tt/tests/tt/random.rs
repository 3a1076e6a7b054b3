//! Random entries with a payload.

use koel_random::Rng;
use koel_tt::{Bound, Entry, Payload, TranspositionTable};

/// A payload of 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits(u32);

impl Payload for Bits {
    const BITS: u32 = 24;

    fn from_bits(bits: u32) -> Bits {
        Bits(bits)
    }

    fn bits(self) -> u32 {
        self.0
    }
}

pub(crate) type Table = TranspositionTable<u16, Bits>;

/// Returns a random number that depends on the seed alone.
pub(crate) fn mix(seed: u64) -> u64 {
    Rng::new(seed).next_u64()
}

/// Returns one of the four entries that are stored for a key: they differ in every field.
pub(crate) fn entry_of(key: u64, variant: u64) -> Entry<u16, Bits> {
    let bits = mix(key ^ mix(variant % 4));
    Entry {
        best_move: Some(bits as u16 | 1),
        score: (bits >> 16) as i16,
        static_eval: Some((bits >> 32) as i16 | 1),
        depth: (bits >> 48) as u8,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 56) as usize % 3],
        is_pv: bits >> 63 != 0,
        payload: Bits((bits >> 39) as u32 & 0xff_ffff),
    }
}

/// Returns true if an entry can result from the stores for this key.
pub(crate) fn is_possible(key: u64, found: &Entry<u16, Bits>) -> bool {
    let all = [0, 1, 2, 3].map(|variant| entry_of(key, variant));
    // A deeper entry stays, with the new move.
    all.iter().any(|other| found.best_move == other.best_move)
        && all.iter().any(|entry| Entry { best_move: found.best_move, ..*entry } == *found)
}
