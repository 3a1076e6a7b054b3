//! What relatives ask of a ply: the frames of the line that is being searched.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use koel_board::{Move, Position};

use crate::history::{HistoryContext, PieceTo, QuietSlot};
use crate::score::{MAX_PLY, Score};

/// A sequence of moves.
pub(crate) type PvLine = ArrayVec<Move, { MAX_PLY + 1 }>;

/// One ply of the present line.
#[derive(Clone, Debug)]
pub(crate) struct StackEntry {
    /// What the position looks like; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// Whether the position is or once was on the principal variation.
    pub(crate) tt_pv: bool,
    /// The move that is being searched; [`Move::NONE`] for a null move.
    pub(crate) current_move: Move,
    /// The same, as histories see it.
    pub(crate) piece_to: PieceTo,
    /// Where it stands in the history of quiet moves, if it is one.
    pub(crate) quiet_slot: Option<QuietSlot>,
    /// By how much it is being reduced, in 1024ths of a ply.
    pub(crate) reduction: i32,
    /// How often a node at this ply has been refuted since its grandparent was entered.
    pub(crate) cutoff_count: u32,
    /// How often the line to here was extended by more than a ply.
    pub(crate) double_extensions: i32,
    /// The last quiet moves that refuted a position at this ply.
    pub(crate) killers: [Move; 2],
    /// The move that refuted the last null move at this ply, or [`Move::NONE`].
    pub(crate) threat_move: Move,
    /// While a repetition is settled by the policy [`Muller`](crate::PathPolicy::Muller): whether
    /// another occurrence counts as a draw.
    pub(crate) assumed_draw: Option<bool>,
    /// The best line from here, of the last principal variation that came by.
    pub(crate) pv: PvLine,
}

impl StackEntry {
    fn new() -> StackEntry {
        StackEntry {
            static_eval: None,
            tt_pv: false,
            current_move: Move::NONE,
            piece_to: PieceTo::NONE,
            quiet_slot: None,
            reduction: 0,
            cutoff_count: 0,
            double_extensions: 0,
            killers: [Move::NONE; 2],
            threat_move: Move::NONE,
            assumed_draw: None,
            pv: PvLine::new(),
        }
    }

    /// The same as new, but that the moves which its line no longer has are left where they are:
    /// to copy as many for each ply takes as long as dozens of nodes.
    fn clear(&mut self) {
        let StackEntry {
            static_eval,
            tt_pv,
            current_move,
            piece_to,
            quiet_slot,
            reduction,
            cutoff_count,
            double_extensions,
            killers,
            threat_move,
            assumed_draw,
            pv,
        } = self;
        (*static_eval, *tt_pv) = (None, false);
        (*current_move, *piece_to, *quiet_slot) = (Move::NONE, PieceTo::NONE, None);
        (*reduction, *cutoff_count, *double_extensions) = (0, 0, 0);
        (*killers, *threat_move) = ([Move::NONE; 2], Move::NONE);
        *assumed_draw = None;
        pv.clear();
    }

    /// Notes a move that is about to be searched.
    #[inline]
    pub(crate) fn set_move(&mut self, position: &Position, context: &HistoryContext, m: Move) {
        self.current_move = m;
        self.piece_to = PieceTo::new(position, m);
        let slot = QuietSlot::new(position.turn(), context.threats, m);
        self.quiet_slot = (!m.is_noisy()).then_some(slot);
        self.reduction = 0;
    }

    /// The same for a null move.
    #[inline]
    pub(crate) fn set_null_move(&mut self) {
        self.current_move = Move::NONE;
        self.piece_to = PieceTo::NONE;
        self.quiet_slot = None;
        self.reduction = 0;
    }
}

/// Frames before the root, so that looking back never branches.
const SENTINELS: usize = 6;

/// Room for those, for every ply, and for what a node at the last ply may look ahead to; a power of
/// two, so that an index needs a mask and no check.
const ENTRIES: usize = 256;

const _: () = assert!(SENTINELS + MAX_PLY + 3 <= ENTRIES);

/// One frame for each ply.
#[derive(Clone, Debug)]
pub(crate) struct SearchStack {
    entries: Box<[StackEntry; ENTRIES]>,
    /// The last ply at which a move was played since all was cleared.
    deepest: usize,
}

/// A node writes to its own frame and looks ahead to those of its child and grandchild.
const LOOKAHEAD: usize = 2;

impl SearchStack {
    pub(crate) fn new() -> SearchStack {
        // By way of a vector, as an array would pass over the stack.
        let entries = vec![StackEntry::new(); ENTRIES].into_boxed_slice();
        SearchStack { entries: entries.try_into().expect("it has this length"), deepest: 0 }
    }

    /// Forgets the last search. Short searches leave most frames as they were, and to fetch those
    /// from memory takes as long as some nodes.
    pub(crate) fn clear(&mut self) {
        // The last move led to a child, which is a node too.
        let touched = SENTINELS + self.deepest + 1 + LOOKAHEAD + 1;
        self.entries.iter_mut().take(touched).for_each(StackEntry::clear);
        self.deepest = 0;
    }

    /// The frame of a ply at which a move is about to be played.
    #[inline]
    pub(crate) fn entry_for_move(&mut self, ply: usize) -> &mut StackEntry {
        self.deepest = self.deepest.max(ply);
        &mut self[ply]
    }

    /// The frame so many plies before `ply`: at most six before the root.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.entries[(SENTINELS + ply - plies) & (ENTRIES - 1)]
    }

    /// The best line from `ply` is this move and then the best line from its child.
    pub(crate) fn update_pv(&mut self, ply: usize, m: Move) {
        let after = std::mem::take(&mut self[ply + 1].pv);
        let pv = &mut self[ply].pv;
        pv.clear();
        // The last ply has no children, so that a line never fills its room.
        for m in std::iter::once(m).chain(after.iter().copied()) {
            let _ = pv.try_push(m);
        }
    }

    /// Remembers a quiet move that refuted.
    #[inline]
    pub(crate) fn set_killer(&mut self, ply: usize, m: Move) {
        let killers = &mut self[ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }
}

/// Where a ply stands.
#[inline(always)]
fn index(ply: usize) -> usize {
    (SENTINELS + ply) & (ENTRIES - 1)
}

impl Index<usize> for SearchStack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[index(ply)]
    }
}

impl IndexMut<usize> for SearchStack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[index(ply)]
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Game;

    use super::*;
    use crate::{Limits, Shared, Supervisor, Worker};

    struct Unwatched;

    impl Supervisor for Unwatched {}

    #[test]
    fn nothing_is_left_of_a_search() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let (shared, mut worker) = (Shared::new(1, 1).unwrap(), Worker::new(0));
            for depth in [8, 1, 5] {
                shared.new_search();
                worker.search(&shared, &game, &Limits::to_depth(depth), &mut Unwatched);
                worker.stack.clear();
                let untouched = format!("{:?}", StackEntry::new());
                let is_clear = |entry| format!("{entry:?}") == untouched;
                assert!(worker.stack.entries.iter().all(is_clear), "{fen}, depth {depth}");
            }
        }
    }
}
