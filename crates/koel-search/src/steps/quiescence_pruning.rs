use super::prelude::*;

declare! {
    /// Captures that cannot reach alpha are skipped in the quiescence search.
    quiescence_futility = true;
    /// After a few moves the others are skipped in the quiescence search.
    quiescence_move_count = true;
    /// Quiescence search, in centipawns.
    quiescence {
        /// The margin of a capture besides its victim.
        futility = 149 in 50..=400;
        /// The number of moves after which the others are skipped.
        move_count = 3 in 1..=8;
    }
}

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
            return quiescence_move_count() && picked.is_quiet() && move_loop.move_count > 0;
        }
        if picked.m.promotion().is_some() {
            return false;
        }
        let Some(most) = self.most_of_skipped_capture(move_loop, picked.m) else { return false };
        // Last, as it takes longer than the other tests.
        if self.position.gives_check(picked.m) {
            return false;
        }
        move_loop.best_score = move_loop.best_score.max(most);
        true
    }

    /// Returns the most that a capture could have achieved if it is skipped unless it gives check,
    /// and `None` if it is searched.
    #[inline]
    fn most_of_skipped_capture(&self, move_loop: &MoveLoop, m: Move) -> Option<Score> {
        if quiescence_move_count() && move_loop.move_count as i32 >= quiescence::move_count() {
            return Some(move_loop.best_score);
        }
        let alpha = self.window.alpha;
        if !quiescence_futility() || alpha.is_decided() {
            return None;
        }
        let values = SeeValues::default();
        let victim = self.position.role_at(m.to()).unwrap_or(Role::Pawn);
        let base = self.static_eval + quiescence::futility();
        let futility_value = base + values.of(victim);
        if futility_value <= alpha {
            return Some(futility_value);
        }
        (base <= alpha && !self.position.see_ge(m, 1, &values)).then_some(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// White can take a pawn or a queen.
    const FEN: &str = "6k1/8/3q1p2/4P3/8/8/6K1/8 w - - 0 1";

    fn is_pruned(
        uci: &str,
        static_eval: i32,
        change: impl FnOnce(&mut Node<'_>, &mut MoveLoop),
    ) -> bool {
        in_a_node(FEN, cut_node(0, 0), |_, node| {
            node.static_eval = cp(static_eval);
            let mut move_loop = moves_tried(0, static_eval);
            let picked = picked(node, uci, Stage::GoodNoisy);
            change(node, &mut move_loop);
            node.is_pruned_in_quiescence(&mut move_loop, &picked)
        })
    }

    #[test]
    fn captures_that_cannot_reach_alpha_are_skipped() {
        assert!(is_pruned("e5f6", -700, |_, _| ()), "a pawn is not enough");
        assert!(!is_pruned("e5d6", -700, |_, _| ()), "a queen is");
        assert!(!is_pruned("e5f6", -50, |_, _| ()));
        assert!(!is_pruned("e5f6", -700, |_, moves| moves.best_score = Score::mated_in(3)));
    }

    #[test]
    fn late_captures_are_skipped() {
        let count = quiescence::move_count() as usize;
        assert!(is_pruned("e5d6", -700, |_, moves| moves.move_count = count));
        assert!(!is_pruned("e5d6", -700, |_, moves| moves.move_count = count - 1));
    }

    #[test]
    fn in_check_all_but_quiet_evasions_after_the_first_are_searched() {
        let in_check = |count| {
            move |node: &mut Node<'_>, moves: &mut MoveLoop| {
                (node.in_check, moves.move_count) = (true, count);
            }
        };
        assert!(!is_pruned("e5f6", -700, in_check(1)));
        assert!(is_pruned("g2g3", -700, in_check(1)));
        assert!(!is_pruned("g2g3", -700, in_check(0)));
    }
}
