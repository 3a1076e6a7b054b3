use koel_tt::Bound;

use crate::features;
use crate::move_picker::PickedMove;
use crate::node::Node;
use crate::params::singular;
use crate::score::Depth;
use crate::search::NodeType;

impl Node<'_> {
    /// Returns one ply if a node too shallow for a singular search has a table move that reached
    /// beta where the static evaluation is below alpha. (Low-depth singular extensions, Koivisto.)
    pub(crate) fn low_depth_extension<NT: NodeType>(
        &self,
        picked: &PickedMove,
        singular_min_depth: i32,
    ) -> i32 {
        let extends = features::low_depth_extension()
            && !NT::ROOT
            && !self.in_check
            && self.excluded.is_none()
            && self.tt_move == Some(picked.m)
            && self.depth < Depth(singular_min_depth)
            && self.tt_hit.is_some_and(|hit| hit.bound == Bound::Lower)
            && self.static_eval <= self.window.alpha - singular::low_depth_margin();
        i32::from(extends)
    }
}
