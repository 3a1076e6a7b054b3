//! What a loop over moves has brought so far.

use arrayvec::ArrayVec;
use koel_board::Move;
use koel_tt::Bound;

use crate::path::Dependence;
use crate::picker::Pick;
use crate::score::Score;
use crate::search::Kind;

/// Beyond these, moves are few and late; they need no blame.
const ROOM: usize = 32;

/// More are not put off: threads are spread by then.
const DEFERRED: usize = 8;

/// The best of the moves tried, and what the others were.
pub(crate) struct Tally {
    pub(crate) best: Score,
    /// The move that raised alpha, if one did.
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// What the best score rests on, as far as all moves together have come.
    pub(crate) dependence: Dependence,
    /// How many moves were searched or put off.
    pub(crate) tried: usize,
    /// Those that were put off and whose turn has not come.
    pub(crate) deferred: ArrayVec<Pick, DEFERRED>,
    /// The first quiet moves that were searched and are not the best.
    pub(crate) failed_quiets: ArrayVec<Move, ROOM>,
    /// The same of captures and promotions.
    pub(crate) failed_noisies: ArrayVec<Move, ROOM>,
}

impl Tally {
    #[inline]
    pub(crate) fn new() -> Tally {
        Tally {
            best: -Score::INFINITE,
            best_move: None,
            bound: Bound::Upper,
            dependence: Dependence::NONE,
            tried: 0,
            deferred: ArrayVec::new(),
            failed_quiets: ArrayVec::new(),
            failed_noisies: ArrayVec::new(),
        }
    }

    /// How many moves stood before this one in the list.
    #[inline]
    pub(crate) fn number_of<K: Kind>(&self, pick: &Pick) -> usize {
        match pick.put_off_at {
            Some(number) if K::CROWDED => usize::from(number.get()),
            _ => self.tried,
        }
    }

    /// Whether no move was searched.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.tried == 0
    }

    /// Notes a move that was not better than alpha.
    #[inline]
    pub(crate) fn note_failed(&mut self, m: Move) {
        let list = if m.is_noisy() { &mut self.failed_noisies } else { &mut self.failed_quiets };
        // A full list has seen enough.
        let _ = list.try_push(m);
    }
}
