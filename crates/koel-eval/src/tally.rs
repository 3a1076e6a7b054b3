//! Where the terms put what they find: added up at once, or counted weight by weight.

use crate::pair::Pair;
use crate::weights::WEIGHTS;

/// What one side has to its credit. The terms only ever count; what a count is worth is known
/// here. So the evaluation, its display and its tuner share one code.
pub(crate) trait Tally {
    /// The side has `count` times what the weight stands for.
    fn add(&mut self, weight: usize, count: i32);

    /// Its king is in danger by so many times the weight.
    fn endanger(&mut self, weight: usize, count: i32);
}

/// The tally of the search: two sums.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    score: Pair,
    danger: Pair,
}

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, weight: usize, count: i32) {
        self.score += WEIGHTS[weight] * count;
    }

    #[inline(always)]
    fn endanger(&mut self, weight: usize, count: i32) {
        self.danger += WEIGHTS[weight] * count;
    }
}

impl Sum {
    /// What it comes to.
    #[inline(always)]
    pub(crate) fn total(self) -> Pair {
        self.score - penalty(self.danger)
    }
}

/// The divisor of the square of the danger in the middlegame.
pub(crate) const SQUARE_DIVISOR: i32 = 4096;

/// The divisor of the danger in the endgame.
pub(crate) const LINEAR_DIVISOR: i32 = 16;

/// What a danger costs: its square in the middlegame, since attackers help each other, and in the
/// endgame what it is. Below zero it costs nothing.
#[inline(always)]
pub(crate) fn penalty(danger: Pair) -> Pair {
    let middlegame = danger.middlegame().clamp(0, MOST_DANGER);
    let endgame = danger.endgame().max(0);
    Pair::new(middlegame * middlegame / SQUARE_DIVISOR, endgame / LINEAR_DIVISOR)
}

/// Beyond this a danger does not grow: about 25 pawns.
const MOST_DANGER: i32 = 3200;
