use koel_tt::Entry;

use crate::path::PathMark;
use crate::steps::prelude::*;

declare! { tt_refresh = false; }

impl Search<'_> {
    /// Stores a table entry that ends the node again, so that it belongs to the present search and
    /// is kept longer.
    pub(crate) fn tt_refresh(&self, node: &Node<'_>, entry: Entry<Move, PathMark>) {
        if tt_refresh() {
            self.shared.tt.store(self.tt_key(node.position, node.ply), entry);
        }
    }
}
