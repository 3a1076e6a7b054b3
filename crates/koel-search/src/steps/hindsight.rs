use crate::features;
use crate::node::Node;
use crate::params::hindsight;
use crate::score::Depth;
use crate::search::{Kind, Search};

impl Search<'_> {
    /// The move to here was reduced on a guess; now static evaluation knows more. A ply is given
    /// back where the opponent did well out of it, one more taken where both sides look well off.
    /// (Hindsight reductions, Stockfish 2024.)
    #[inline]
    pub(crate) fn adjust_in_hindsight<K: Kind>(&self, node: &mut Node<'_>) {
        if !features::hindsight() || K::ROOT || node.in_check || node.excluded.is_some() {
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
