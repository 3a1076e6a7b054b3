use std::num::NonZeroU8;
use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::{Bound, BusyMark, BusyMode};

use crate::node::{Node, Place};
use crate::path::Head;
use crate::picker::{Pick, Picker};
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::table::key_of;
use crate::tally::Tally;

impl<'a> Search<'a> {
    /// The next move, and behind the last those that were put off.
    #[inline]
    pub(crate) fn next_move<K: Kind>(
        &self,
        node: &Node<'_>,
        picker: &mut Picker,
        tally: &mut Tally,
    ) -> Option<Pick> {
        let pick = picker.next(node.position, &node.context, &self.worker.histories);
        if K::CROWDED { pick.or_else(|| tally.deferred.pop_at(0)) } else { pick }
    }

    /// A move that another thread is searching is put off until all others are tried: by then its
    /// result may be in the table. It keeps the number that it has in the list. It costs nothing
    /// but the order of moves, and fails if the move put off is the best. (ABDADA, Weill 1996;
    /// simplified, Kerrigan 2013.)
    #[inline]
    pub(crate) fn defers<K: Kind>(
        &mut self,
        node: &Node<'_>,
        tally: &mut Tally,
        pick: &Pick,
    ) -> bool {
        if !K::CROWDED || node.depth < self.defers_from || tally.is_empty() || pick.is_put_off() {
            return false;
        }
        self.puts_off(node, tally, pick)
    }

    #[inline(never)]
    fn puts_off(&mut self, node: &Node<'_>, tally: &mut Tally, pick: &Pick) -> bool {
        let key = key_of(&node.position.after(pick.m));
        let is_busy = self.shared.busy.is_busy(
            BusyMode::Deferral,
            key,
            marked(node.depth - 1),
            self.worker.index,
        );
        let number = u8::try_from(tally.tried).ok().and_then(NonZeroU8::new);
        let put_off = Pick { put_off_at: number, ..*pick };
        if !is_busy || number.is_none() || tally.deferred.try_push(put_off).is_err() {
            return false;
        }
        tally.tried += 1;
        self.worker.smp_counts.deferred += 1;
        true
    }

    /// Lets the others see that a move is being searched, as long as the result is kept.
    #[inline]
    pub(crate) fn mark_move<K: Kind>(
        &self,
        node: &Node<'_>,
        tally: &Tally,
        place: &Place<'_>,
    ) -> Option<BusyMark<'a>> {
        if !K::CROWDED || node.depth < self.defers_from || tally.is_empty() {
            return None;
        }
        let (key, depth) = (key_of(place.position), marked(node.depth - 1));
        Some(self.shared.busy.mark(BusyMode::Deferral, key, depth, self.worker.index))
    }

    /// Before a move that was put off the table is asked once more: another thread may have
    /// refuted the node, or found a better move for the principal variation.
    #[inline]
    pub(crate) fn look_again<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
        tally: &mut Tally,
        pick: &Pick,
    ) -> ControlFlow<Score> {
        if K::CROWDED && pick.is_put_off() {
            self.ask_again::<K>(node, tally)
        } else {
            Continue(())
        }
    }

    #[inline(never)]
    fn ask_again<K: Kind>(&mut self, node: &mut Node<'_>, tally: &mut Tally) -> ControlFlow<Score> {
        if K::ROOT {
            return Continue(());
        }
        let known = node.table_hit;
        let mut answer = self.look_up::<K>(node);
        if node.table_hit == known {
            return Continue(());
        }
        if K::PV {
            answer = self.take_over(node, tally);
        }
        self.worker.smp_counts.cutoffs += u64::from(answer.is_break());
        answer
    }

    /// On the principal variation another thread's move is as good as one's own.
    fn take_over(&mut self, node: &mut Node<'_>, tally: &mut Tally) -> ControlFlow<Score> {
        let (Some(hit), Some(m)) = (node.table_hit, node.table_move) else { return Continue(()) };
        let is_better = hit.bound.is_lower() && hit.score > node.window.alpha;
        // A win is shown with all its moves, which the table does not have.
        let rests_on_path = hit.dependence.lower() || hit.dependence.upper();
        if !is_better || !node.may_trust(&hit) || hit.score.is_decided() || rests_on_path {
            return Continue(());
        }
        if hit.score >= node.window.beta {
            return Break(hit.score);
        }
        self.worker.smp_counts.raised += 1;
        node.window.alpha = hit.score;
        // The moves tried are not better, so this is what the node is worth until one is.
        (tally.best, tally.best_move, tally.bound) = (hit.score, Some(m), Bound::Exact);
        tally.dependence = tally.dependence.with_lower(Head::NONE);
        self.worker.stack[node.ply + 1].line.clear();
        self.worker.stack.set_line(node.ply, m);
        Continue(())
    }
}

/// The depth as marks have it.
pub(super) fn marked(Depth(depth): Depth) -> u8 {
    depth.clamp(0, i32::from(u8::MAX)) as u8
}
