//! The state of a loop over moves.

use arrayvec::ArrayVec;
use koel_board::Move;
use koel_tt::Bound;

use crate::move_picker::PickedMove;
use crate::path::PathDependence;
use crate::score::Score;

/// The number of failed moves that are kept for a malus; later ones are few and ordered last
/// anyway.
const MAX_FAILED: usize = 32;

/// The best score and move so far, and the moves that were searched.
pub(crate) struct MoveLoop {
    pub(crate) best_score: Score,
    /// The last move that raised alpha.
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// The path dependence of the best score, from the moves searched so far.
    pub(crate) dependence: PathDependence,
    /// The number of moves that were searched.
    pub(crate) move_count: usize,
    /// The table move, while another thread searches it.
    pub(crate) deferred: Option<PickedMove>,
    /// The first quiet moves that did not raise alpha.
    pub(crate) failed_quiets: ArrayVec<Move, MAX_FAILED>,
    /// The first captures and promotions that did not raise alpha.
    pub(crate) failed_noisies: ArrayVec<Move, MAX_FAILED>,
}

impl MoveLoop {
    /// The state before the first move.
    #[inline]
    pub(crate) fn new() -> MoveLoop {
        MoveLoop {
            best_score: -Score::INFINITE,
            best_move: None,
            bound: Bound::Upper,
            dependence: PathDependence::NONE,
            move_count: 0,
            deferred: None,
            failed_quiets: ArrayVec::new(),
            failed_noisies: ArrayVec::new(),
        }
    }

    /// Returns true if no move has been searched.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.move_count == 0
    }

    /// Adds a move that did not raise alpha, if there is room.
    #[inline]
    pub(crate) fn add_failed(&mut self, m: Move) {
        let list = if m.is_noisy() { &mut self.failed_noisies } else { &mut self.failed_quiets };
        let _ = list.try_push(m);
    }
}
