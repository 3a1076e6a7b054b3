use super::prelude::*;

declare! { mate_distance_pruning = true; }

impl Node<'_> {
    /// Narrows the window to the scores from "mated here" to "mates with the next move", and cuts
    /// the node if nothing is left of it: a shorter mate has been found elsewhere. (Mate distance
    /// pruning.)
    #[inline]
    pub(crate) fn mate_distance_pruning(&mut self) -> ControlFlow<Score> {
        if !mate_distance_pruning() {
            return Continue(());
        }
        self.window.alpha = self.window.alpha.max(Score::mated_in(self.ply));
        self.window.beta = self.window.beta.min(Score::mate_in(self.ply + 1));
        if self.window.alpha >= self.window.beta {
            return Break(self.window.alpha);
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_node_too_far_from_the_root_for_a_shorter_mate_is_cut() {
        let end = |ply, window| {
            in_a_node(START_FEN, cut_node(5, 0), |_, node| {
                (node.ply, node.window) = (ply, window);
                node.mate_distance_pruning()
            })
        };
        // A mate with the fifth ply is known: at ply 4 the next move would be as fast, no faster.
        let mate = Score::mate_in(5);
        let window = Window { alpha: mate, beta: mate + 1 };
        assert_eq!(end(4, window), Break(mate));
        assert_eq!(end(3, window), Continue(()));
        // To be mated here is no worse than what the opponent has.
        let mated = Score::mated_in(4);
        assert!(end(4, Window { alpha: mated - 1, beta: mated }).is_break());
        assert!(end(3, Window { alpha: mated - 1, beta: mated }).is_continue());
        assert!(end(4, Window::full()).is_continue());
    }
}
