//! The history tables of a thread.

mod correction;
mod entry;
mod piece_to;
mod tables;

use koel_board::{Move, Position, Threats};

pub(crate) use correction::{CorrectionHistory, DECLARED as CORRECTION, LastMoves};
pub(crate) use piece_to::PieceTo;
pub(crate) use tables::{CAPTURE_LIMIT, QuietSlot};
use tables::{
    CONTINUATION_LIMIT, CaptureHistory, ContinuationHistory, PawnHistory, QUIET_LIMIT,
    QuietHistory, capture_slot, pawn_row,
};

declare! {
    /// Quiet moves are ordered and reduced by the quiet history.
    quiet_history = true;
    /// Quiet moves are ordered, pruned and reduced by the continuation histories.
    continuation_history = true;
    /// Quiet moves are ordered by the pawn history.
    pawn_history = true;
    /// Move ordering: weights in 1024ths.
    ordering {
        /// The weight of the quiet history.
        quiet = 1781 in 0..=4096;
        /// The weight of the pawn history.
        pawn = 906 in 0..=4096;
        /// The weight of the continuation history of the move 1 ply ago.
        continuation_1 = 1323 in 0..=4096;
        /// The weight of the continuation history of the move 2 plies ago.
        continuation_2 = 1175 in 0..=4096;
        /// The weight of the continuation history of the move 4 plies ago.
        continuation_4 = 618 in 0..=4096;
        /// The weight of the continuation history of the move 6 plies ago.
        continuation_6 = 515 in 0..=4096;
    }
}

/// All history tables of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    quiet: QuietHistory,
    continuation: ContinuationHistory,
    pawn: PawnHistory,
    capture: CaptureHistory,
    pub(crate) correction: CorrectionHistory,
    #[cfg(feature = "switches")]
    /// The greatest recent change of static evaluation by a quiet move, in centipawns.
    pub(crate) gains: [i16; PieceTo::COUNT],
}

/// The inputs of the quiet histories besides the position and the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryContext {
    /// The squares attacked by the opponent.
    pub(crate) threats: Threats,
    /// The moves 1, 2, 4 and 6 plies ago.
    pub(crate) earlier: [PieceTo; 4],
}

impl HistoryContext {
    /// The context without threats and earlier moves.
    pub(crate) const NONE: HistoryContext =
        HistoryContext { threats: Threats::NONE, earlier: [PieceTo::NONE; 4] };
}

/// The largest absolute value of [`Histories::history_score`].
pub(crate) const HISTORY_SCORE_LIMIT: i32 = QUIET_LIMIT + 2 * CONTINUATION_LIMIT;

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: QuietHistory::new(),
            continuation: ContinuationHistory::new(),
            pawn: PawnHistory::new(),
            capture: CaptureHistory::new(),
            correction: CorrectionHistory::new(),
            #[cfg(feature = "switches")]
            gains: [0; PieceTo::COUNT],
        }
    }

    /// Resets all histories to zero.
    pub(crate) fn clear(&mut self) {
        self.quiet.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.capture.clear();
        self.correction.clear();
        classic!(self.gains.fill(0));
    }

    /// Prefetches what [`ordering_score`](Self::ordering_score) reads and earlier nodes have
    /// probably not left in the cache.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position, context: &HistoryContext) {
        self.continuation.prefetch_row(context.earlier[0].index(), position.turn());
        self.pawn.prefetch_row(pawn_row(position), position.turn());
    }

    /// Returns the move-ordering score of a quiet move, about -131072 to 131072.
    #[inline]
    pub(crate) fn ordering_score(
        &self,
        position: &Position,
        context: &HistoryContext,
        m: Move,
    ) -> i32 {
        let slot = QuietSlot::new(position.turn(), context.threats.all, m);
        let piece_to = PieceTo::new(position, m);
        let mut sum = 0;
        if quiet_history() {
            sum += ordering::quiet() * self.quiet.score(slot.index());
        }
        if pawn_history() {
            sum += ordering::pawn() * self.pawn.score(pawn_row(position), piece_to);
        }
        if continuation_history() {
            let weights = [
                ordering::continuation_1(),
                ordering::continuation_2(),
                ordering::continuation_4(),
                ordering::continuation_6(),
            ];
            for (earlier, weight) in context.earlier.into_iter().zip(weights) {
                sum += weight * self.continuation.score(earlier.index(), piece_to);
            }
        }
        sum / 1024
    }

    /// Returns the history score of a quiet move for reductions, -40960 to 40960: the quiet
    /// history plus the continuation histories of the last two moves.
    #[inline]
    pub(crate) fn history_score(
        &self,
        position: &Position,
        context: &HistoryContext,
        m: Move,
    ) -> i32 {
        let continuation = self.continuation_score(position, context, m);
        if !quiet_history() {
            return continuation;
        }
        let slot = QuietSlot::new(position.turn(), context.threats.all, m);
        self.quiet.score(slot.index()) + continuation
    }

    /// Returns the sum of the continuation histories of the last two moves, for pruning, -32768
    /// to 32768.
    #[inline]
    pub(crate) fn continuation_score(
        &self,
        position: &Position,
        context: &HistoryContext,
        m: Move,
    ) -> i32 {
        if !continuation_history() {
            return 0;
        }
        let piece_to = PieceTo::new(position, m);
        let [reply, follow_up, ..] = context.earlier;
        self.continuation.score(reply.index(), piece_to)
            + self.continuation.score(follow_up.index(), piece_to)
    }

    /// Updates all histories of a quiet move with a bonus, or a malus if negative.
    pub(crate) fn update_quiet_histories(
        &mut self,
        position: &Position,
        context: &HistoryContext,
        m: Move,
        bonus: i32,
    ) {
        let slot = QuietSlot::new(position.turn(), context.threats.all, m);
        let piece_to = PieceTo::new(position, m);
        self.quiet.update(slot.index(), bonus);
        self.pawn.update(pawn_row(position), piece_to, bonus);
        self.update_continuation_history(context, piece_to, bonus);
    }

    /// Returns the history score of a capture or promotion, -[`CAPTURE_LIMIT`] to
    /// [`CAPTURE_LIMIT`].
    #[inline]
    pub(crate) fn capture_score(&self, position: &Position, m: Move) -> i32 {
        self.capture.score(capture_slot(position, m))
    }

    /// Updates the history of a capture or promotion with a bonus, or a malus if negative.
    #[inline]
    pub(crate) fn update_capture_history(&mut self, position: &Position, m: Move, bonus: i32) {
        self.capture.update(capture_slot(position, m), bonus);
    }

    /// Updates the continuation histories of a quiet move only, after each earlier move that there
    /// is.
    #[inline]
    pub(crate) fn update_continuation_history(
        &mut self,
        context: &HistoryContext,
        m: PieceTo,
        bonus: i32,
    ) {
        for earlier in context.earlier.into_iter().filter(|earlier| !earlier.is_none()) {
            self.continuation.update(earlier.index(), m, bonus);
        }
    }

    /// Updates the quiet history of a move only, by its index.
    #[inline]
    pub(crate) fn update_quiet_history(&mut self, slot: QuietSlot, bonus: i32) {
        self.quiet.update(slot.index(), bonus);
    }
}
