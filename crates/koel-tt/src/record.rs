//! What is remembered of a position, and its 64 bits.

/// How a score relates to the true value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bound {
    /// The value is at most the score: no move reached alpha.
    Upper = 1,
    /// The value is at least the score: a move reached beta.
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

impl Bound {
    /// Whether this bound proves that the value is at least the score.
    #[inline]
    #[must_use]
    pub const fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Whether this bound proves that the value is at most the score.
    #[inline]
    #[must_use]
    pub const fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}

/// What a search learnt of one position.
///
/// `M` is the move: 16 bits, of which all zero means no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Record<M> {
    /// The best move, or the one that refuted.
    pub best_move: Option<M>,
    /// The score, from the view of the side to move, in the caller's units.
    pub score: i16,
    /// What the position looked like without a search. `i16::MIN` is read back as `None`.
    pub static_eval: Option<i16>,
    /// How many plies deep the score was searched.
    pub depth: u8,
    /// What the score proves.
    pub bound: Bound,
    /// Whether the position lay on a principal variation.
    pub was_pv: bool,
}

const NO_EVAL: i16 = i16::MIN;

/// Ages count modulo this.
pub(crate) const AGES: u8 = 32;

/// A record and its age in one word; the word zero holds nothing.
///
/// From the low end: move 16, score 16, static evaluation 16, depth 8, bound 2, was-PV 1, age 5.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(pub(crate) u64);

impl Packed {
    #[inline]
    pub(crate) fn new<M: Into<u16>>(record: Record<M>, age: u8) -> Packed {
        let best_move = record.best_move.map_or(0, Into::into);
        let static_eval = record.static_eval.unwrap_or(NO_EVAL);
        let low = u64::from(best_move)
            | u64::from(record.score.cast_unsigned()) << 16
            | u64::from(static_eval.cast_unsigned()) << 32;
        let high = u64::from(record.depth)
            | (record.bound as u64) << 8
            | u64::from(record.was_pv) << 10
            | u64::from(age) << 11;
        Packed(low | high << 48)
    }

    /// The record, if there is one.
    #[inline]
    pub(crate) fn unpack<M: From<u16>>(self) -> Option<Record<M>> {
        let bound = match (self.0 >> 56) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let best_move = self.move_bits();
        let static_eval = ((self.0 >> 32) as u16).cast_signed();
        Some(Record {
            best_move: (best_move != 0).then(|| M::from(best_move)),
            score: ((self.0 >> 16) as u16).cast_signed(),
            static_eval: (static_eval != NO_EVAL).then_some(static_eval),
            depth: self.depth(),
            bound,
            was_pv: (self.0 >> 58) & 1 != 0,
        })
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        (self.0 >> 56) & 3 == 0
    }

    #[inline]
    pub(crate) fn move_bits(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(crate) fn with_move_bits(self, bits: u16) -> Packed {
        Packed(self.0 & !0xffff | u64::from(bits))
    }

    #[inline]
    pub(crate) fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// How many searches ago it was stored, modulo [`AGES`].
    #[inline]
    pub(crate) fn years(self, now: u8) -> u8 {
        now.wrapping_sub((self.0 >> 59) as u8) % AGES
    }

    /// Sixteen bits that change with any of the 64.
    #[inline]
    pub(crate) fn fold(self) -> u16 {
        (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_survives_packing() {
        for index in 0..10_000_u32 {
            let mixed = index.wrapping_mul(0x9e37_79b9);
            let record = Record {
                best_move: (index % 3 != 0).then_some((mixed >> 16) as u16 | 1),
                score: (mixed as u16).cast_signed(),
                static_eval: (index % 5 != 0).then_some((mixed >> 8) as u16 as i16 | 1),
                depth: (mixed >> 3) as u8,
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][index as usize % 3],
                was_pv: index % 2 == 0,
            };
            let packed = Packed::new(record, index as u8 % AGES);
            assert_eq!(packed.unpack(), Some(record));
            assert!(!packed.is_empty());
            assert_eq!(packed.years(index as u8 % AGES), 0);
            assert_eq!(packed.years(index.wrapping_add(3) as u8 % AGES), 3);
        }
        assert_eq!(Packed(0).unpack::<u16>(), None);
    }

    #[test]
    fn bounds_say_what_they_prove() {
        assert!(Bound::Exact.is_lower() && Bound::Exact.is_upper());
        assert!(Bound::Lower.is_lower() && !Bound::Lower.is_upper());
        assert!(!Bound::Upper.is_lower() && Bound::Upper.is_upper());
    }
}
