//! One of something for each position of a line.

use std::fmt::Debug;

/// How many positions are kept: as many as a byte tells apart, so that no place needs a check and
/// no line needs memory of its own.
const KEPT: usize = 1 << u8::BITS;

/// The most moves of a line.
pub(crate) const LONGEST_LINE: usize = KEPT - 1;

/// Goes forward with every move and back with every move taken back. Longer lines than
/// [`LONGEST_LINE`] go round; debug builds panic.
#[derive(Clone, Debug)]
pub(crate) struct Plies<T> {
    kept: Box<[T; KEPT]>,
    now: u8,
}

impl<T: Clone + Debug> Plies<T> {
    /// For a line that begins with this.
    pub(crate) fn new(first: T) -> Plies<T> {
        // By way of a vector, as an array would pass over the stack.
        let kept = vec![first; KEPT].into_boxed_slice();
        Plies { kept: kept.try_into().expect("it has this length"), now: 0 }
    }
}

impl<T> Plies<T> {
    /// Where the present position stands.
    #[inline(always)]
    pub(crate) fn now(&self) -> u8 {
        self.now
    }

    /// What there is of the present position.
    #[inline(always)]
    pub(crate) fn last(&self) -> &T {
        self.at(self.now)
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(crate) fn last_mut(&mut self) -> &mut T {
        &mut self.kept[usize::from(self.now)]
    }

    /// What stands at a place.
    #[inline(always)]
    pub(crate) fn at(&self, place: u8) -> &T {
        &self.kept[usize::from(place)]
    }

    /// What stands at a place, and before it what stands at the place before. There is none before
    /// the first.
    #[inline(always)]
    pub(crate) fn step_to(&mut self, place: u8) -> Option<(&T, &mut T)> {
        let (before, after) = self.kept.split_at_mut_checked(usize::from(place))?;
        Some((before.last()?, after.first_mut()?))
    }

    /// Goes one ply further, to what was left there.
    #[inline(always)]
    pub(crate) fn push(&mut self) -> &mut T {
        debug_assert!(self.now < u8::MAX, "no line has more than {LONGEST_LINE} moves");
        self.now = self.now.wrapping_add(1);
        self.last_mut()
    }

    /// Goes back by one ply.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.now > 0, "there is no move to take back");
        self.now = self.now.wrapping_sub(1);
    }

    /// Begins another line.
    pub(crate) fn restart(&mut self) -> &mut T {
        self.now = 0;
        self.last_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest() -> Plies<usize> {
        let mut plies = Plies::new(0);
        (1..=LONGEST_LINE).for_each(|ply| *plies.push() = ply);
        plies
    }

    #[test]
    fn what_was_pushed_comes_back() {
        let mut plies = longest();
        for ply in (1..=LONGEST_LINE).rev() {
            assert_eq!(*plies.last(), ply);
            plies.pop();
        }
        assert_eq!((plies.now(), *plies.last()), (0, 0));
        *plies.push() = 5;
        *plies.restart() = 7;
        assert_eq!((plies.now(), *plies.last()), (0, 7));
    }

    #[test]
    #[should_panic(expected = "no line has more than 255 moves")]
    fn no_line_is_longer() {
        longest().push();
    }

    #[test]
    #[should_panic(expected = "no move to take back")]
    fn the_beginning_stays() {
        Plies::new(0).pop();
    }

    #[test]
    fn a_step_joins_neighbours() {
        let mut plies = Plies::new(0);
        *plies.push() = 1;
        *plies.push() = 2;
        assert_eq!(plies.step_to(2), Some((&1, &mut 2)));
        assert_eq!(plies.step_to(1), Some((&0, &mut 1)));
        assert_eq!(plies.step_to(0), None);
    }
}
