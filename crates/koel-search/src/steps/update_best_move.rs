use super::prelude::*;

impl Search<'_> {
    /// Updates best score, best move and alpha with the result of a move; breaks on a beta cutoff.
    #[inline]
    pub(crate) fn update_best_move<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
        PathScore { score, dependence }: PathScore,
    ) -> ControlFlow<()> {
        move_loop.move_count += 1;
        move_loop.best_score = move_loop.best_score.max(score);
        move_loop.dependence = move_loop.dependence.with_move(dependence);
        if score <= node.window.alpha {
            move_loop.add_failed(picked.m);
            return Continue(());
        }
        move_loop.best_move = Some(picked.m);
        move_loop.dependence = move_loop.dependence.with_lower(dependence.lower());
        move_loop.bound = if score >= node.window.beta { Bound::Lower } else { Bound::Exact };
        if NT::PV {
            self.worker.stack.update_pv(node.ply, picked.m);
        }
        if NT::ROOT {
            self.root_moves.set_best(picked.m, score, move_loop.bound, self.worker.stack.pv(0));
        }
        if move_loop.bound == Bound::Lower {
            // Nearly every quiescence node is cut off: that says nothing about the moves before.
            self.worker.stack[node.ply].cutoff_count += u32::from(node.depth > Depth(0));
            return Break(());
        }
        node.window.alpha = score;
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathDependence;
    use crate::testing::*;

    #[test]
    fn a_score_raises_alpha_or_cuts_or_fails() {
        in_a_node(START_FEN, cut_node(3, 0), |search, node| {
            node.window = Window::around(Score::DRAW, 50);
            let mut move_loop = MoveLoop::new();
            let mut update = |search: &mut Search<'_>, node: &mut Node<'_>, uci: &str, score| {
                let picked = picked(node, uci, Stage::Quiet);
                let score = cp(score);
                let result = PathScore { score, dependence: PathDependence::NONE };
                let end = search.update_best_move::<NonPv>(node, &mut move_loop, &picked, result);
                (end.is_break(), move_loop.best_move, move_loop.failed_quiets.len())
            };
            assert_eq!(update(search, node, "a2a3", -60), (false, None, 1));
            let best = Some(move_of(node, "e2e4"));
            assert_eq!(update(search, node, "e2e4", 10), (false, best, 1));
            assert_eq!(node.window.alpha.centipawns(), 10);
            let best = Some(move_of(node, "d2d4"));
            assert_eq!(update(search, node, "d2d4", 50), (true, best, 1));
            assert_eq!(search.worker.stack[1].cutoff_count, 1);
            assert_eq!((move_loop.move_count, move_loop.bound), (3, Bound::Lower));
        });
    }
}
