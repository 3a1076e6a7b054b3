use koel_board::FIFTY_MOVE_PLIES;

use super::prelude::*;
use crate::path::{PathDependence, PathPolicy};

impl Search<'_> {
    /// Breaks with a draw score on a repetition, by the fifty-move rule (unless the last move
    /// mated), and with insufficient material. (Repetitions; Fifty-move rule; Draw.)
    #[inline]
    pub(crate) fn check_draw<NT: NodeType>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if self.worker.repetitions.is_draw_by_repetition(node.ply) {
            self.draw_by_repetition::<NT>(node)?;
        }
        if node.is_past_fifty_moves() || node.position.is_insufficient_material() {
            return Break(self.draw_score(node.ply));
        }
        Continue(())
    }

    /// Breaks with a draw that depends on the previous occurrence of the position.
    #[inline(never)]
    fn draw_by_repetition<NT: NodeType>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let keys = self.worker.repetitions.keys();
        let Some(plies) = keys.previous_occurrence() else { return Continue(()) };
        if self.rules.policy == PathPolicy::Muller && plies < node.ply {
            return self.settle_repetition::<NT>(node, plies);
        }
        node.dependence = PathDependence::on(self.head(plies));
        Break(self.draw_score(node.ply))
    }
}

impl Node<'_> {
    #[inline]
    fn is_past_fifty_moves(&self) -> bool {
        self.position.halfmove_clock() >= FIFTY_MOVE_PLIES
            && (!self.in_check || self.position.has_legal_moves())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    fn is_drawn(fen: &str) -> bool {
        in_a_node(fen, cut_node(3, 0), |search, node| search.check_draw::<NonPv>(node).is_break())
    }

    #[test]
    fn the_fifty_move_rule_draws_unless_the_last_move_mated() {
        assert!(is_drawn("7k/8/8/8/8/8/4R3/K7 w - - 100 80"));
        assert!(!is_drawn("7k/8/8/8/8/8/4R3/K7 w - - 99 80"));
        assert!(!is_drawn("k1R5/8/1K6/8/8/8/8/8 b - - 100 80"));
    }

    #[test]
    fn insufficient_material_draws() {
        assert!(is_drawn("7k/8/8/8/8/8/4N3/K7 w - - 0 80"));
        assert!(!is_drawn("7k/8/8/8/8/8/4P3/K7 w - - 0 80"));
    }
}
