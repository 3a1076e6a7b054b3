//! What is remembered of a position.

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

/// What the two claims of a bound rest on besides the position: the path to it.
///
/// A score that came from a repetition of an earlier position of the path holds only where that
/// position has come before (graph history interaction). Each side of a bound is tainted for
/// itself: "at least" above a draw never rests on a repetition, nor does "at most" below one.
/// Which tainted bounds to trust is the search's policy; the table only remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct PathDependence {
    /// Whether the claim "at least the score" rests on the path.
    pub lower: bool,
    /// Whether the claim "at most the score" rests on the path.
    pub upper: bool,
    /// The [signature](Self::signature) of the head: the earliest position that is repeated.
    pub head: u16,
    /// Plies from the head to this position: 0 to [`MAX_DISTANCE`](Self::MAX_DISTANCE); more is
    /// remembered as that.
    pub distance: u8,
}

impl PathDependence {
    /// The score belongs to the position alone.
    pub const NONE: PathDependence =
        PathDependence { lower: false, upper: false, head: 0, distance: 0 };

    /// The greatest distance that is remembered, in plies.
    pub const MAX_DISTANCE: u8 = 63;

    /// Sixteen bits by which a head is known again.
    ///
    /// Compared with every key of a path of 10 positions they accept a wrong head in 0.015 % of
    /// cases, with 50 in 0.076 % (`cargo run --release -p koel-tt --example measure`).
    #[inline]
    #[must_use]
    pub const fn signature(key: u64) -> u16 {
        (key.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48) as u16
    }

    /// Whether any side rests on the path.
    #[inline]
    #[must_use]
    pub const fn is_tainted(self) -> bool {
        self.lower || self.upper
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
    /// What the score rests on besides the position.
    pub dependence: PathDependence,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_say_what_they_prove() {
        assert!(Bound::Exact.is_lower() && Bound::Exact.is_upper());
        assert!(Bound::Lower.is_lower() && !Bound::Lower.is_upper());
        assert!(!Bound::Upper.is_lower() && Bound::Upper.is_upper());
    }

    #[test]
    fn nothing_is_tainted_by_default() {
        assert_eq!(PathDependence::default(), PathDependence::NONE);
        assert!(!PathDependence::NONE.is_tainted());
        assert!(PathDependence { upper: true, ..PathDependence::NONE }.is_tainted());
    }
}
