use crate::steps::prelude::*;

declare! {
    low_depth_extension = false;
    singular {
        /// Centipawns below alpha of the static evaluation, for nodes of less than the least depth.
        low_depth_margin = 25 in 0..=150;
    }
}

impl Node<'_> {
    /// Returns one ply if a node too shallow for a singular search has a table move that reached
    /// beta where the static evaluation is below alpha. (Low-depth singular extensions, Koivisto.)
    pub(crate) fn low_depth_extension<NT: NodeType>(
        &self,
        picked: &PickedMove,
        singular_min_depth: i32,
    ) -> i32 {
        let extends = low_depth_extension()
            && !NT::ROOT
            && !self.in_check
            && self.excluded.is_none()
            && self.tt_move == Some(picked.m)
            && self.depth < Depth(singular_min_depth)
            && self.tt_hit.is_some_and(|hit| hit.bound == Bound::Lower)
            && self.static_eval <= self.window.alpha - singular::low_depth_margin();
        i32::from(extends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn a_shallow_table_move_far_above_the_static_evaluation_is_extended() {
        turn("low_depth_extension", true);
        let extension = |evaluation: i32, change: fn(&mut Node<'_>)| {
            in_a_node(START_FEN, cut_node(6, 100), |_, node| {
                let picked = picked(node, "e2e4", Stage::TtMove);
                node.tt_move = Some(picked.m);
                node.tt_hit = Some(tt_hit(200, Bound::Lower, 5));
                node.static_eval = node.window.alpha + evaluation;
                change(node);
                node.low_depth_extension::<NonPv>(&picked, 7)
            })
        };
        let below = -singular::low_depth_margin();
        assert_eq!(extension(below, |_| ()), 1);
        assert_eq!(extension(below + 1, |_| ()), 0);
        assert_eq!(extension(below, |node| node.in_check = true), 0);
        assert_eq!(extension(below, |node| node.tt_hit = None), 0);
        assert_eq!(extension(below, |node| node.depth = Depth(7)), 0);
        assert_eq!(extension(below, |node| node.excluded = Some(Move::NONE)), 0);
    }
}
