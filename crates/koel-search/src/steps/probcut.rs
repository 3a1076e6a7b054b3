use super::prelude::*;

declare! {
    probcut = true;
    probcut {
        /// The least depth.
        min_depth = 5 in 3..=8;
        /// Centipawns above beta.
        margin = 199 in 50..=400;
        /// Centipawns less if the side to move is improving.
        improving = 40 in 0..=150;
        /// The reduction of the search in plies.
        reduction = 4 in 2..=6;
        /// Centipawns above beta at which a table score is sufficient.
        small_margin = 399 in 150..=800;
    }
    tt_probcut = true;
}

impl Search<'_> {
    /// Cuts the node if a capture is far above beta in a shallower search: a full one will reach
    /// beta. It saves nodes with one tactical shot, and fails where the shot is refuted deeper.
    /// (ProbCut, Buro 1994; small ProbCut, Stockfish 2021.)
    pub(crate) fn probcut(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        self.tt_probcut(node)?;
        let improving = i32::from(node.is_improving) * probcut::improving();
        let beta = node.window.beta + (probcut::margin() - improving);
        let tt_fails_low = node.tt_hit.is_some_and(|hit| hit.score < beta && hit.bound.is_upper());
        if !probcut()
            || node.depth < Depth(probcut::min_depth())
            || beta.is_decided()
            || tt_fails_low
        {
            return Continue(());
        }
        let depth = node.depth - probcut::reduction();
        let window = Window { alpha: beta - 1, beta };
        let mut picker = MovePicker::of_noisy(node.tt_move, beta - node.static_eval);
        while let Some(picked) = self.next_move(node, &mut picker) {
            let result = self.make_move(node, picked.m, |search, child| {
                let args =
                    |depth| SearchArgs { window: -window, depth, is_cut_node: !node.is_cut_node };
                let child = |depth| Node::new(child, node.ply + 1, args(depth));
                let result = -search.search::<NonPv>(child(Depth(0)));
                if result.score < beta || depth <= Depth(0) || search.is_stopped {
                    return result;
                }
                -search.search::<NonPv>(child(depth))
            });
            self.leave_if_stopped()?;
            let score = result.score;
            // A capture that fails says nothing about the node, nor does its dependence.
            if score >= beta {
                node.dependence = result.dependence.for_bound(Bound::Lower);
                self.store_tt(node, depth + 1, score, Bound::Lower, Some(picked.m));
                return Break(if score.is_decided() {
                    score
                } else {
                    score - (beta - node.window.beta)
                });
            }
        }
        Continue(())
    }

    /// Cuts the node by a table score far above beta that is nearly deep enough.
    #[inline]
    fn tt_probcut(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let beta = node.window.beta + probcut::small_margin();
        let sufficient_hit = node.tt_hit.filter(|hit| {
            tt_probcut()
                && hit.bound.is_lower()
                && hit.depth >= node.depth - probcut::reduction()
                && hit.score >= beta
                && !hit.score.is_decided()
        });
        match sufficient_hit {
            Some(hit) if self.accepts_tt_score(node, hit) => Break(beta),
            _ => Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// White can take a queen.
    const WINS_A_QUEEN: &str = "7k/5ppp/8/3q4/4P3/8/5PPP/3Q3K w - - 0 1";
    const NO_CAPTURE: &str = "7k/5ppp/8/8/4P3/8/5PPP/3Q3K w - - 0 1";

    fn end(fen: &str, depth: i32, hit: Option<TtHit>) -> ControlFlow<Score> {
        in_a_node(fen, cut_node(depth, 100), |search, node| {
            node.tt_hit = hit;
            search.probcut(node)
        })
    }

    #[test]
    fn a_capture_far_above_beta_cuts_the_node() {
        let depth = probcut::min_depth();
        let cut = end(WINS_A_QUEEN, depth, None);
        assert!(matches!(cut, Break(score) if score >= cp(100)), "{cut:?}");
        assert!(end(WINS_A_QUEEN, depth - 1, None).is_continue(), "too shallow");
        assert!(end(NO_CAPTURE, depth, None).is_continue());
        let fails_low = Some(tt_hit(150, Bound::Upper, depth));
        assert!(end(WINS_A_QUEEN, depth, fails_low).is_continue(), "the table says no");
    }

    #[test]
    fn a_table_score_far_above_beta_cuts_the_node() {
        let beta = 100 + probcut::small_margin();
        let hit = |score, bound, depth| Some(tt_hit(score, bound, depth));
        let cut = Break(cp(beta));
        let depth = 8 - probcut::reduction();
        assert_eq!(end(NO_CAPTURE, 8, hit(beta, Bound::Lower, depth)), cut);
        assert!(end(NO_CAPTURE, 8, hit(beta - 1, Bound::Lower, depth)).is_continue());
        assert!(end(NO_CAPTURE, 8, hit(beta, Bound::Upper, depth)).is_continue());
        assert!(end(NO_CAPTURE, 8, hit(beta, Bound::Lower, depth - 1)).is_continue());
    }
}
