//! The search stack: what the nodes of a line need of each other.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use koel_board::{Move, Position};

use crate::history::{HistoryContext, PieceTo, QuietSlot};
use crate::score::{MAX_PLY, Score};

/// A principal variation.
pub(crate) type PvLine = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The search stack's entry for one ply: a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(crate) struct StackEntry {
    /// The static evaluation; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// True if the position is or was on the principal variation.
    pub(crate) tt_pv: bool,
    /// The move being searched; [`Move::NONE`] for a null move.
    pub(crate) current_move: Move,
    /// The piece of that move and its destination, the index of the continuation histories.
    pub(crate) piece_to: PieceTo,
    /// The index of that move in the history of quiet moves, if it is quiet.
    pub(crate) quiet_slot: Option<QuietSlot>,
    /// The reduction of that move, in 1024ths of a ply.
    pub(crate) reduction: i32,
    /// The number of beta cutoffs at this ply since the move loop two plies before began.
    pub(crate) cutoff_count: u32,
    /// The number of extensions of more than a ply on the line to here.
    pub(crate) double_extensions: i32,
    /// The last two quiet moves that caused a beta cutoff at this ply. (Killer heuristic.)
    pub(crate) killers: [Move; 2],
    /// The best move of the last node at this ply, or [`Move::NONE`], where a classic step needs
    /// it.
    #[cfg(feature = "switches")]
    pub(crate) best_move: Move,
    /// While a repetition is settled by the policy [`Muller`](crate::PathPolicy::Muller): true
    /// if another occurrence counts as a draw.
    pub(crate) assumed_draw: Option<bool>,
}

impl StackEntry {
    /// The entry of a ply that no search has been at.
    const UNUSED: StackEntry = StackEntry {
        static_eval: None,
        tt_pv: false,
        current_move: Move::NONE,
        piece_to: PieceTo::NONE,
        quiet_slot: None,
        reduction: 0,
        cutoff_count: 0,
        double_extensions: 0,
        killers: [Move::NONE; 2],
        #[cfg(feature = "switches")]
        best_move: Move::NONE,
        assumed_draw: None,
    };

    /// Sets the move that is about to be searched.
    #[inline]
    pub(crate) fn set_move(&mut self, position: &Position, context: &HistoryContext, m: Move) {
        self.current_move = m;
        self.piece_to = PieceTo::new(position, m);
        let slot = QuietSlot::new(position.turn(), context.threats.all, m);
        self.quiet_slot = (!m.is_noisy()).then_some(slot);
        self.reduction = 0;
    }

    /// Sets a null move.
    #[inline]
    pub(crate) fn set_null_move(&mut self) {
        self.current_move = Move::NONE;
        self.piece_to = PieceTo::NONE;
        self.quiet_slot = None;
        self.reduction = 0;
    }
}

/// The number of entries before the root, so that looking back needs no branch.
const SENTINELS: usize = 6;

/// The number of entries: those before the root, one for each ply, and those that a node at the
/// last ply looks ahead to. A power of two, so that an index needs a mask instead of a check.
const ENTRIES: usize = 256;

const _: () = assert!(SENTINELS + MAX_PLY + 3 <= ENTRIES);

/// The search stack: one entry for each ply.
#[derive(Clone, Debug)]
pub(crate) struct SearchStack {
    entries: Box<[StackEntry; ENTRIES]>,
    /// The principal variation from each ply on, of the last PV node there. Apart from the entries,
    /// which are small without it.
    pvs: Box<[PvLine; ENTRIES]>,
    /// The greatest ply at which a move was made since the stack was cleared.
    deepest: usize,
}

/// A node accesses the entries of its child and grandchild.
const LOOKAHEAD: usize = 2;

impl SearchStack {
    pub(crate) fn new() -> SearchStack {
        // Made from a vector, as an array would be built on the thread's stack.
        let pvs = vec![PvLine::new(); ENTRIES].into_boxed_slice();
        SearchStack {
            entries: Box::new([StackEntry::UNUSED; ENTRIES]),
            pvs: pvs.try_into().expect("it has this length"),
            deepest: 0,
        }
    }

    /// Clears the entries that the last search used: after a short search that saves fetching
    /// most of the stack from memory.
    pub(crate) fn clear(&mut self) {
        // The last move led to a child, which is a node too and looks ahead.
        let touched = SENTINELS + self.deepest + 1 + LOOKAHEAD + 1;
        self.entries.iter_mut().take(touched).for_each(|entry| *entry = StackEntry::UNUSED);
        self.pvs.iter_mut().take(touched).for_each(PvLine::clear);
        self.deepest = 0;
    }

    /// The entry of a ply at which a move is about to be made.
    #[inline]
    pub(crate) fn entry_for_move(&mut self, ply: usize) -> &mut StackEntry {
        self.deepest = self.deepest.max(ply);
        &mut self[ply]
    }

    /// The entry `plies` before `ply`, at most six before the root.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.entries[(SENTINELS + ply - plies) & (ENTRIES - 1)]
    }

    /// Sets the principal variation at `ply` to this move followed by the child's principal
    /// variation.
    pub(crate) fn update_pv(&mut self, ply: usize, m: Move) {
        let after = std::mem::take(&mut self.pvs[index(ply + 1)]);
        let pv = self.pv(ply);
        pv.clear();
        // The last ply has no children, so that a line always fits.
        for m in std::iter::once(m).chain(after.iter().copied()) {
            let _ = pv.try_push(m);
        }
    }

    /// The principal variation from `ply` on, of the last PV node there.
    #[inline]
    pub(crate) fn pv(&mut self, ply: usize) -> &mut PvLine {
        &mut self.pvs[index(ply)]
    }

    /// Adds a killer move.
    #[inline]
    pub(crate) fn set_killer(&mut self, ply: usize, m: Move) {
        let killers = &mut self[ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }
}

/// The index of a ply's entry.
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
    use crate::{Limits, Shared, Worker};

    #[test]
    fn clearing_leaves_nothing_of_a_search() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let (shared, mut worker) = (Shared::new(1, 1).unwrap(), Worker::new(0));
            for depth in [8, 1, 5] {
                shared.new_search();
                worker.search(&shared, &game, &Limits::to_depth(depth), &mut ());
                worker.stack.clear();
                let is_clear = |&entry: &StackEntry| entry == StackEntry::UNUSED;
                assert!(worker.stack.entries.iter().all(is_clear), "{fen}, depth {depth}");
                assert!(worker.stack.pvs.iter().all(|pv| pv.is_empty()), "{fen}, depth {depth}");
            }
        }
    }
}
