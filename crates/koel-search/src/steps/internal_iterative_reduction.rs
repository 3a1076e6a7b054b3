use crate::features;
use crate::node::Node;
use crate::params::internal_iterative_reduction;
use crate::score::Depth;
use crate::search::Kind;

impl Node<'_> {
    /// A node that the table knows no move for is not worth its full depth: either it does not
    /// matter, or the next iteration comes back with a move. (Internal iterative reductions, Ed
    /// Schröder 2020; instead of internal iterative deepening.)
    #[inline]
    pub(crate) fn reduce_without_table_move<K: Kind>(&mut self) {
        if features::internal_iterative_reduction()
            && !K::ROOT
            && (K::PV || self.is_cut)
            && self.table_move.is_none()
            && self.excluded.is_none()
            && self.depth >= Depth(internal_iterative_reduction::shallowest())
        {
            self.depth = self.depth - 1;
        }
    }
}
