use koel_tt::Bound;

use crate::features;
use crate::history::Context;
use crate::node::Node;
use crate::params::{correction, history};
use crate::search::Search;
use crate::tally::Tally;

impl Search<'_> {
    /// A move that was best is tried sooner next time, and those before it later; a node without a
    /// good move speaks for the move that led there; and the score tells by how much evaluation was
    /// wrong. (Killer heuristic; History heuristic; correction history.)
    pub(crate) fn learn(&mut self, node: &Node<'_>, tally: &Tally) {
        let depth = node.depth.0;
        let bonus = (history::slope() * depth - history::offset()).min(history::most());
        match tally.best_move {
            Some(_) => self.reward_best(node, tally, bonus),
            None => self.reward_prior_move(node, bonus * history::prior_move() / 100),
        }
        self.learn_correction(node, tally);
    }

    fn reward_best(&mut self, node: &Node<'_>, tally: &Tally, bonus: i32) {
        let Some(best) = tally.best_move else { return };
        let blame = (history::blame_slope() * node.depth.0 - history::blame_offset())
            .clamp(0, history::blame_most());
        let worker = &mut *self.worker;
        if best.is_noisy() {
            worker.histories.capture.reward(node.position, best, bonus);
        } else {
            worker.stack.set_killer(node.ply, best);
            worker.histories.reward(node.position, &node.context, best, bonus);
            for &failed in tally.failed_quiets.iter().filter(|&&failed| failed != best) {
                worker.histories.reward(node.position, &node.context, failed, -blame);
            }
        }
        for &failed in tally.failed_noisies.iter().filter(|&&failed| failed != best) {
            worker.histories.capture.reward(node.position, failed, -blame);
        }
    }

    fn reward_prior_move(&mut self, node: &Node<'_>, bonus: i32) {
        if !features::prior_move_reward() || node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let stack = &self.worker.stack;
        let prior = stack.before(node.ply, 1);
        if let Some(slot) = prior.quiet_slot {
            let earlier = [2, 3, 5, 7].map(|plies| stack.before(node.ply, plies).piece_to);
            let context = Context { earlier, ..node.context };
            let m = prior.piece_to;
            self.worker.histories.reward_anywhere(slot, bonus);
            self.worker.histories.reward_continuation(&context, m, bonus);
        }
    }

    /// Captures change evaluation by themselves, and a bound on the wrong side says nothing.
    #[inline]
    fn learn_correction(&mut self, node: &Node<'_>, tally: &Tally) {
        let difference = tally.best - node.static_eval;
        let says_something = match tally.bound {
            Bound::Exact => true,
            Bound::Lower => difference > 0,
            Bound::Upper => difference < 0,
        };
        if !features::correction()
            || node.in_check
            || node.excluded.is_some()
            || tally.best.is_decided()
            || tally.best_move.is_some_and(koel_board::Move::is_noisy)
            || !says_something
        {
            return;
        }
        let bonus = difference * node.depth.0 * correction::slope() / 64;
        let last = self.last_moves(node.ply);
        self.worker.histories.correction.reward(node.position, last, bonus);
    }
}
