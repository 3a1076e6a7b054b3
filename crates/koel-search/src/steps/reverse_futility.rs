use super::prelude::*;

declare! {
    reverse_futility = true;
    reverse_futility {
        /// The largest depth.
        max_depth = 10 in 3..=16;
        /// Centipawns above beta for each ply of depth.
        margin = 74 in 20..=200;
        /// Centipawns less if the side to move is improving.
        improving = 58 in 0..=200;
        /// Centipawns more for each centipawn of correction, in 64ths.
        correction = 34 in 0..=128;
    }
}

impl Node<'_> {
    /// Cuts a shallow node whose static evaluation is far above beta. It saves most shallow nodes,
    /// and fails against a quiet threat and in zugzwang. (Reverse futility pruning, formerly static
    /// null move pruning.)
    #[inline(always)]
    pub(crate) fn reverse_futility(&self) -> ControlFlow<Score> {
        if !reverse_futility()
            || self.tt_pv
            || self.may_be_in_zugzwang()
            || self.depth > Depth(reverse_futility::max_depth())
            || (self.tt_move.is_some() && !self.has_noisy_tt_move())
        {
            return Continue(());
        }
        let improving = i32::from(self.is_improving) * reverse_futility::improving();
        let correction = self.correction.abs() * reverse_futility::correction() / 64;
        let margin = reverse_futility::margin() * self.depth.0 - improving + correction;
        if self.eval - margin.max(0) >= self.window.beta && !self.eval.is_decided() {
            return Break(self.eval.midway(self.window.beta));
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    const FEN: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w - - 0 1";

    fn end(
        fen: &str,
        depth: i32,
        eval: i32,
        change: impl FnOnce(&mut Node<'_>),
    ) -> ControlFlow<Score> {
        in_a_node(fen, cut_node(depth, 100), |_, node| {
            node.eval = cp(eval);
            change(node);
            node.reverse_futility()
        })
    }

    #[test]
    fn a_shallow_node_far_above_beta_is_cut_halfway_to_it() {
        assert_eq!(end(FEN, 2, 700, |_| ()), Break(cp(400)));
        assert!(end(FEN, 2, 110, |_| ()).is_continue(), "within the margin");
        assert!(end(FEN, reverse_futility::max_depth() + 1, 9_000, |_| ()).is_continue());
    }

    #[test]
    fn doubtful_nodes_are_searched() {
        assert!(end(FEN, 2, 700, |node| node.tt_pv = true).is_continue());
        let quiet = |node: &mut Node<'_>| node.tt_move = Some(move_of(node, "e2e4"));
        assert!(end(FEN, 2, 700, quiet).is_continue(), "a quiet move refutes");
        let single_rook = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1";
        assert!(end(single_rook, 2, 700, |_| ()).is_continue(), "zugzwang");
        let mate = |node: &mut Node<'_>| node.eval = Score::mate_in(5);
        assert!(end(FEN, 2, 0, mate).is_continue());
    }
}
