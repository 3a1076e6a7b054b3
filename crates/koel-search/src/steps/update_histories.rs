use super::prelude::*;
use crate::history::HistoryContext;

declare! {
    /// The history bonus is larger if the score is far above beta.
    bonus_above_beta = true;
    /// A quiet move gets a history bonus if no reply raised alpha.
    prior_move_bonus = true;
    history {
        /// The bonus for each ply of depth.
        slope = 209 in 50..=400;
        /// Subtracted from the bonus.
        offset = 65 in 0..=400;
        /// The bonus is that of a ply more if the score exceeds beta by this many centipawns.
        above_beta_margin = 40 in 0..=200;
        /// The largest bonus.
        max_bonus = 1887 in 500..=4000;
        /// The malus for each ply of depth.
        malus_slope = 181 in 50..=600;
        /// Subtracted from the malus.
        malus_offset = 44 in 0..=400;
        /// The largest malus.
        max_malus = 1234 in 500..=4000;
        /// The share of the bonus for a move whose replies all failed, in percent.
        prior_move_percent = 66 in 0..=200;
    }
    /// Correction histories: weights in centipawns for an entry at its limit.
    correction {
        /// The bonus for each centipawn of difference and ply of depth, in 64ths.
        slope = 33 in 4..=128;
    }
}

impl Search<'_> {
    /// Updates killers and histories after a move loop: a bonus for the best move and a malus for
    /// those searched before it; without a best move a bonus for the move that led to the node; and
    /// the correction histories by the difference of score and static evaluation. (Killer
    /// heuristic; History heuristic; correction history.)
    pub(crate) fn update_histories(&mut self, node: &Node<'_>, move_loop: &MoveLoop) {
        let is_above = bonus_above_beta()
            && move_loop.best_score > node.window.beta + history::above_beta_margin();
        let depth = node.depth.0 + i32::from(is_above);
        let bonus = history::slope() * depth - history::offset();
        let bonus = classic!(Self::quadratic_bonus(bonus, history::slope(), depth), or bonus);
        let bonus = bonus.min(history::max_bonus());
        match move_loop.best_move {
            Some(_) => self.update_best_move_histories(node, move_loop, bonus),
            None => {
                self.update_prior_move_history(node, bonus * history::prior_move_percent() / 100)
            }
        }
        self.update_correction_history(node, move_loop);
    }

    fn update_best_move_histories(&mut self, node: &Node<'_>, move_loop: &MoveLoop, bonus: i32) {
        let Some(best) = move_loop.best_move else { return };
        let malus = (history::malus_slope() * node.depth.0 - history::malus_offset())
            .clamp(0, history::max_malus());
        let worker = &mut *self.worker;
        if best.is_noisy() {
            worker.histories.update_capture_history(node.position, best, bonus);
        } else {
            worker.stack.set_killer(node.ply, best);
            worker.histories.update_quiet_histories(node.position, &node.context, best, bonus);
            for &failed in move_loop.failed_quiets.iter().filter(|&&failed| failed != best) {
                worker.histories.update_quiet_histories(
                    node.position,
                    &node.context,
                    failed,
                    -malus,
                );
            }
        }
        for &failed in move_loop.failed_noisies.iter().filter(|&&failed| failed != best) {
            worker.histories.update_capture_history(node.position, failed, -malus);
        }
    }

    fn update_prior_move_history(&mut self, node: &Node<'_>, bonus: i32) {
        if !prior_move_bonus() || node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let stack = &self.worker.stack;
        let prior = stack.before(node.ply, 1);
        if let Some(slot) = prior.quiet_slot {
            let earlier = [2, 3, 5, 7].map(|plies| stack.before(node.ply, plies).piece_to);
            let context = HistoryContext { earlier, ..node.context };
            let m = prior.piece_to;
            self.worker.histories.update_quiet_history(slot, bonus);
            self.worker.histories.update_continuation_history(&context, m, bonus);
        }
    }

    /// Updates the correction histories, except after a capture, which changes the evaluation by
    /// itself, and where the bound does not exclude the static evaluation.
    #[inline]
    fn update_correction_history(&mut self, node: &Node<'_>, move_loop: &MoveLoop) {
        let difference = move_loop.best_score - node.static_eval;
        let is_informative = match move_loop.bound {
            Bound::Exact => true,
            Bound::Lower => difference > 0,
            Bound::Upper => difference < 0,
        };
        if node.in_check
            || node.excluded.is_some()
            || move_loop.best_score.is_decided()
            || move_loop.best_move.is_some_and(koel_board::Move::is_noisy)
            || !is_informative
        {
            return;
        }
        let bonus = difference * node.depth.0 * correction::slope() / 64;
        let last = self.last_moves(node.ply);
        self.worker.histories.correction.update(node.position, last, bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn the_best_move_gains_what_the_failed_ones_lose() {
        in_a_node(START_FEN, cut_node(6, 0), |search, node| {
            let [best, failed] = ["e2e4", "a2a3"].map(|uci| move_of(node, uci));
            let best_move = Some(best);
            let mut move_loop = MoveLoop { bound: Bound::Lower, best_move, ..moves_tried(2, 30) };
            move_loop.add_failed(failed);
            search.update_histories(node, &move_loop);
            let histories = &search.worker.histories;
            let [gained, lost] =
                [best, failed].map(|m| histories.history_score(node.position, &node.context, m));
            assert!(gained > 0 && lost < 0, "{gained} {lost}");
            assert_eq!(search.worker.stack[1].killers[0], best);
        });
    }

    #[test]
    fn an_evaluation_too_low_is_corrected_upwards_but_not_in_check() {
        for (in_check, is_corrected) in [(false, true), (true, false)] {
            in_a_node(START_FEN, cut_node(6, 0), |search, node| {
                node.in_check = in_check;
                let (best_move, bound) = (Some(move_of(node, "e2e4")), Bound::Lower);
                let move_loop = MoveLoop { bound, best_move, ..moves_tried(1, 200) };
                search.update_histories(node, &move_loop);
                let last = search.last_moves(node.ply);
                let correction = search.worker.histories.correction.score(node.position, last);
                assert_eq!(correction > 0, is_corrected, "{correction}");
            });
        }
    }
}
