//! What a score rests on besides the position.

use std::fmt;

use koel_tt::Bound;

/// The earliest position of the path that a claim rests on, by its place in the history of keys;
/// or none, if the claim holds on every path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Head(u16);

impl Head {
    /// Of what rests on nothing: later than every place.
    pub const NONE: Head = Head(u16::MAX);

    /// The position at this place.
    #[inline]
    pub fn at(place: usize) -> Head {
        Head(place.min(usize::from(u16::MAX) - 1) as u16)
    }

    /// Returns true unless this is [`Head::NONE`].
    #[inline]
    pub fn is_some(self) -> bool {
        self != Head::NONE
    }

    /// How many plies before `place` it stands.
    #[inline]
    pub fn plies_before(self, place: usize) -> usize {
        place - usize::from(self.0)
    }

    /// Nothing that begins here or later depends on what came before.
    #[inline]
    fn before(self, place: Head) -> Head {
        if self < place { self } else { Head::NONE }
    }
}

/// What both claims of a score rest on: that the position is worth at least so much, and at most.
///
/// A repetition rests on the position that it repeats. "At least" rests on what the best move's
/// "at most" rests on, "at most" on every move's "at least". Where the line began that comes back,
/// nothing is left of it: there the cycle belongs to the position (compare Tarjan's strongly
/// connected components).
// Both heads in one word, "at least" in the low half: it is carried through every node, and nearly
// always the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dependence(u32);

impl Dependence {
    /// The score belongs to the position alone.
    pub const NONE: Dependence = Dependence(u32::MAX);

    /// Creates the dependence of both claims.
    #[inline]
    pub fn new(lower: Head, upper: Head) -> Dependence {
        Dependence(u32::from(lower.0) | u32::from(upper.0) << 16)
    }

    /// Both claims rest on this position.
    #[inline]
    pub fn on(head: Head) -> Dependence {
        Dependence::new(head, head)
    }

    /// Returns the head of the claim "at least".
    #[inline]
    pub fn lower(self) -> Head {
        Head(self.0 as u16)
    }

    /// Returns the head of the claim "at most".
    #[inline]
    pub fn upper(self) -> Head {
        Head((self.0 >> 16) as u16)
    }

    /// Returns true if either claim depends on the path.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Dependence::NONE
    }

    /// The same claims as the other side sees them: its "at least" is our "at most".
    #[inline]
    pub fn reversed(self) -> Dependence {
        Dependence(self.0.rotate_left(16))
    }

    /// The same "at most", and another "at least".
    #[inline]
    pub fn with_lower(self, lower: Head) -> Dependence {
        Dependence::new(lower, self.upper())
    }

    /// Another move was searched, and its claims are these from the mover's view: no claim about
    /// the best move holds without its "at most".
    #[inline]
    pub fn and_move(self, m: Dependence) -> Dependence {
        Dependence::new(self.lower(), self.upper().min(m.upper()))
    }

    /// What is left of it at the position that stands at this place.
    #[inline]
    pub fn outside(self, place: usize) -> Dependence {
        let place = Head::at(place);
        Dependence::new(self.lower().before(place), self.upper().before(place))
    }

    /// What matters of it for a bound: a refutation claims no "at most", a failure no "at least".
    #[inline]
    pub fn of_bound(self, bound: Bound) -> Dependence {
        let nothing_lower = if bound.is_lower() { 0 } else { 0xffff };
        let nothing_upper = if bound.is_upper() { 0 } else { 0xffff_0000 };
        Dependence(self.0 | nothing_lower | nothing_upper)
    }

    /// The earlier one.
    #[inline]
    pub fn head(self) -> Head {
        self.lower().min(self.upper())
    }
}

impl fmt::Debug for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dependence").field(&self.lower()).field(&self.upper()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_ends_at_its_head() {
        let repeats = Dependence::on(Head::at(7));
        assert_eq!(repeats.outside(8), repeats);
        assert_eq!(repeats.outside(7), Dependence::NONE);
        assert_eq!(repeats.outside(3), Dependence::NONE);
        assert_eq!(Dependence::NONE.outside(0), Dependence::NONE);
        // What began before the root is there at every node.
        assert_eq!(Dependence::on(Head::at(2)).outside(5).head(), Head::at(2));
    }

    #[test]
    fn the_sides_change_roles() {
        let child = Dependence::new(Head::at(4), Head::NONE);
        assert_eq!(child.reversed(), Dependence::new(Head::NONE, Head::at(4)));
        let parent = Dependence::NONE
            .and_move(child.reversed())
            .and_move(Dependence::new(Head::at(1), Head::at(6)));
        assert_eq!(parent, Dependence::new(Head::NONE, Head::at(4)));
        assert_eq!(parent.of_bound(Bound::Lower), Dependence::NONE);
        assert_eq!(parent.of_bound(Bound::Upper), parent);
        assert_eq!(parent.of_bound(Bound::Exact).head(), Head::at(4));
        assert_eq!(parent.with_lower(Head::at(2)).head(), Head::at(2));
    }
}
