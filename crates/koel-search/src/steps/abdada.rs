use std::num::NonZeroU8;
use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::Position;
use koel_tt::{Bound, BusyMark, BusyMode};

use crate::features;
use crate::move_loop::MoveLoop;
use crate::move_picker::{MovePicker, PickedMove};
use crate::node::Node;
use crate::path::Head;
use crate::score::{Depth, Score};
use crate::search::{NodeType, Search};
use crate::tt::tt_key;

impl<'a> Search<'a> {
    /// Returns the next move to search: the deferred moves come after all others.
    #[inline]
    pub(crate) fn next_move<NT: NodeType>(
        &self,
        node: &Node<'_>,
        picker: &mut MovePicker,
        move_loop: &mut MoveLoop,
    ) -> Option<PickedMove> {
        let picked = picker.next(node.position, &node.context, &self.worker.histories);
        if NT::SMP { picked.or_else(|| move_loop.deferred.pop_at(0)) } else { picked }
    }

    /// Defers a move that another thread is searching until all others are searched: by then its
    /// result may be in the table. The move keeps its move number. It costs no more than a change
    /// of move order, and fails if the deferred move is the best. (ABDADA, Weill 1996; simplified,
    /// Kerrigan 2013.)
    #[inline]
    pub(crate) fn defers_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> bool {
        if picked.is_deferred() || !self.may_defer::<NT>(node, move_loop) {
            return false;
        }
        self.defer_if_busy(node, move_loop, picked)
    }

    /// Returns true if the next move of a node is marked, and deferred where it is.
    #[inline]
    fn may_defer<NT: NodeType>(&self, node: &Node<'_>, move_loop: &MoveLoop) -> bool {
        NT::SMP
            && node.depth >= self.abdada_min_depth
            && match move_loop.is_empty() {
                true => features::abdada_first_moves() && !NT::PV && node.is_cut_node,
                false => self.shared.defers_later_moves(),
            }
    }

    #[inline(never)]
    fn defer_if_busy(
        &mut self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> bool {
        let key = tt_key(&node.position.after(picked.m));
        let is_busy = self.shared.busy.is_busy(
            BusyMode::Deferral,
            key,
            busy_depth(node.depth - 1),
            self.worker.index,
        );
        let number = u8::try_from(move_loop.move_count + 1).ok().and_then(NonZeroU8::new);
        let deferred = PickedMove { deferred_at: number, ..*picked };
        if !is_busy || number.is_none() || move_loop.deferred.try_push(deferred).is_err() {
            return false;
        }
        move_loop.move_count += 1;
        self.worker.smp_counts.deferred += 1;
        true
    }

    /// Marks a move as being searched by this thread, until the returned mark is dropped.
    #[inline]
    pub(crate) fn mark_busy<NT: NodeType>(
        &self,
        node: &Node<'_>,
        move_loop: &MoveLoop,
        child: &Position,
    ) -> Option<BusyMark<'a>> {
        if !self.may_defer::<NT>(node, move_loop) {
            return None;
        }
        let (key, depth) = (tt_key(child), busy_depth(node.depth - 1));
        Some(self.shared.busy.mark(BusyMode::Deferral, key, depth, self.worker.index))
    }

    /// Probes the table again before a deferred move is searched: another thread may have refuted
    /// the node, or found a better move for the principal variation.
    #[inline]
    pub(crate) fn reprobe_tt<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> ControlFlow<Score> {
        if NT::SMP && picked.is_deferred() {
            self.reprobe_tt_now::<NT>(node, move_loop)
        } else {
            Continue(())
        }
    }

    #[inline(never)]
    fn reprobe_tt_now<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
    ) -> ControlFlow<Score> {
        if NT::ROOT {
            return Continue(());
        }
        let before = node.tt_hit;
        let mut flow = self.probe_tt::<NT>(node);
        if node.tt_hit == before {
            return Continue(());
        }
        if NT::PV {
            flow = self.adopt_tt_score(node, move_loop);
        }
        self.worker.smp_counts.cutoffs += u64::from(flow.is_break());
        flow
    }

    /// Takes over score and move of another thread in a PV node.
    fn adopt_tt_score(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
    ) -> ControlFlow<Score> {
        let (Some(hit), Some(m)) = (node.tt_hit, node.tt_move) else { return Continue(()) };
        let is_better = hit.bound.is_lower() && hit.score > node.window.alpha;
        // A decided score must come with its whole line, which the table does not hold.
        let is_path_dependent = hit.dependence.lower() || hit.dependence.upper();
        if !is_better || !node.tt_score_usable(&hit) || hit.score.is_decided() || is_path_dependent
        {
            return Continue(());
        }
        if hit.score >= node.window.beta {
            return Break(hit.score);
        }
        self.worker.smp_counts.raised += 1;
        node.window.alpha = hit.score;
        // No move searched so far is better, so this is the best score until one is.
        (move_loop.best_score, move_loop.best_move, move_loop.bound) =
            (hit.score, Some(m), Bound::Exact);
        move_loop.dependence = move_loop.dependence.with_lower(Head::NONE);
        self.worker.stack[node.ply + 1].pv.clear();
        self.worker.stack.update_pv(node.ply, m);
        Continue(())
    }
}

/// The depth in the format of the busy table.
pub(super) fn busy_depth(Depth(depth): Depth) -> u8 {
    depth.clamp(0, i32::from(u8::MAX)) as u8
}
