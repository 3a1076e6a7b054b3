use super::prelude::*;

declare! {
    internal_iterative_reduction = true;
    internal_iterative_reduction {
        /// The least depth.
        min_depth = 4 in 2..=8;
    }
}

impl Node<'_> {
    /// Reduces a PV or cut node without a table move by a ply: its move order is poor, and the next
    /// iteration will have a table move. (Internal iterative reductions, Ed Schröder 2020; instead
    /// of internal iterative deepening.)
    #[inline]
    pub(crate) fn internal_iterative_reduction<NT: NodeType>(&mut self) {
        if internal_iterative_reduction()
            && !NT::ROOT
            && (NT::PV || self.is_cut_node)
            && self.tt_move.is_none()
            && self.excluded.is_none()
            && self.depth >= Depth(internal_iterative_reduction::min_depth())
        {
            self.depth = self.depth - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// Returns the reduction of a cut node of the least depth.
    fn reduction<NT: NodeType>(change: impl FnOnce(&mut Node<'_>)) -> i32 {
        let args = cut_node(internal_iterative_reduction::min_depth(), 0);
        in_a_node(START_FEN, args, |_, node| {
            change(node);
            let before = node.depth;
            node.internal_iterative_reduction::<NT>();
            before.0 - node.depth.0
        })
    }

    #[test]
    fn nodes_without_a_table_move_are_reduced() {
        assert_eq!([reduction::<NonPv>(|_| ()), reduction::<Pv>(|_| ())], [1, 1]);
        assert_eq!(reduction::<Pv>(|node| node.is_cut_node = false), 1);
        assert_eq!(reduction::<NonPv>(|node| node.is_cut_node = false), 0);
        assert_eq!(reduction::<Root>(|_| ()), 0);
        assert_eq!(reduction::<NonPv>(|node| node.tt_move = Some(move_of(node, "e2e4"))), 0);
        assert_eq!(reduction::<NonPv>(|node| node.excluded = Some(Move::NONE)), 0);
        assert_eq!(reduction::<NonPv>(|node| node.depth = node.depth - 1), 0);
    }
}
