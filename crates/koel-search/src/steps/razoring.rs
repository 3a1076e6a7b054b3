use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::{Node, Task};
use crate::params::razoring;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};

impl Search<'_> {
    /// A position that looks far worse than alpha needs a capture to get there: quiescence will
    /// tell. It saves hopeless nodes near the leaves, and fails where a quiet move turns the game.
    /// (Razoring.)
    #[inline]
    pub(crate) fn razor<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let margin = razoring::base() + razoring::slope() * node.depth.0 * node.depth.0;
        if !features::razoring()
            || node.depth > Depth(razoring::deepest())
            || node.eval + margin >= node.window.alpha
        {
            return Continue(());
        }
        let task = Task { window: node.window, depth: Depth(0), is_cut: node.is_cut };
        let score = self.enter::<K::Scout>(node.again(task));
        self.leave_if_stopped()?;
        if score > node.window.alpha {
            return Continue(());
        }
        node.dependence = self.dependence;
        Break(score)
    }
}
