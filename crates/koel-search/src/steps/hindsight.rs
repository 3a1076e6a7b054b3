use super::prelude::*;

declare! {
    hindsight = true;
    hindsight {
        /// The least reduction after which depth may be increased by a ply, in 1024ths of a ply.
        deepen_from = 2753 in 1024..=6144;
        /// The least reduction after which depth may be reduced by a ply, in 1024ths of a ply.
        reduce_from = 1683 in 1024..=6144;
        /// Depth is reduced if the sum of both sides' evaluations exceeds this many centipawns.
        margin = 53 in 0..=300;
    }
}

impl Search<'_> {
    /// Adjusts the depth of a reduced move by the static evaluation after it: a ply more if the
    /// evaluation did not get worse for the side to move, one less if both sides evaluate
    /// themselves as better. (Hindsight reductions, Stockfish 2024.)
    #[inline]
    pub(crate) fn adjust_depth_in_hindsight<NT: NodeType>(&self, node: &mut Node<'_>) {
        if !hindsight() || NT::ROOT || node.in_check || node.excluded.is_some() {
            return;
        }
        let before = self.worker.stack.before(node.ply, 1);
        let Some(eval) = before.static_eval else { return };
        let sum = node.static_eval.centipawns() + eval.centipawns();
        if before.reduction >= hindsight::deepen_from() && sum <= 0 {
            node.depth = node.depth + 1;
        } else if before.reduction >= hindsight::reduce_from()
            && node.depth >= Depth(2)
            && sum > hindsight::margin()
        {
            node.depth = node.depth - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// Returns the depth of a node of depth 5 after a move of this reduction, with the evaluations
    /// of both sides for themselves.
    fn depth(reduction: i32, evals: [i32; 2], change: impl FnOnce(&mut Node<'_>)) -> i32 {
        in_a_node(START_FEN, cut_node(5, 0), |search, node| {
            let [before, now] = evals.map(Score::from_centipawns);
            let entry = &mut search.worker.stack[0];
            (entry.static_eval, entry.reduction) = (Some(before), reduction);
            node.static_eval = now;
            change(node);
            search.adjust_depth_in_hindsight::<NonPv>(node);
            node.depth.0
        })
    }

    #[test]
    fn the_evaluation_after_a_reduced_move_changes_the_depth() {
        let (deepen, reduce) = (hindsight::deepen_from(), hindsight::reduce_from());
        assert_eq!(depth(deepen, [50, -60], |_| ()), 6);
        assert_eq!(depth(reduce, [50, hindsight::margin()], |_| ()), 4);
        assert_eq!(depth(reduce, [0, hindsight::margin()], |_| ()), 5);
        assert_eq!(depth(0, [50, -60], |_| ()), 5);
        assert_eq!(depth(deepen, [50, -60], |node| node.in_check = true), 5);
        assert_eq!(depth(deepen, [50, -60], |node| node.excluded = Some(Move::NONE)), 5);
    }
}
