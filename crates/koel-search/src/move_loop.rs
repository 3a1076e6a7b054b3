//! The state of a loop over moves.

use arrayvec::ArrayVec;
use koel_board::Move;
use koel_tt::Bound;

use crate::move_picker::PickedMove;
use crate::path::Dependence;
use crate::score::Score;
use crate::search::NodeType;

/// The number of failed moves that are kept for a malus; later ones are few and ordered last anyway.
const MAX_FAILED: usize = 32;

/// The number of moves that may be deferred at a time: enough to spread the threads.
const MAX_DEFERRED: usize = 8;

/// The best score and move so far, and the moves that were searched.
pub(crate) struct MoveLoop {
    pub(crate) best_score: Score,
    /// The last move that raised alpha.
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// The path dependence of the best score, from the moves searched so far.
    pub(crate) dependence: Dependence,
    /// The number of moves that were searched or deferred.
    pub(crate) move_count: usize,
    /// The deferred moves that have not been searched yet.
    pub(crate) deferred: ArrayVec<PickedMove, MAX_DEFERRED>,
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
            dependence: Dependence::NONE,
            move_count: 0,
            deferred: ArrayVec::new(),
            failed_quiets: ArrayVec::new(),
            failed_noisies: ArrayVec::new(),
        }
    }

    /// The number of moves before this one in move order, also if it was deferred.
    #[inline]
    pub(crate) fn move_number<NT: NodeType>(&self, picked: &PickedMove) -> usize {
        match picked.deferred_at {
            Some(number) if NT::SMP => usize::from(number.get()) - 1,
            _ => self.move_count,
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
