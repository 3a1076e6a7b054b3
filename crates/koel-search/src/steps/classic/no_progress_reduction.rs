use crate::steps::prelude::*;

declare! { no_progress_reduction = false; }

impl Search<'_> {
    /// Reduces a node without progress by a ply: the pieces of the side to move are where they
    /// were, and the opponent needed several moves for what one could do.
    pub(crate) fn no_progress_reduction(&mut self, node: &mut Node<'_>) {
        let worker = &mut *self.worker;
        if no_progress_reduction()
            && node.depth > Depth(1)
            && worker.repetitions.no_progress(node.position, node.ply).is_some()
        {
            worker.path_counts.no_progress += 1;
            node.depth = node.depth - 1;
        }
    }
}
