use super::prelude::*;
use crate::history::{CAPTURE_LIMIT, HISTORY_SCORE_LIMIT};

declare! {
    late_move_reduction = true;
    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// The least depth.
        min_depth = 2 in 2..=6;
        /// Less in PV nodes.
        pv = 831 in 0..=2048;
        /// Less if the position was on the principal variation.
        tt_pv = 636 in 0..=2048;
        /// More in cut nodes.
        cut_node = 1175 in 0..=4096;
        /// More if the table move is a capture or promotion.
        noisy_tt_move = 791 in 0..=2048;
        /// More if the side to move is not improving.
        not_improving = 575 in 0..=2048;
        /// Less for a killer.
        killer = 551 in 0..=2048;
        /// Less for a move that gives check.
        check = 1362 in 0..=2048;
        /// More if there were many beta cutoffs at the next ply.
        cutoff_count = 500 in 0..=2048;
        /// Less for each centipawn of correction, in 64ths.
        correction = 308 in 0..=1024;
        /// Less for the best history score of a quiet move, more for the worst.
        quiet_history = 4841 in 0..=8192;
        /// Less for the best capture history, more for the worst.
        noisy_history = 1183 in 0..=4096;
    }
    /// Good captures are reduced in all nodes, not in cut nodes alone.
    noisy_reduction = true;
    /// Moves are reduced more if there were many beta cutoffs at the next ply.
    cutoff_count = true;
}

impl Search<'_> {
    /// Returns the reduction of a late move in 1024ths of a ply, negative for an extension: more
    /// for later moves and at higher depth. A move that raises alpha nevertheless is searched again
    /// at full depth. It saves most of the tree, and fails when the point of a move lies beyond the
    /// reduced depth. (Late move reductions, LMR.)
    #[inline]
    pub(crate) fn late_move_reduction<NT: NodeType>(
        &self,
        node: &Node<'_>,
        move_loop: &MoveLoop,
        picked: &PickedMove,
        gives_check: bool,
    ) -> i32 {
        let is_late = move_loop.move_count > usize::from(NT::PV) + usize::from(NT::ROOT)
            && picked.stage != Stage::Deferred;
        let is_reducible = picked.is_quiet()
            || picked.stage == Stage::BadNoisy
            || node.is_cut_node
            || noisy_reduction();
        if !late_move_reduction()
            || !is_late
            || !is_reducible
            || node.depth < Depth(late_move_reduction::min_depth())
        {
            return 0;
        }
        let mut reduction = self.worker.reductions.get(node.depth, move_loop.move_count);
        reduction -= i32::from(NT::PV) * late_move_reduction::pv();
        reduction -= i32::from(node.tt_pv) * late_move_reduction::tt_pv();
        reduction += i32::from(node.is_cut_node) * late_move_reduction::cut_node();
        reduction += i32::from(node.has_noisy_tt_move()) * late_move_reduction::noisy_tt_move();
        reduction += i32::from(!node.is_improving) * late_move_reduction::not_improving();
        reduction -= i32::from(gives_check) * late_move_reduction::check();
        reduction -= classic!(node.threat_reduction(picked.m), or 0);
        reduction -= node.correction.abs() * late_move_reduction::correction() / 64;
        if cutoff_count() && self.worker.stack[node.ply + 1].cutoff_count > 2 {
            reduction += late_move_reduction::cutoff_count();
        }
        if matches!(picked.stage, Stage::FirstKiller | Stage::SecondKiller) {
            reduction -= late_move_reduction::killer();
        }
        reduction - self.history_reduction(node, picked)
    }

    /// Returns the part of the reduction that history takes off, negative for a bad history.
    #[inline]
    pub(super) fn history_reduction(&self, node: &Node<'_>, picked: &PickedMove) -> i32 {
        let histories = &self.worker.histories;
        if picked.is_quiet() {
            let score = histories.history_score(node.position, &node.context, picked.m);
            score * late_move_reduction::quiet_history() / HISTORY_SCORE_LIMIT
        } else {
            let score = histories.capture_score(node.position, picked.m);
            score * late_move_reduction::noisy_history() / CAPTURE_LIMIT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// Returns the reduction of a quiet move after `move_count` others, at this depth.
    fn reduction(move_count: usize, depth: i32, stage: Stage) -> i32 {
        in_a_node(START_FEN, cut_node(depth, 0), |search, node| {
            let picked = picked(node, "a2a3", stage);
            search.late_move_reduction::<NonPv>(node, &moves_tried(move_count, 0), &picked, false)
        })
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        let quiet = |move_count, depth| reduction(move_count, depth, Stage::Quiet);
        assert_eq!(quiet(0, 8), 0, "the first move");
        assert_eq!(quiet(9, late_move_reduction::min_depth() - 1), 0);
        assert_eq!(reduction(9, 8, Stage::Deferred), 0);
        assert!(quiet(3, 8) > 0 && quiet(9, 8) > quiet(3, 8) && quiet(9, 12) > quiet(9, 8));
        assert!(reduction(9, 8, Stage::FirstKiller) < quiet(9, 8));
    }
}
