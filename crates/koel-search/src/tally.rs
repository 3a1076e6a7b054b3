//! What a loop over moves has brought so far.

use arrayvec::ArrayVec;
use koel_board::Move;
use koel_tt::Bound;

use crate::score::Score;

/// The best of the moves tried, and what the others were.
pub(crate) struct Tally {
    pub(crate) best: Score,
    /// The move that raised alpha, if one did.
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// How many moves were searched.
    pub(crate) tried: usize,
    /// The first quiet moves that were searched and are not the best.
    pub(crate) failed_quiets: ArrayVec<Move, 64>,
}

impl Tally {
    #[inline]
    pub(crate) fn new() -> Tally {
        Tally {
            best: -Score::INFINITE,
            best_move: None,
            bound: Bound::Upper,
            tried: 0,
            failed_quiets: ArrayVec::new(),
        }
    }
}
