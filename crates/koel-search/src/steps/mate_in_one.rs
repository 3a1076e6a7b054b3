use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::Node;
use crate::score::Score;
use crate::search::{Kind, Search};

impl Search<'_> {
    /// A mate in one needs no search. It costs a look at every check, and what it saves the search
    /// would find a ply later. (Apery's mate in one ply.)
    #[inline]
    pub(crate) fn mate_in_one<K: Kind>(&mut self, node: &Node<'_>) -> ControlFlow<Score> {
        if !features::mate_in_one() || K::PV || node.in_check || node.table_hit.is_some() {
            return Continue(());
        }
        match node.position.mate_in_one() {
            Some(_) => Break(Score::mate_in(node.ply + 1)),
            None => Continue(()),
        }
    }
}
