use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::score::Score;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Breaks with a mate score if there is a mate in one. It examines every checking move, and
    /// saves no more than the ply in which the search would find the mate. (Mate in one ply,
    /// Apery.)
    #[inline]
    pub(crate) fn mate_in_one<NT: NodeType>(&mut self, node: &Node<'_>) -> ControlFlow<Score> {
        if !features::mate_in_one() || NT::PV || node.in_check || node.tt_hit.is_some() {
            return Continue(());
        }
        match node.position.mate_in_one() {
            Some(_) => Break(Score::mate_in(node.ply + 1)),
            None => Continue(()),
        }
    }
}
