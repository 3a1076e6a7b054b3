//! The mark that an entry of the transposition table keeps of the path dependence of its score.

use std::fmt;

use koel_tt::Payload;

/// The mark of a [`PathDependence`](super::PathDependence) in an entry of the transposition table.
///
/// A score that comes from a repetition of an earlier position holds only on paths on which that
/// position has occurred (graph history interaction). The lower and the upper bound are marked
/// separately: a lower bound above a draw never depends on a repetition, nor does an upper bound
/// below one. [`PathPolicy`](super::PathPolicy) decides which marked bounds are accepted.
// From the low end: signature 16 bits, distance 6, lower bound marked 1, upper bound marked 1.
// Packed as the table stores it, as every node carries it and few read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PathMark(u32);

const LOWER: u32 = 1 << 22;
const UPPER: u32 = 1 << 23;

impl PathMark {
    /// No dependence: the score belongs to the position alone.
    pub const NONE: PathMark = PathMark(0);

    /// The greatest distance that is stored, in plies.
    pub const MAX_DISTANCE: u8 = 63;

    /// Creates a mark. `lower` and `upper` are true if that bound depends on the path. `distance`
    /// is the number of plies from the head of the cycle to the position, capped at
    /// [`MAX_DISTANCE`](Self::MAX_DISTANCE), and `signature` that of the positions from the head to
    /// the parent.
    #[inline]
    #[must_use]
    pub const fn new(lower: bool, upper: bool, signature: u16, distance: u8) -> PathMark {
        let max = PathMark::MAX_DISTANCE;
        let distance = if distance < max { distance } else { max };
        let sides = (lower as u32) << 22 | (upper as u32) << 23;
        PathMark(signature as u32 | (distance as u32) << 16 | sides)
    }

    /// Returns true if the lower bound depends on the path.
    #[inline]
    #[must_use]
    pub const fn lower(self) -> bool {
        self.0 & LOWER != 0
    }

    /// Returns true if the upper bound depends on the path.
    #[inline]
    #[must_use]
    pub const fn upper(self) -> bool {
        self.0 & UPPER != 0
    }

    /// Returns the signature of the positions from the head to the parent.
    #[inline]
    #[must_use]
    pub const fn signature(self) -> u16 {
        self.0 as u16
    }

    /// Returns the plies from the head to the position: 0 to
    /// [`MAX_DISTANCE`](Self::MAX_DISTANCE).
    #[inline]
    #[must_use]
    pub const fn distance(self) -> u8 {
        (self.0 >> 16) as u8 & PathMark::MAX_DISTANCE
    }

    /// Returns true if either bound depends on the path.
    #[inline]
    #[must_use]
    pub const fn is_some(self) -> bool {
        self.0 & (LOWER | UPPER) != 0
    }
}

impl Payload for PathMark {
    const BITS: u32 = 24;

    #[inline]
    fn from_bits(bits: u32) -> PathMark {
        PathMark(bits)
    }

    #[inline]
    fn bits(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for PathMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = f.debug_struct("PathMark");
        parts.field("lower", &self.lower()).field("upper", &self.upper());
        parts.field("signature", &self.signature()).field("distance", &self.distance()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_marks_nothing() {
        assert_eq!(PathMark::default(), PathMark::NONE);
        assert!(!PathMark::NONE.is_some());
        assert!(PathMark::new(false, true, 0, 0).is_some());
        assert!(PathMark::new(true, false, 0, 0).is_some());
        assert!(!PathMark::new(false, false, 7, 7).is_some());
    }

    #[test]
    fn the_fields_survive_as_bits() {
        for index in 0..10_000_u32 {
            let mixed = index.wrapping_mul(0x9e37_79b9);
            let (lower, upper) = (mixed & 1 != 0, mixed & 2 != 0);
            let (signature, distance) = ((mixed >> 16) as u16, (mixed >> 8) as u8 & 63);
            let bits = PathMark::new(lower, upper, signature, distance).bits();
            assert_eq!(bits >> PathMark::BITS, 0);
            let read = PathMark::from_bits(bits);
            assert_eq!((read.lower(), read.upper()), (lower, upper));
            assert_eq!((read.signature(), read.distance()), (signature, distance));
        }
    }

    #[test]
    fn a_long_distance_to_the_head_is_capped() {
        let mark = PathMark::new(true, false, 9, 200);
        assert_eq!((mark.distance(), mark.signature()), (63, 9));
        assert!(mark.lower() && !mark.upper());
    }
}
