//! Moves that are not worth a search.

use koel_board::{Role, SeeValues};

use crate::features;
use crate::history::CAPTURE_LIMIT;
use crate::node::Node;
use crate::params::{
    capture_futility, exchange_pruning, futility, history_pruning, late_move_pruning,
};
use crate::picker::{Pick, Picker};
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Whether a move is passed over. Each reason saves the tail of nearly every list, and fails
    /// where the point of a move is deeper than the rest of the search. None counts while all moves
    /// so far get mated, or with nothing but pawns. (Futility pruning and its kin.)
    #[inline]
    pub(crate) fn skips<K: Kind>(
        &mut self,
        node: &Node<'_>,
        tally: &mut Tally,
        picker: &mut Picker,
        pick: &Pick,
    ) -> bool {
        if Some(pick.m) == node.excluded {
            return true;
        }
        if K::ROOT
            || (K::CROWDED && pick.is_put_off())
            || tally.best.is_loss()
            || !node.position.has_pieces(node.position.turn())
        {
            return false;
        }
        if node.is_too_late(tally) {
            picker.skip_quiets();
        }
        let reduction = self.worker.reductions.get(node.depth, tally.tried);
        let depth = Depth((node.depth.0 - 1 - reduction / 1024).max(0));
        if pick.is_quiet() {
            self.skips_quiet(node, tally, pick, depth)
        } else {
            self.skips_noisy(node, tally, pick, depth)
        }
    }

    fn skips_quiet(&self, node: &Node<'_>, tally: &mut Tally, pick: &Pick, depth: Depth) -> bool {
        let histories = &self.worker.histories;
        if features::history_pruning() && depth <= Depth(history_pruning::deepest()) {
            let score = histories.judge_continuation(node.position, &node.context, pick.m);
            if score < -history_pruning::slope() * (depth.0 + 1) {
                return true;
            }
        }
        if features::futility() && !node.in_check && depth <= Depth(futility::deepest()) {
            let reachable = node.static_eval + (futility::base() + futility::slope() * depth.0);
            if reachable <= node.window.alpha && !node.position.gives_check(pick.m) {
                tally.raise_unless_mate(reachable);
                return true;
            }
        }
        let loss = -exchange_pruning::quiet() * depth.0 * depth.0;
        features::exchange_pruning() && !node.position.see_ge(pick.m, loss, &SeeValues::default())
    }

    fn skips_noisy(&self, node: &Node<'_>, tally: &mut Tally, pick: &Pick, depth: Depth) -> bool {
        let values = SeeValues::default();
        let history = self.worker.histories.capture.score(node.position, pick.m);
        if features::capture_futility()
            && !node.in_check
            && depth <= Depth(capture_futility::deepest())
        {
            let victim = node.position.role_at(pick.m.to()).unwrap_or(Role::Pawn);
            let promotion = pick.m.promotion().map_or(0, |role| values.of(role));
            let gain = values.of(victim)
                + promotion
                + capture_futility::base()
                + capture_futility::slope() * depth.0
                + capture_futility::history() * history / CAPTURE_LIMIT;
            let reachable = node.static_eval + gain;
            if reachable <= node.window.alpha && !node.position.gives_check(pick.m) {
                tally.raise_unless_mate(reachable);
                return true;
            }
        }
        let loss = exchange_pruning::noisy() * node.depth.0
            + exchange_pruning::history() * history / CAPTURE_LIMIT;
        features::exchange_pruning() && !node.position.see_ge(pick.m, -loss.max(0), &values)
    }
}

impl Node<'_> {
    /// Near the leaves, when so many moves have failed, the quiet ones that are left will fail
    /// too. (Futility pruning: move count based, or late move pruning, LMP.)
    #[inline]
    fn is_too_late(&self, tally: &Tally) -> bool {
        let most = late_move_pruning::base() + self.depth.0 * self.depth.0;
        features::late_move_pruning()
            && !self.in_check
            && self.depth <= Depth(late_move_pruning::deepest())
            && tally.tried as i32 >= if self.is_improving { most } else { most / 2 }
    }
}

impl Tally {
    /// What a move that was passed over could have brought at most.
    #[inline]
    fn raise_unless_mate(&mut self, score: Score) {
        if !self.best.is_decided() && !score.is_decided() {
            self.best = self.best.max(score);
        }
    }
}
