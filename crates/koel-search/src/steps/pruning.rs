//! Move-loop pruning: moves that are skipped without a search.

use super::prelude::*;
use crate::history::CAPTURE_LIMIT;

declare! {
    /// Late quiet moves of shallow nodes are skipped.
    late_move_pruning = true;
    late_move_pruning {
        /// The largest depth.
        max_depth = 9 in 3..=16;
        /// The number of moves that are searched, before depth squared is added; half of the sum if
        /// the static evaluation is not improving.
        base = 4 in 1..=10;
    }
    /// Quiet moves that cannot reach alpha are skipped.
    futility = true;
    /// Futility pruning of quiet moves, in centipawns.
    futility {
        /// The largest depth after reduction.
        max_depth = 10 in 3..=14;
        /// At any depth.
        base = 6 in 0..=300;
        /// For each ply of depth after reduction.
        slope = 45 in 20..=250;
    }
    /// Captures that cannot reach alpha are skipped.
    capture_futility = true;
    /// Futility pruning of captures, in centipawns.
    capture_futility {
        /// The largest depth after reduction.
        max_depth = 6 in 2..=12;
        /// At any depth.
        base = 230 in 0..=500;
        /// For each ply of depth after reduction.
        slope = 183 in 20..=400;
        /// For a full history of captures.
        history = 182 in 0..=500;
    }
    /// The depth by which quiet moves are pruned depends on their history, as their reduction does.
    history_in_pruning = true;
    /// Quiet moves with a bad history are skipped.
    history_pruning = true;
    history_pruning {
        /// The largest depth after reduction.
        max_depth = 5 in 2..=10;
        /// The history score below which a move is pruned, negated, for each ply of depth.
        slope = 4500 in 500..=8000;
    }
    /// Moves that lose material by static exchange evaluation are skipped.
    see_pruning = true;
    /// Pruning by static exchange evaluation (SEE), in centipawns.
    see_pruning {
        /// The loss that a quiet move may have, times the square of the depth after reduction.
        quiet = 19 in 5..=80;
        /// The loss that a capture may have for each ply of depth.
        noisy = 80 in 20..=250;
        /// The change of that loss for a capture history at its limit.
        history = 98 in 0..=400;
    }
}

impl Search<'_> {
    /// Returns true if a move is skipped. Each rule saves the last moves of nearly every node, and
    /// fails where the point of a move lies beyond the remaining depth. No rule applies to a
    /// deferred table move, while all moves so far lose by a decided score, or when the side to
    /// move has only pawns. (Futility pruning; late move pruning; history pruning; SEE pruning.)
    #[inline]
    pub(crate) fn is_pruned<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picker: &mut MovePicker,
        picked: &PickedMove,
    ) -> bool {
        if Some(picked.m) == node.excluded {
            return true;
        }
        if NT::ROOT
            || picked.stage == Stage::Deferred
            || move_loop.best_score.is_loss()
            || !node.position.has_pieces(node.position.turn())
        {
            return false;
        }
        if node.is_late_move_pruned(move_loop) {
            picker.skips_quiets = true;
            classic!(if node.is_late_and_refutes_nothing(picker, picked) {
                return true;
            });
        }
        let mut reduction = self.worker.reductions.get(node.depth, move_loop.move_count);
        if history_in_pruning() && picked.is_quiet() {
            reduction -= self.history_reduction(node, picked);
        }
        let depth = Depth((node.depth.0 - 1 - reduction / 1024).max(0));
        if picked.is_quiet() {
            self.is_quiet_pruned(node, move_loop, picked, depth)
        } else {
            self.is_noisy_pruned(node, move_loop, picked, depth)
        }
    }

    fn is_quiet_pruned(
        &self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
        depth: Depth,
    ) -> bool {
        let histories = &self.worker.histories;
        if history_pruning() && depth <= Depth(history_pruning::max_depth()) {
            let score = histories.continuation_score(node.position, &node.context, picked.m);
            if score < -history_pruning::slope() * (depth.0 + 1) {
                return true;
            }
        }
        if futility() && !node.in_check && depth <= Depth(futility::max_depth()) {
            let gain = classic!(self.gain(node, picked.m), or 0);
            let margin = futility::base() + futility::slope() * depth.0 + gain;
            let futility_value = node.static_eval + margin;
            if futility_value <= node.window.alpha && !node.position.gives_check(picked.m) {
                move_loop.raise_best_score(futility_value);
                return true;
            }
        }
        let loss = -see_pruning::quiet() * depth.0 * depth.0;
        // Without a threat to either square nothing can capture the piece: a slider behind it
        // would attack the square that it leaves.
        let squares = Bitboard::from(picked.m.from()) | Bitboard::from(picked.m.to());
        see_pruning()
            && !node.context.threats.all.is_disjoint(squares)
            && !node.position.see_ge(picked.m, loss, &SeeValues::default())
    }

    fn is_noisy_pruned(
        &self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
        depth: Depth,
    ) -> bool {
        let values = SeeValues::default();
        let history = self.worker.histories.capture_score(node.position, picked.m);
        if capture_futility() && !node.in_check && depth <= Depth(capture_futility::max_depth()) {
            let victim = node.position.role_at(picked.m.to()).unwrap_or(Role::Pawn);
            let promotion = picked.m.promotion().map_or(0, |role| values.of(role));
            let gain = values.of(victim)
                + promotion
                + capture_futility::base()
                + capture_futility::slope() * depth.0
                + capture_futility::history() * history / CAPTURE_LIMIT;
            let futility_value = node.static_eval + gain;
            if futility_value <= node.window.alpha && !node.position.gives_check(picked.m) {
                move_loop.raise_best_score(futility_value);
                return true;
            }
        }
        let loss =
            see_pruning::noisy() * node.depth.0 + see_pruning::history() * history / CAPTURE_LIMIT;
        see_pruning() && !node.position.see_ge(picked.m, -loss.max(0), &values)
    }
}

