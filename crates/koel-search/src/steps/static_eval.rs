use koel_eval::material;

use super::prelude::*;
use crate::history::LastMoves;

declare! {
    /// Table scores replace the static evaluation where their bound contradicts it.
    tt_evaluation = true;
    /// The static evaluation is scaled down with little material.
    material_scaling = true;
    /// The static evaluation is scaled down as the halfmove clock grows.
    fifty_move_damping = true;
    /// The history of a quiet move is updated by its change of static evaluation.
    evaluation_difference = true;
    evaluation {
        /// The scale on an empty board, in 1024ths.
        material_base = 930 in 512..=1024;
        /// The increase of the scale for each pawn's value of material of both sides, in 1024ths.
        material_slope = 4 in 0..=8;
        /// The halfmove clock at which the evaluation would be scaled down to 0.
        damping = 233 in 150..=400;
        /// The history bonus of a quiet move for each 64 centipawns of its change of evaluation.
        difference_slope = 345 in 0..=1024;
        /// The largest such bonus, and malus.
        difference_max_bonus = 1080 in 100..=4000;
    }
}

impl Search<'_> {
    /// Sets the static evaluation of a node, corrected by the correction histories, the evaluation
    /// that is bounded by the table score, and the improving flag. There is none in check.
    /// (Evaluation; Improving; correction history; static evaluation as policy.)
    #[inline]
    pub(crate) fn static_eval(&mut self, node: &mut Node<'_>) {
        if node.excluded.is_some() {
            return;
        }
        let entry = &mut self.worker.stack[node.ply];
        entry.tt_pv = node.tt_pv;
        if node.in_check {
            entry.static_eval = None;
            return;
        }
        let stored = node.tt_hit.and_then(|hit| hit.raw_eval);
        node.raw_eval = stored.unwrap_or_else(|| self.evaluate(node));
        let last = self.last_moves(node.ply);
        node.correction = self.worker.histories.correction.score(node.position, last);
        node.static_eval = node.corrected_eval(self.worker.evaluator.is_custom());
        node.eval = node.tt_eval().unwrap_or(node.static_eval);
        let stack = &mut self.worker.stack;
        stack[node.ply].static_eval = Some(node.static_eval);
        let earlier =
            stack.before(node.ply, 2).static_eval.or(stack.before(node.ply, 4).static_eval);
        node.is_improving = earlier.is_none_or(|earlier| node.static_eval > earlier);
        self.update_history_by_eval_difference(node);
    }

    /// The last two moves, the index of the continuation correction history.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> LastMoves {
        [1, 2].map(|plies| self.worker.stack.before(ply, plies).piece_to)
    }

    /// Updates the history and the gain of the quiet move that led here by the change of static
    /// evaluation.
    #[inline]
    fn update_history_by_eval_difference(&mut self, node: &Node<'_>) {
        let before = self.worker.stack.before(node.ply, 1);
        let (Some(slot), Some(eval)) = (before.quiet_slot, before.static_eval) else { return };
        let difference = -(node.static_eval.centipawns() + eval.centipawns());
        classic!(self.update_gain(before.piece_to, difference));
        if evaluation_difference() {
            let max = evaluation::difference_max_bonus();
            let bonus = (difference * evaluation::difference_slope() / 64).clamp(-max, max);
            self.worker.histories.update_quiet_history(slot, bonus);
        }
    }
}

impl Node<'_> {
    /// The evaluation with what the search knows; an evaluation of one's own is neither scaled nor
    /// damped.
    #[inline]
    fn corrected_eval(&self, is_custom: bool) -> Score {
        let mut eval = self.raw_eval.centipawns();
        if material_scaling() && !is_custom {
            let material = material(self.position) as i32;
            let share = evaluation::material_base() + evaluation::material_slope() * material;
            eval = eval * share / 1024;
        }
        eval += self.correction;
        if fifty_move_damping() && !is_custom {
            let clock = i32::from(self.position.halfmove_clock());
            eval -= eval * clock / evaluation::damping();
        }
        Score::from_centipawns(eval)
    }

    /// The score of the table, if its bound contradicts the static evaluation.
    #[inline]
    fn tt_eval(&self) -> Option<Score> {
        let hit = self.tt_hit.filter(|_| tt_evaluation())?;
        let is_better = hit.score > self.static_eval && hit.bound.is_lower();
        let is_worse = hit.score < self.static_eval && hit.bound.is_upper();
        ((is_better || is_worse) && !hit.score.is_decided()).then_some(hit.score)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    fn hit(score: i32, bound: Bound, raw_eval: i32) -> Option<TtHit> {
        Some(TtHit { raw_eval: Some(cp(raw_eval)), ..tt_hit(score, bound, 1) })
    }

    #[test]
    fn the_table_has_the_evaluation_and_a_bound_that_contradicts_it_counts() {
        in_a_node(START_FEN, cut_node(3, 0), |search, node| {
            node.tt_hit = hit(500, Bound::Lower, 100);
            search.static_eval(node);
            assert_eq!(node.raw_eval.centipawns(), 100);
            assert_eq!(node.eval.centipawns(), 500);
            assert_eq!(search.worker.stack[1].static_eval, Some(node.static_eval));
            node.tt_hit = hit(500, Bound::Upper, 100);
            search.static_eval(node);
            assert_eq!(node.eval, node.static_eval, "the bound agrees");
        });
    }

    #[test]
    fn improving_is_measured_two_plies_ago_and_there_is_no_evaluation_in_check() {
        in_a_node(START_FEN, cut_node(3, 0), |search, node| {
            node.ply = 2;
            for (earlier, is_improving) in [(-300, true), (300, false)] {
                search.worker.stack[0].static_eval = Some(cp(earlier));
                search.static_eval(node);
                assert_eq!(node.is_improving, is_improving);
            }
            node.in_check = true;
            search.static_eval(node);
            assert_eq!(search.worker.stack[2].static_eval, None);
        });
    }
}
