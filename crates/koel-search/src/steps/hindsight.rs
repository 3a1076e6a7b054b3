use crate::features;
use crate::node::Node;
use crate::params::hindsight;
use crate::score::Depth;
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Adjusts the depth of a reduced move by the static evaluation after it: a ply more if the
    /// evaluation did not get worse for the side to move, one less if both sides evaluate
    /// themselves as better. (Hindsight reductions, Stockfish 2024.)
    #[inline]
    pub(crate) fn adjust_depth_in_hindsight<NT: NodeType>(&self, node: &mut Node<'_>) {
        if !features::hindsight() || NT::ROOT || node.in_check || node.excluded.is_some() {
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
