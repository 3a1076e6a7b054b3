use koel_board::Move;

use crate::features;
use crate::search::Search;

impl Search<'_> {
    /// Makes a quiet table move that refutes the node a killer move.
    pub(crate) fn tt_killer(&mut self, ply: usize, m: Move) {
        if features::tt_killer() {
            self.worker.stack.set_killer(ply, m);
        }
    }
}