impl Node<'_> {
    /// Returns true if enough moves of a shallow node have failed that the remaining quiet moves
    /// are skipped. (Late move pruning, LMP; move-count-based futility pruning.)
    #[inline]
    fn is_late_move_pruned(&self, move_loop: &MoveLoop) -> bool {
        let max_moves = late_move_pruning::base() + self.depth.0 * self.depth.0;
        late_move_pruning()
            && !self.in_check
            && self.depth <= Depth(late_move_pruning::max_depth())
            && move_loop.move_count as i32
                >= if self.is_improving { max_moves } else { max_moves / 2 }
    }
}

impl MoveLoop {
    /// Raises the best score to the most that a skipped move could have achieved.
    #[inline]
    fn raise_best_score(&mut self, score: Score) {
        if !self.best_score.is_decided() && !score.is_decided() {
            self.best_score = self.best_score.max(score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    const FEN: &str = "6k1/5ppp/3r4/8/8/N7/P4PPP/3R2K1 w - - 0 1";

    /// Returns true if a move is pruned at this depth with the given static evaluation, beta being
    /// 0 and another move having scored -100.
    fn is_pruned<NT: NodeType>(
        uci: &str,
        depth: i32,
        static_eval: i32,
        change: impl FnOnce(&mut Node<'_>, &mut MoveLoop),
    ) -> bool {
        in_a_node(FEN, cut_node(depth, 0), |search, node| {
            let mut picker = search.move_picker::<NonPv>(node);
            node.static_eval = cp(static_eval);
            let mut move_loop = moves_tried(1, -100);
            let picked = picked(node, uci, Stage::Quiet);
            change(node, &mut move_loop);
            search.is_pruned::<NT>(node, &mut move_loop, &mut picker, &picked)
        })
    }

    #[test]
    fn quiet_moves_far_below_alpha_are_pruned() {
        assert!(is_pruned::<NonPv>("h2h3", 1, -900, |_, _| ()));
        assert!(!is_pruned::<NonPv>("h2h3", 1, 100, |_, _| ()));
        assert!(!is_pruned::<NonPv>("h2h3", 20, -900, |_, _| ()), "too deep");
        assert!(!is_pruned::<Root>("h2h3", 1, -900, |_, _| ()));
        assert!(!is_pruned::<NonPv>("h2h3", 1, -900, |node, _| node.in_check = true));
        let all_lose = |_: &mut Node<'_>, moves: &mut MoveLoop| {
            moves.best_score = Score::mated_in(4);
        };
        assert!(!is_pruned::<NonPv>("h2h3", 1, -900, all_lose));
    }

    #[test]
    fn captures_are_pruned_if_even_the_victim_does_not_help() {
        assert!(is_pruned::<NonPv>("d1d6", 1, -1_500, |_, _| ()));
        assert!(!is_pruned::<NonPv>("d1d6", 1, -300, |_, _| ()));
    }

    #[test]
    fn losing_exchanges_are_pruned() {
        // The rook can be taken on d5 by the rook; on c1 it is safe.
        assert!(is_pruned::<NonPv>("d1d5", 2, 300, |_, _| ()));
        assert!(!is_pruned::<NonPv>("d1c1", 2, 300, |_, _| ()));
    }

    #[test]
    fn an_excluded_move_is_left_out_and_a_deferred_one_is_not() {
        assert!(is_pruned::<NonPv>("h2h3", 9, 300, |node, _| {
            node.excluded = Some(move_of(node, "h2h3"));
        }));
        in_a_node(FEN, cut_node(1, 0), |search, node| {
            let mut picker = search.move_picker::<NonPv>(node);
            node.static_eval = cp(-900);
            let picked = picked(node, "h2h3", Stage::Deferred);
            let mut move_loop = moves_tried(1, -100);
            assert!(!search.is_pruned::<NonPv>(node, &mut move_loop, &mut picker, &picked));
        });
    }

    #[test]
    fn late_quiet_moves_of_shallow_nodes_are_skipped() {
        let is_late = |move_count, depth| {
            in_a_node(FEN, cut_node(depth, 0), |_, node| {
                node.is_late_move_pruned(&moves_tried(move_count, 0))
            })
        };
        assert!(is_late(20, 2) && !is_late(1, 2) && !is_late(20, 20));
    }
}
