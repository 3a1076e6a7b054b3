use crate::features;
use crate::node::Node;
use crate::params::internal_iterative_reduction;
use crate::score::Depth;
use crate::search::NodeType;

impl Node<'_> {
    /// Reduces a PV or cut node without a table move by a ply: its move order is poor, and the next
    /// iteration will have a table move. (Internal iterative reductions, Ed Schröder 2020; instead
    /// of internal iterative deepening.)
    #[inline]
    pub(crate) fn internal_iterative_reduction<NT: NodeType>(&mut self) {
        if features::internal_iterative_reduction()
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
