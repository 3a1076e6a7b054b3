use crate::steps::prelude::*;

declare! { tt_killer = false; }

impl Search<'_> {
    /// Makes a quiet table move that refutes the node a killer move.
    pub(crate) fn tt_killer(&mut self, ply: usize, m: Move) {
        if tt_killer() {
            self.worker.stack.set_killer(ply, m);
        }
    }
}
