use crate::steps::prelude::*;

declare! { mate_in_one = false; }

impl Search<'_> {
    /// Breaks with a mate score if there is a mate in one. It examines every checking move, and
    /// saves no more than the ply in which the search would find the mate. (Mate in one ply,
    /// Apery.)
    #[inline]
    pub(crate) fn mate_in_one<NT: NodeType>(&mut self, node: &Node<'_>) -> ControlFlow<Score> {
        if !mate_in_one() || NT::PV || node.in_check || node.tt_hit.is_some() {
            return Continue(());
        }
        match node.position.mate_in_one() {
            Some(_) => Break(Score::mate_in(node.ply + 1)),
            None => Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_mate_in_one_ends_a_node_where_it_is_looked_for() {
        in_a_node("k7/8/1K6/8/8/8/8/7R w - - 0 1", cut_node(3, 0), |search, node| {
            assert!(search.mate_in_one::<NonPv>(node).is_continue());
            turn("mate_in_one", true);
            assert_eq!(search.mate_in_one::<NonPv>(node), Break(Score::mate_in(2)));
            assert!(search.mate_in_one::<Pv>(node).is_continue());
        });
        in_a_node("k7/8/2K5/8/8/8/8/7R w - - 0 1", cut_node(3, 0), |search, node| {
            assert!(search.mate_in_one::<NonPv>(node).is_continue());
        });
    }
}
