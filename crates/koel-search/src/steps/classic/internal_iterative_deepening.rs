use crate::steps::prelude::*;

declare! { internal_iterative_deepening = false; }

/// The least depths at which it is done, in PV nodes and in others.
const MIN_DEPTH: [Depth; 2] = [Depth(5), Depth(8)];

impl Search<'_> {
    /// Searches a PV or cut node without a table move less deep, to find one: it saves a search in
    /// poor order, and costs one where the order is good anyway. (Internal iterative deepening.)
    #[inline]
    pub(crate) fn internal_iterative_deepening<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> ControlFlow<Score> {
        if !internal_iterative_deepening()
            || NT::ROOT
            || node.tt_move.is_some()
            || node.excluded.is_some()
            || node.depth < MIN_DEPTH[usize::from(!NT::PV)]
            || !NT::PV && (!node.is_cut_node || node.in_check)
        {
            return Continue(());
        }
        let depth = if NT::PV { node.depth - 2 } else { Depth(node.depth.0 / 2) };
        // Only the move is used, which needs no dependence.
        let _ = self.search::<NT>(Node::new(node.position, node.ply, node.args(depth)));
        self.leave_if_stopped()?;
        if NT::PV {
            self.worker.stack.pv(node.ply).clear();
        }
        let entry = self.shared.tt.probe(self.tt_key(node.position, node.ply));
        let m = entry.and_then(|entry| entry.best_move);
        node.tt_move = m.filter(|&m| node.position.is_legal(m));
        Continue(())
    }
}
