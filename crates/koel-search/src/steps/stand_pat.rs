use super::prelude::*;

impl Search<'_> {
    /// Takes the static evaluation as a lower bound, as no capture is forced; except in check. It
    /// fails in zugzwang and against threats. (Quiescence search: standing pat.)
    #[inline]
    pub(crate) fn stand_pat(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
    ) -> ControlFlow<Score> {
        if node.in_check {
            return Continue(());
        }
        if node.eval >= node.window.beta {
            if node.tt_hit.is_none() {
                self.store_tt(node, Depth(0), node.eval, Bound::Lower, None);
            }
            return Break(node.raise_to_floor(node.eval));
        }
        move_loop.best_score = node.eval;
        if node.eval > node.window.alpha {
            node.window.alpha = node.eval;
            move_loop.bound = Bound::Exact;
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn stand_pat(
        eval: i32,
        change: impl FnOnce(&mut Node<'_>),
    ) -> (ControlFlow<Score>, Window, Score) {
        in_a_node(START_FEN, cut_node(0, 0), |search, node| {
            node.window = Window::around(Score::DRAW, 50);
            node.eval = cp(eval);
            change(node);
            let mut move_loop = MoveLoop::new();
            let end = search.stand_pat(node, &mut move_loop);
            (end, node.window, move_loop.best_score)
        })
    }

    #[test]
    fn the_evaluation_is_a_lower_bound_except_in_check() {
        assert_eq!(stand_pat(80, |_| ()).0, Break(cp(80)));
        let (end, window, best) = stand_pat(20, |_| ());
        assert!(end.is_continue() && window.alpha == best && best.centipawns() == 20);
        let (end, window, best) = stand_pat(-80, |_| ());
        assert!(end.is_continue() && window.alpha.centipawns() == -50 && best.centipawns() == -80);
        let (end, _, best) = stand_pat(80, |node| node.in_check = true);
        assert!(end.is_continue() && best == -Score::INFINITE);
    }
}
