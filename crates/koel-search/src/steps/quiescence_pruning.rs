use koel_board::{Role, SeeValues};

use crate::features;
use crate::node::Node;
use crate::params::quiescence;
use crate::picker::Pick;
use crate::tally::Tally;

impl Node<'_> {
    /// Captures that cannot reach alpha are not looked at, nor those that come late, nor quiet
    /// evasions once one has been found. It saves half of quiescence, and fails where a capture
    /// does more than take. (Delta pruning; futility pruning; move count pruning.)
    #[inline]
    pub(crate) fn skips_in_quiescence(&self, tally: &mut Tally, pick: &Pick) -> bool {
        if tally.best.is_loss() {
            return false;
        }
        if self.in_check {
            return features::quiescence_move_count() && pick.is_quiet() && tally.tried > 0;
        }
        if pick.m.promotion().is_some() || self.position.gives_check(pick.m) {
            return false;
        }
        if features::quiescence_move_count() && tally.tried as i32 >= quiescence::move_count() {
            return true;
        }
        let values = SeeValues::default();
        let victim = self.position.role_at(pick.m.to()).unwrap_or(Role::Pawn);
        let base = self.static_eval + quiescence::futility();
        let reachable = base + values.of(victim);
        if !features::quiescence_futility() || self.window.alpha.is_decided() {
            return false;
        }
        if reachable <= self.window.alpha {
            tally.best = tally.best.max(reachable);
            return true;
        }
        if base <= self.window.alpha && !self.position.see_ge(pick.m, 1, &values) {
            tally.best = tally.best.max(base);
            return true;
        }
        false
    }
}
