//! A stack with one element for each position of a line.

use std::fmt::Debug;

/// The number of elements: as many as a `u8` can index, so that no access needs a bounds check and
/// no line needs an allocation.
const CAPACITY: usize = 1 << u8::BITS;

/// The maximum number of moves in a line.
pub(crate) const MAX_PLIES: usize = CAPACITY - 1;

/// A stack with one element for each position of a line. A line of more than [`MAX_PLIES`] moves
/// wraps around; debug builds panic.
#[derive(Clone, Debug)]
pub(crate) struct PlyStack<T> {
    elements: Box<[T; CAPACITY]>,
    ply: u8,
}

impl<T: Clone + Debug> PlyStack<T> {
    /// Creates a stack whose first element is this.
    pub(crate) fn new(first: T) -> PlyStack<T> {
        // Through a vector, since an array would be built on the call stack.
        let elements = vec![first; CAPACITY].into_boxed_slice();
        PlyStack { elements: elements.try_into().expect("the length is the capacity"), ply: 0 }
    }
}

impl<T> PlyStack<T> {
    /// Returns the current ply.
    #[inline(always)]
    pub(crate) fn ply(&self) -> u8 {
        self.ply
    }

    /// Returns the element of the current ply.
    #[inline(always)]
    pub(crate) fn top(&self) -> &T {
        self.at(self.ply)
    }

    /// Returns the element of the current ply, mutably.
    #[inline(always)]
    pub(crate) fn top_mut(&mut self) -> &mut T {
        &mut self.elements[usize::from(self.ply)]
    }

    /// Returns the element of a ply.
    #[inline(always)]
    pub(crate) fn at(&self, ply: u8) -> &T {
        &self.elements[usize::from(ply)]
    }

    /// Returns the elements of the ply before and of this ply, or `None` for ply 0.
    #[inline(always)]
    pub(crate) fn pair_at(&mut self, ply: u8) -> Option<(&T, &mut T)> {
        let (before, after) = self.elements.split_at_mut_checked(usize::from(ply))?;
        Some((before.last()?, after.first_mut()?))
    }

    /// Goes one ply further and returns its element, which is one left over from another line.
    #[inline(always)]
    pub(crate) fn push(&mut self) -> &mut T {
        debug_assert!(self.ply < u8::MAX, "a line has at most {MAX_PLIES} moves");
        self.ply = self.ply.wrapping_add(1);
        self.top_mut()
    }

    /// Goes back by one ply.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.ply > 0, "there is no move to unmake");
        self.ply = self.ply.wrapping_sub(1);
    }

    /// Returns to ply 0 for a new line, and returns its element.
    pub(crate) fn restart(&mut self) -> &mut T {
        self.ply = 0;
        self.top_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> PlyStack<usize> {
        let mut stack = PlyStack::new(0);
        (1..=MAX_PLIES).for_each(|ply| *stack.push() = ply);
        stack
    }

    #[test]
    fn elements_are_popped_in_reverse_order() {
        let mut stack = full();
        for ply in (1..=MAX_PLIES).rev() {
            assert_eq!(*stack.top(), ply);
            stack.pop();
        }
        assert_eq!((stack.ply(), *stack.top()), (0, 0));
        *stack.push() = 5;
        *stack.restart() = 7;
        assert_eq!((stack.ply(), *stack.top()), (0, 7));
    }

    #[test]
    #[should_panic(expected = "a line has at most 255 moves")]
    fn no_line_is_longer() {
        full().push();
    }

    #[test]
    #[should_panic(expected = "no move to unmake")]
    fn the_first_element_stays() {
        PlyStack::new(0).pop();
    }

    #[test]
    fn a_pair_is_two_neighbours() {
        let mut stack = PlyStack::new(0);
        *stack.push() = 1;
        *stack.push() = 2;
        assert_eq!(stack.pair_at(2), Some((&1, &mut 2)));
        assert_eq!(stack.pair_at(1), Some((&0, &mut 1)));
        assert_eq!(stack.pair_at(0), None);
    }
}
