//! An entry and its generation as bits.

use std::hint::select_unpredictable;

use crate::entry::{Bound, Entry};
use crate::payload::{Payload, payload_mask};

/// Stands for an absent static evaluation.
const NO_EVAL: i16 = i16::MIN;

/// The number of generations; they are counted modulo this.
pub(crate) const GENERATIONS: u8 = 32;

/// A new entry replaces an older one of the same position if it is shallower by less than this.
const DEPTH_MARGIN: i32 = 4;

/// The bonus in depth of an entry of a principal variation, in the same comparison.
const PV_BONUS: i32 = 2;

/// The deduction from the depth of an entry for each search since it was stored, in plies, when an
/// entry is chosen for replacement.
const AGE_PENALTY: i32 = 8;

/// Less than the replacement value of any entry.
const EMPTY_VALUE: i32 = -AGE_PENALTY * 2 * GENERATIONS as i32;

/// An entry and its generation; without a bound it is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packed {
    /// From the low end: move 16, score 16, static evaluation 16, depth 8, bound 2, PV 1,
    /// generation 5.
    pub(crate) data: u64,
    /// The bits of the [`Payload`].
    pub(crate) payload: u32,
}

impl Packed {
    #[inline]
    pub(crate) fn new<M: Into<u16>, P: Payload>(entry: Entry<M, P>, generation: u8) -> Packed {
        let best_move = entry.best_move.map_or(0, Into::into);
        let static_eval = entry.static_eval.unwrap_or(NO_EVAL);
        let low = u64::from(best_move)
            | u64::from(entry.score.cast_unsigned()) << 16
            | u64::from(static_eval.cast_unsigned()) << 32;
        let high = u64::from(entry.depth)
            | (entry.bound as u64) << 8
            | u64::from(entry.is_pv) << 10
            | u64::from(generation % GENERATIONS) << 11;
        let payload = entry.payload.bits() & payload_mask::<P>() as u32;
        Packed { data: low | high << 48, payload }
    }

    /// Returns the entry, unless it is empty.
    #[inline]
    pub(crate) fn unpack<M: From<u16>, P: Payload>(self) -> Option<Entry<M, P>> {
        if self.is_empty() {
            return None;
        }
        // An array, because the compiler makes a jump of a match.
        const BOUNDS: [Bound; 4] = [Bound::Exact, Bound::Upper, Bound::Lower, Bound::Exact];
        let bound = BOUNDS[self.bound_bits()];
        let best_move = self.move_bits();
        let static_eval = ((self.data >> 32) as u16).cast_signed();
        Some(Entry {
            best_move: (best_move != 0).then(|| M::from(best_move)),
            score: ((self.data >> 16) as u16).cast_signed(),
            static_eval: (static_eval != NO_EVAL).then_some(static_eval),
            depth: self.depth(),
            bound,
            is_pv: self.is_pv(),
            payload: P::from_bits(self.payload),
        })
    }

    /// Returns the entry to keep of this new one and the old one of the same position.
    ///
    /// The old one stays, with the new move, if it is much deeper and of this search and the new
    /// one is not exact. A new entry without a move keeps the old move.
    #[inline]
    pub(crate) fn merged_with(self, old: Packed, generation: u8) -> Packed {
        let has_move = self.move_bits() != 0;
        let best_move = select_unpredictable(has_move, self.move_bits(), old.move_bits());
        let depth = i32::from(self.depth()) + PV_BONUS * i32::from(self.is_pv());
        let replaces = self.is_exact()
            | (old.age(generation) != 0)
            | (depth + DEPTH_MARGIN > i32::from(old.depth()));
        let data = select_unpredictable(replaces, self.data, old.data);
        let payload = select_unpredictable(replaces, self.payload, old.payload);
        Packed { data: data & !0xffff | u64::from(best_move), payload }
    }

    /// Returns the value of keeping the entry, in plies: the depth less a deduction for the age.
    #[inline]
    pub(crate) fn replacement_value(self, generation: u8) -> i32 {
        let value = i32::from(self.depth()) - AGE_PENALTY * i32::from(self.age(generation));
        select_unpredictable(self.is_empty(), EMPTY_VALUE, value)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.bound_bits() == 0
    }

    #[inline]
    fn is_exact(self) -> bool {
        self.bound_bits() == Bound::Exact as usize
    }

    #[inline]
    fn bound_bits(self) -> usize {
        (self.data >> 56) as usize & 3
    }

    #[inline]
    fn is_pv(self) -> bool {
        (self.data >> 58) & 1 != 0
    }

    #[inline]
    fn move_bits(self) -> u16 {
        self.data as u16
    }

    #[inline]
    pub(crate) fn depth(self) -> u8 {
        (self.data >> 48) as u8
    }

    /// Returns the number of searches since the entry was stored, modulo [`GENERATIONS`].
    #[inline]
    pub(crate) fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub((self.data >> 59) as u8) % GENERATIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::Full;

    #[test]
    fn every_field_survives_packing() {
        for index in 0..10_000_u32 {
            let mixed = index.wrapping_mul(0x9e37_79b9);
            let entry = Entry {
                best_move: (index % 3 != 0).then_some((mixed >> 16) as u16 | 1),
                score: (mixed as u16).cast_signed(),
                static_eval: (index % 5 != 0).then_some((mixed >> 8) as u16 as i16 | 1),
                depth: (mixed >> 3) as u8,
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][index as usize % 3],
                is_pv: index % 2 == 0,
                payload: Full::<24>(mixed >> 5 & 0xff_ffff),
            };
            let generation = index as u8 % GENERATIONS;
            let packed = Packed::new(entry, generation);
            assert_eq!(packed.unpack(), Some(entry));
            assert!(!packed.is_empty());
            assert_eq!(packed.age(generation), 0);
            assert_eq!(packed.age((generation + 3) % GENERATIONS), 3);
        }
        assert_eq!(Packed::default().unpack::<u16, ()>(), None);
    }

    #[test]
    fn bits_above_the_payload_are_not_stored() {
        let entry: Entry<u16, Full<5>> =
            Entry { payload: Full(0xffff_ffff), ..Entry::of_move(0, 1, Bound::Exact) };
        let stored = Packed::new(entry, 0).unpack::<u16, Full<5>>().unwrap();
        assert_eq!(stored, Entry { payload: Full(31), ..entry });
    }
}
