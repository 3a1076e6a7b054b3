use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::features;
use crate::node::{Node, SearchArgs};
use crate::params::razoring;
use crate::score::{Depth, Score};
use crate::search::{NonPv, Search};

impl Search<'_> {
    /// Cuts a shallow node whose evaluation is far below alpha if the quiescence search finds no
    /// capture that helps. It saves hopeless nodes, and fails where a quiet move turns the game.
    /// (Razoring.)
    #[inline]
    pub(crate) fn razoring(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let margin = razoring::base() + razoring::slope() * node.depth.0 * node.depth.0;
        if !features::razoring()
            || node.depth > Depth(razoring::max_depth())
            || node.eval + margin >= node.window.alpha
        {
            return Continue(());
        }
        let args =
            SearchArgs { window: node.window, depth: Depth(0), is_cut_node: node.is_cut_node };
        let result = self.search::<NonPv>(Node::new(node.position, node.ply, args));
        self.leave_if_stopped()?;
        if result.score > node.window.alpha {
            return Continue(());
        }
        node.dependence = result.dependence.for_bound(Bound::Upper);
        Break(result.score)
    }
}
