use koel_board::{Role, SeeValues};

use crate::features;
use crate::move_loop::MoveLoop;
use crate::move_picker::PickedMove;
use crate::node::Node;
use crate::params::quiescence;

impl Node<'_> {
    /// Returns true if a move of a quiescence node is skipped: a capture that cannot reach alpha, a
    /// late capture, or a quiet evasion after the first. It saves half of the quiescence nodes, and
    /// fails where a capture does more than win material. (Delta pruning; futility pruning; move
    /// count pruning.)
    #[inline]
    pub(crate) fn is_pruned_in_quiescence(
        &self,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> bool {
        if move_loop.best_score.is_loss() {
            return false;
        }
        if self.in_check {
            return features::quiescence_move_count()
                && picked.is_quiet()
                && move_loop.move_count > 0;
        }
        if picked.m.promotion().is_some() || self.position.gives_check(picked.m) {
            return false;
        }
        if features::quiescence_move_count()
            && move_loop.move_count as i32 >= quiescence::move_count()
        {
            return true;
        }
        let values = SeeValues::default();
        let victim = self.position.role_at(picked.m.to()).unwrap_or(Role::Pawn);
        let base = self.static_eval + quiescence::futility();
        let futility_value = base + values.of(victim);
        if !features::quiescence_futility() || self.window.alpha.is_decided() {
            return false;
        }
        if futility_value <= self.window.alpha {
            move_loop.best_score = move_loop.best_score.max(futility_value);
            return true;
        }
        if base <= self.window.alpha && !self.position.see_ge(picked.m, 1, &values) {
            move_loop.best_score = move_loop.best_score.max(base);
            return true;
        }
        false
    }
}
