//! Two scores in one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame score, added and multiplied as one: the endgame in the upper half,
/// the middlegame in the lower, 32 bits each, so that no number of queens overflows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pair(i64);

impl Pair {
    pub(crate) const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair(((endgame as i64) << 32) + middlegame as i64)
    }

    #[inline(always)]
    pub(crate) const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    #[inline(always)]
    pub(crate) const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper.
        (self.0.wrapping_add(0x8000_0000) >> 32) as i32
    }
}

impl Add for Pair {
    type Output = Pair;

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl Sub for Pair {
    type Output = Pair;

    #[inline(always)]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

impl Neg for Pair {
    type Output = Pair;

    #[inline(always)]
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    #[inline(always)]
    fn mul(self, count: i32) -> Pair {
        Pair(self.0.wrapping_mul(count as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        for (middlegame, endgame) in [(0, 0), (-1, 0), (0, -1), (-1, -1), (1234, -4321), (-300, 7)]
        {
            let pair = Pair::new(middlegame, endgame);
            assert_eq!((pair.middlegame(), pair.endgame()), (middlegame, endgame));
            assert_eq!(pair - pair, Pair::default());
            assert_eq!(-pair, Pair::new(-middlegame, -endgame));
            assert_eq!(pair * -3, Pair::new(-3 * middlegame, -3 * endgame));
            assert_eq!(pair + Pair::new(5, -5), Pair::new(middlegame + 5, endgame - 5));
        }
    }
}
