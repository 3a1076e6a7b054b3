use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::Node;
use crate::path::{Dependence, PathPolicy};
use crate::score::Score;
use crate::search::{Kind, Search};

/// Plies without a capture or a pawn move after which a draw can be claimed.
const FIFTY_MOVES: u16 = 100;

impl Search<'_> {
    /// Drawn by repetition, by fifty moves (unless they ended in mate), or for want of material.
    /// (Repetitions; Fifty-move rule; Draw.)
    #[inline]
    pub(crate) fn rule_draw<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if self.worker.timeline.is_draw_by_repetition(node.ply) {
            self.repetition::<K>(node)?;
        }
        if node.is_past_fifty_moves() || node.position.is_insufficient_material() {
            return Break(self.draw_score(node.ply));
        }
        Continue(())
    }

    /// What has been there before is a draw, and rests on that.
    #[inline(never)]
    fn repetition<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let history = self.worker.timeline.history();
        let Some(plies) = history.previous_occurrence() else { return Continue(()) };
        if self.rules.policy == PathPolicy::Muller && plies < node.ply {
            return self.settle_repetition::<K>(node, plies);
        }
        node.dependence = Dependence::on(self.head(plies));
        Break(self.draw_score(node.ply))
    }
}

impl Node<'_> {
    #[inline]
    fn is_past_fifty_moves(&self) -> bool {
        self.position.halfmove_clock() >= FIFTY_MOVES
            && (!self.in_check || self.position.has_legal_moves())
    }
}
