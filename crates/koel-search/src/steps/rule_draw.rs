use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::Node;
use crate::score::Score;
use crate::search::Search;

/// Plies without a capture or a pawn move after which a draw can be claimed.
const FIFTY_MOVES: u16 = 100;

impl Search<'_> {
    /// Drawn by repetition, by fifty moves (unless they ended in mate), or for want of material.
    /// (Repetitions; Fifty-move rule; Draw.)
    #[inline]
    pub(crate) fn rule_draw(&self, node: &Node<'_>) -> ControlFlow<Score> {
        if self.worker.timeline.is_draw_by_repetition(node.ply)
            || node.is_past_fifty_moves()
            || node.position.is_insufficient_material()
        {
            return Break(self.draw_score());
        }
        Continue(())
    }
}

impl Node<'_> {
    #[inline]
    fn is_past_fifty_moves(&self) -> bool {
        self.position.halfmove_clock() >= FIFTY_MOVES
            && (!self.in_check || self.position.has_legal_moves())
    }
}
