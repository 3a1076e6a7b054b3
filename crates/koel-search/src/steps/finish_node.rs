use koel_tt::Entry;

use super::prelude::*;

declare! { fail_high_softening = true; }

impl Search<'_> {
    /// Returns the score of a node whose moves have been searched, or of a mate or stalemate;
    /// updates the histories and stores the score in the table.
    pub(crate) fn finish_node<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        move_loop: &MoveLoop,
    ) -> Score {
        if move_loop.is_empty() {
            return match node {
                Node { excluded: Some(_), .. } => node.window.alpha,
                Node { in_check: true, .. } => Score::mated_in(node.ply),
                _ => self.stalemate_score(node.ply),
            };
        }
        node.set_dependence(move_loop);
        let score = node.raise_to_floor(node.fail_high_softening(move_loop));
        let bound = if score < node.score_ceiling { move_loop.bound } else { Bound::Upper };
        let score = score.min(node.score_ceiling);
        if move_loop.bound == Bound::Upper && !NT::ROOT {
            node.tt_pv |= self.worker.stack.before(node.ply, 1).tt_pv && !NT::PV;
        }
        self.update_histories(node, move_loop);
        if !(NT::ROOT && self.root_moves.is_restricted()) {
            self.store_tt(node, node.depth, score, bound, move_loop.best_move);
        }
        score
    }

    /// Returns the score of a quiescence node and stores it in the table.
    pub(crate) fn finish_quiescence(&mut self, node: &mut Node<'_>, move_loop: &MoveLoop) -> Score {
        if move_loop.is_empty() && node.in_check {
            return Score::mated_in(node.ply);
        }
        node.set_dependence(move_loop);
        let score = node.raise_to_floor(move_loop.best_score);
        self.store_tt(node, Depth(0), score, move_loop.bound, move_loop.best_move);
        score
    }

    /// Stores a score in the transposition table, except in a singular search.
    #[inline]
    pub(crate) fn store_tt(
        &mut self,
        node: &Node<'_>,
        Depth(depth): Depth,
        score: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        debug_assert!(!self.is_stopped, "scores are meaningless after a stop");
        classic!(self.remember_best_move(node.ply, best_move));
        if node.excluded.is_some() {
            return;
        }
        let Some(mark) = self.path_mark(node, bound) else { return };
        let entry = Entry {
            best_move,
            score: score.to_tt(node.ply),
            static_eval: (!node.in_check).then(|| node.raw_eval.centipawns() as i16),
            depth: depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound,
            is_pv: node.tt_pv,
            payload: mark,
        };
        self.shared.tt.store(self.tt_key(node.position, node.ply), entry);
    }
}

impl Node<'_> {
    /// Returns the best score, on a fail high moved towards beta: the shallower the search, the
    /// less reliable the excess is. (Fail-high softening.)
    #[inline]
    fn fail_high_softening(&self, move_loop: &MoveLoop) -> Score {
        let (best, beta, depth) = (move_loop.best_score, self.window.beta, self.depth.0.max(0));
        if !fail_high_softening()
            || move_loop.bound != Bound::Lower
            || best.is_decided()
            || beta.is_decided()
        {
            return best;
        }
        Score::from_centipawns((best.centipawns() * depth + beta.centipawns()) / (depth + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn without_a_move_it_is_mate_or_stalemate_or_an_excluded_move() {
        let score = |fen: &str, excludes: bool| {
            in_a_node(fen, cut_node(3, 50), |search, node| {
                node.excluded = excludes.then_some(Move::NONE);
                search.finish_node::<NonPv>(node, &MoveLoop::new())
            })
        };
        assert_eq!(score("k1R5/8/1K6/8/8/8/8/8 b - - 0 1", false), Score::mated_in(1));
        let stalemate = score("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", false);
        assert!(stalemate.centipawns().abs() <= 1, "{stalemate:?}");
        let alpha = cp(49);
        assert_eq!(score("k1R5/8/1K6/8/8/8/8/8 b - - 0 1", true), alpha);
    }

    #[test]
    fn a_score_is_at_most_the_tablebase_loss() {
        in_a_node(START_FEN, cut_node(3, 100), |search, node| {
            let loss = -Score::tablebase_win_at(node.ply);
            node.score_ceiling = loss;
            let move_loop = MoveLoop { bound: Bound::Exact, ..moves_tried(1, 400) };
            assert_eq!(search.finish_node::<Pv>(node, &move_loop), loss);
            let entry = search.shared.tt.probe(search.tt_key(node.position, node.ply)).unwrap();
            assert_eq!((entry.bound, entry.score), (Bound::Upper, loss.to_tt(node.ply)));
            let mated = Score::mated_in(node.ply + 2);
            let move_loop = MoveLoop { best_score: mated, ..move_loop };
            assert_eq!(search.finish_node::<Pv>(node, &move_loop), mated);
        });
    }

    #[test]
    fn a_fail_high_is_stored_and_moved_towards_beta() {
        in_a_node(START_FEN, cut_node(3, 100), |search, node| {
            let best = move_of(node, "e2e4");
            let best_move = Some(best);
            let move_loop = MoveLoop { bound: Bound::Lower, best_move, ..moves_tried(1, 400) };
            node.excluded = Some(best);
            search.finish_node::<NonPv>(node, &move_loop);
            let stored = |search: &Search<'_>, node: &Node<'_>| {
                search.shared.tt.probe(search.tt_key(node.position, node.ply))
            };
            assert!(stored(search, node).is_none(), "a singular search");
            node.excluded = None;
            let score = search.finish_node::<NonPv>(node, &move_loop);
            assert_eq!(score.centipawns(), (3 * 400 + 100) / 4);
            let entry = stored(search, node).unwrap();
            assert_eq!((entry.depth, entry.bound), (3, Bound::Lower));
            assert_eq!((entry.best_move, entry.score), (Some(best), score.to_tt(1)));
        });
    }
}
