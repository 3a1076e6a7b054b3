//! The path dependence of scores.

use std::fmt;
use std::ops::Neg;

use koel_tt::Bound;

use crate::score::Score;

/// The earliest position of the path that a bound depends on, as an index into the history of keys;
/// or none, if the bound holds on every path. (The head of the cycle.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CycleHead(u16);

impl CycleHead {
    /// No dependence: later than every index.
    pub const NONE: CycleHead = CycleHead(u16::MAX);

    /// The position at this index.
    #[inline]
    #[must_use]
    pub fn at(index: usize) -> CycleHead {
        CycleHead(index.min(usize::from(u16::MAX) - 1) as u16)
    }

    /// Returns true unless this is [`CycleHead::NONE`].
    #[inline]
    #[must_use]
    pub fn is_some(self) -> bool {
        self != CycleHead::NONE
    }

    /// The number of plies from this position to the one at `index`.
    ///
    /// # Panics
    /// Builds with overflow checks panic if there is no position, or it lies behind `index`; others
    /// return a meaningless number.
    #[inline]
    #[must_use]
    pub fn plies_before(self, index: usize) -> usize {
        index - usize::from(self.0)
    }

    /// This head if it lies before `other`, otherwise none.
    #[inline]
    fn before(self, other: CycleHead) -> CycleHead {
        if self < other { self } else { CycleHead::NONE }
    }
}

/// The path dependence of a score: one head for its lower bound and one for its upper bound.
///
/// A draw by repetition depends on the position that is repeated. The lower bound of a node depends
/// on what the upper bound of its best child depends on, its upper bound on the lower bounds of all
/// children. The dependence ends at the head: there the whole cycle is part of the subtree (compare
/// Tarjan's strongly connected components).
// Both heads are in one word, the lower bound's in the low half: every node passes one on, and it
// is nearly always the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PathDependence(u32);

impl PathDependence {
    /// A score that belongs to the position alone.
    pub const NONE: PathDependence = PathDependence(u32::MAX);

    /// A dependence with these heads.
    #[inline]
    #[must_use]
    pub fn new(lower: CycleHead, upper: CycleHead) -> PathDependence {
        PathDependence(u32::from(lower.0) | u32::from(upper.0) << 16)
    }

    /// Both bounds depend on this position.
    #[inline]
    #[must_use]
    pub fn on(head: CycleHead) -> PathDependence {
        PathDependence::new(head, head)
    }

    /// The head of the lower bound.
    #[inline]
    #[must_use]
    pub fn lower(self) -> CycleHead {
        CycleHead(self.0 as u16)
    }

    /// The head of the upper bound.
    #[inline]
    #[must_use]
    pub fn upper(self) -> CycleHead {
        CycleHead((self.0 >> 16) as u16)
    }

    /// Returns true if either bound depends on the path.
    #[inline]
    #[must_use]
    pub fn is_some(self) -> bool {
        self != PathDependence::NONE
    }

    /// Replaces the head of the lower bound.
    #[inline]
    #[must_use]
    pub fn with_lower(self, lower: CycleHead) -> PathDependence {
        PathDependence::new(lower, self.upper())
    }

    /// Adds the dependence of another move, from the mover's view: the upper bound of a node rests
    /// on the upper bounds of all its moves.
    #[inline]
    #[must_use]
    pub fn with_move(self, m: PathDependence) -> PathDependence {
        PathDependence::new(self.lower(), self.upper().min(m.upper()))
    }

    /// The part of the dependence that lies before the position at `index`.
    #[inline]
    #[must_use]
    pub fn before(self, index: usize) -> PathDependence {
        let index = CycleHead::at(index);
        PathDependence::new(self.lower().before(index), self.upper().before(index))
    }

    /// The part that matters to a bound: a lower bound says nothing about the upper one, and vice
    /// versa.
    #[inline]
    #[must_use]
    pub fn for_bound(self, bound: Bound) -> PathDependence {
        let no_lower = if bound.is_lower() { 0 } else { 0xffff };
        let no_upper = if bound.is_upper() { 0 } else { 0xffff_0000 };
        PathDependence(self.0 | no_lower | no_upper)
    }

    /// The earlier of both heads.
    #[inline]
    #[must_use]
    pub fn head(self) -> CycleHead {
        self.lower().min(self.upper())
    }
}

/// The dependence from the opponent's view, whose lower bound is our upper bound.
impl Neg for PathDependence {
    type Output = PathDependence;

    #[inline]
    fn neg(self) -> PathDependence {
        PathDependence(self.0.rotate_left(16))
    }
}

impl fmt::Debug for PathDependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PathDependence").field(&self.lower()).field(&self.upper()).finish()
    }
}

/// The result of searching a node: the score together with its path dependence.
///
/// A score that is used must have its dependence used too, or the transposition table will hold it
/// as true on every path. Where only a decision about depth follows from the score, the dependence
/// may be dropped: such decisions are guesses anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub(crate) struct PathScore {
    pub(crate) score: Score,
    pub(crate) dependence: PathDependence,
}

/// The result from the opponent's view.
impl Neg for PathScore {
    type Output = PathScore;

    #[inline]
    fn neg(self) -> PathScore {
        PathScore { score: -self.score, dependence: -self.dependence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dependence_on_a_cycle_ends_at_its_head() {
        let repeats = PathDependence::on(CycleHead::at(7));
        assert_eq!(repeats.before(8), repeats);
        assert_eq!(repeats.before(7), PathDependence::NONE);
        assert_eq!(repeats.before(3), PathDependence::NONE);
        assert_eq!(PathDependence::NONE.before(0), PathDependence::NONE);
        // A head before the root stays at every node.
        assert_eq!(PathDependence::on(CycleHead::at(2)).before(5).head(), CycleHead::at(2));
    }

    #[test]
    fn the_bounds_change_roles_from_ply_to_ply() {
        let child = PathDependence::new(CycleHead::at(4), CycleHead::NONE);
        assert_eq!(-child, PathDependence::new(CycleHead::NONE, CycleHead::at(4)));
        let result = PathScore { score: Score::MAX_EVAL, dependence: child };
        assert_eq!(-result, PathScore { score: -Score::MAX_EVAL, dependence: -child });
        assert_eq!(-(-result), result);
        let parent = PathDependence::NONE
            .with_move(-child)
            .with_move(PathDependence::new(CycleHead::at(1), CycleHead::at(6)));
        assert_eq!(parent, PathDependence::new(CycleHead::NONE, CycleHead::at(4)));
        assert_eq!(parent.for_bound(Bound::Lower), PathDependence::NONE);
        assert_eq!(parent.for_bound(Bound::Upper), parent);
        assert_eq!(parent.for_bound(Bound::Exact).head(), CycleHead::at(4));
        assert_eq!(parent.with_lower(CycleHead::at(2)).head(), CycleHead::at(2));
    }
}
