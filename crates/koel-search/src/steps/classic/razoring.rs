use crate::steps::prelude::*;

declare! {
    razoring = false;
    razoring {
        /// The largest depth.
        max_depth = 4 in 1..=10;
        /// Centipawns below alpha.
        base = 200 in 0..=800;
        /// Centipawns more for each square of the depth.
        slope = 100 in 0..=500;
    }
}

impl Search<'_> {
    /// Cuts a shallow node whose evaluation is far below alpha if the quiescence search finds no
    /// capture that helps. It saves hopeless nodes, and fails where a quiet move turns the game.
    /// (Razoring.)
    #[inline]
    pub(crate) fn razoring(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let margin = razoring::base() + razoring::slope() * node.depth.0 * node.depth.0;
        if !razoring()
            || node.depth > Depth(razoring::max_depth())
            || node.eval + margin >= node.window.alpha
        {
            return Continue(());
        }
        let quiescence = Node::new(node.position, node.ply, node.args(Depth(0)));
        let result = self.search::<NonPv>(quiescence);
        self.leave_if_stopped()?;
        if result.score > node.window.alpha {
            return Continue(());
        }
        node.dependence = result.dependence.for_bound(Bound::Upper);
        Break(result.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_hopeless_shallow_node_is_cut_where_it_is_on() {
        let is_cut = |fen: &str, depth| {
            in_a_node(fen, cut_node(depth, 2_000), |search, node| {
                node.eval = cp(-500);
                search.razoring(node).is_break()
            })
        };
        let hopeless = "7k/5ppp/8/8/8/8/5PPP/7K w - - 0 1";
        assert!(!is_cut(hopeless, 1));
        turn("razoring", true);
        assert!(is_cut(hopeless, 1));
        assert!(!is_cut(hopeless, razoring::max_depth() + 1), "too deep");
        assert!(!is_cut("3r3k/5ppp/8/8/8/8/5PPP/3R3K w - - 0 1", 1), "a capture mates");
    }
}
