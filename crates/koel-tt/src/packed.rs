//! An entry and its age in 88 bits.

use std::hint::select_unpredictable;

use crate::entry::{Bound, Entry, PathDependence};

const NO_EVAL: i16 = i16::MIN;

/// Ages count modulo this.
pub(crate) const GENERATIONS: u8 = 32;

/// An entry of the same position may be shallower by less than this and still replace.
const DEPTH_MARGIN: i32 = 4;

/// A search ago weighs as much as this many plies when an entry must go.
const AGE_PENALTY: i32 = 8;

/// Below the worth of any entry.
const LEAST: i32 = -AGE_PENALTY * 2 * GENERATIONS as i32;

/// How many bits of [`Packed::path`] are used.
pub(crate) const PATH_BITS: u32 = PathDependence::BITS;

/// An entry and its age; without a bound it holds nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Packed {
    /// From the low end: move 16, score 16, static evaluation 16, depth 8, bound 2, was-PV 1, age 5.
    pub(crate) data: u64,
    /// The [`PathDependence`].
    pub(crate) path: u32,
}

impl Packed {
    #[inline]
    pub(crate) fn new<M: Into<u16>>(entry: Entry<M>, age: u8) -> Packed {
        let best_move = entry.best_move.map_or(0, Into::into);
        let static_eval = entry.static_eval.unwrap_or(NO_EVAL);
        let low = u64::from(best_move)
            | u64::from(entry.score.cast_unsigned()) << 16
            | u64::from(static_eval.cast_unsigned()) << 32;
        let high = u64::from(entry.depth)
            | (entry.bound as u64) << 8
            | u64::from(entry.is_pv) << 10
            | u64::from(age % GENERATIONS) << 11;
        Packed { data: low | high << 48, path: entry.dependence.bits() }
    }

    /// The entry, if there is one.
    #[inline]
    pub(crate) fn unpack<M: From<u16>>(self) -> Option<Entry<M>> {
        if self.is_empty() {
            return None;
        }
        // A look-up where the compiler makes a jump of a match.
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
            is_pv: (self.data >> 58) & 1 != 0,
            dependence: PathDependence::from_bits(self.path),
        })
    }

    /// What to keep of this entry and the one that is there already for the same position.
    ///
    /// If that is much deeper, of this search, and if this one is no exact score, it stays, with
    /// the newer move: what refutes is news even where the score is not. If this one has no move,
    /// the old move is kept.
    #[inline]
    pub(crate) fn over(self, old: Packed, now: u8) -> Packed {
        let has_move = self.move_bits() != 0;
        let best_move = select_unpredictable(has_move, self.move_bits(), old.move_bits());
        let depth = i32::from(self.depth()) + 2 * i32::from(self.is_pv());
        let is_worth_more =
            self.is_exact() | (old.age(now) != 0) | (depth + DEPTH_MARGIN > i32::from(old.depth()));
        let data = select_unpredictable(is_worth_more, self.data, old.data);
        let path = select_unpredictable(is_worth_more, self.path, old.path);
        Packed { data: data & !0xffff | u64::from(best_move), path }
    }

    /// What it is worth to keep it, in plies.
    #[inline]
    pub(crate) fn replacement_value(self, now: u8) -> i32 {
        let worth = i32::from(self.depth()) - AGE_PENALTY * i32::from(self.age(now));
        select_unpredictable(self.is_empty(), LEAST, worth)
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

    /// How many searches ago it was stored, modulo [`GENERATIONS`].
    #[inline]
    pub(crate) fn age(self, now: u8) -> u8 {
        now.wrapping_sub((self.data >> 59) as u8) % GENERATIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                dependence: PathDependence::new(
                    index % 7 < 3,
                    index % 11 < 5,
                    (mixed >> 5) as u16,
                    (mixed >> 20) as u8 & 63,
                ),
            };
            let age = index as u8 % GENERATIONS;
            let packed = Packed::new(entry, age);
            assert_eq!(packed.unpack(), Some(entry));
            assert!(!packed.is_empty() && packed.path >> PATH_BITS == 0);
            assert_eq!(packed.age(age), 0);
            assert_eq!(packed.age((age + 3) % GENERATIONS), 3);
        }
        assert_eq!(Packed::default().unpack::<u16>(), None);
    }

    #[test]
    fn a_long_way_to_the_head_is_cut() {
        let dependence = PathDependence::new(true, false, 9, 200);
        let entry = Entry::<u16> {
            best_move: None,
            score: 0,
            static_eval: None,
            depth: 1,
            bound: Bound::Exact,
            is_pv: false,
            dependence,
        };
        let kept = Packed::new(entry, 0).unpack::<u16>().unwrap().dependence;
        assert_eq!((kept.distance(), kept.head()), (63, 9));
        assert!(kept.lower() && !kept.upper());
    }
}
