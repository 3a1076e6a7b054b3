//! The caller's own bits in every entry.

/// Bits of the caller's own that are stored with every entry, beside the fields that every search
/// has.
///
/// 63 bits hold the payload and the tag by which an entry is recognised, so every bit of the
/// payload costs a bit of the tag. The unit type `()` is the payload of no bits.
///
/// The table never looks at the payload. When it keeps an old entry of the same position, it keeps
/// that entry's payload as well.
///
/// ```
/// use koel_tt::{Bound, Entry, Payload, TranspositionTable};
///
/// /// True if the score was verified by a second search.
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// struct Verified(bool);
///
/// impl Payload for Verified {
///     const BITS: u32 = 1;
///
///     fn from_bits(bits: u32) -> Verified {
///         Verified(bits != 0)
///     }
///
///     fn bits(self) -> u32 {
///         u32::from(self.0)
///     }
/// }
///
/// let table: TranspositionTable<u16, Verified> = TranspositionTable::new(1)?;
/// let entry = Entry {
///     best_move: None,
///     score: -12,
///     static_eval: None,
///     depth: 3,
///     bound: Bound::Upper,
///     is_pv: false,
///     payload: Verified(true),
/// };
/// table.store(0x9e37_79b9_7f4a_7c15, entry);
/// assert_eq!(table.probe(0x9e37_79b9_7f4a_7c15).map(|entry| entry.payload), Some(Verified(true)));
/// # Ok::<(), koel_tt::OutOfMemory>(())
/// ```
pub trait Payload: Copy {
    /// The number of bits, at most 32. A tag has the rest of 63: the probability that a foreign or
    /// torn entry is accepted doubles with every bit.
    const BITS: u32;

    /// Returns the payload that these bits stand for; those above [`BITS`](Self::BITS) are zero.
    #[must_use]
    fn from_bits(bits: u32) -> Self;

    /// Returns the payload as bits. Those above [`BITS`](Self::BITS) are not stored.
    #[must_use]
    fn bits(self) -> u32;
}

impl Payload for () {
    const BITS: u32 = 0;

    #[inline]
    fn from_bits(_bits: u32) {}

    #[inline]
    fn bits(self) -> u32 {
        0
    }
}

/// The bits that a payload uses of the low end of a word.
#[inline]
pub(crate) const fn payload_mask<P: Payload>() -> u64 {
    const { assert!(P::BITS <= 32, "a payload has at most 32 bits") };
    (1 << P::BITS) - 1
}

/// A payload of any number of bits, for tests.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Full<const BITS: u32>(pub(crate) u32);

#[cfg(test)]
impl<const BITS: u32> Payload for Full<BITS> {
    const BITS: u32 = BITS;

    fn from_bits(bits: u32) -> Self {
        Full(bits)
    }

    fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_has_the_bits_of_the_payload() {
        assert_eq!(payload_mask::<()>(), 0);
        assert_eq!(payload_mask::<Full<24>>(), 0xff_ffff);
        assert_eq!(payload_mask::<Full<32>>(), 0xffff_ffff);
    }
}
