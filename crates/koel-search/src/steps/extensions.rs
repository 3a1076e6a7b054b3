//! Extensions: moves that are searched deeper than others.

use super::prelude::*;

declare! {
    /// Singular table moves are extended.
    singular_extension = true;
    /// Singular moves are extended by two or three plies if all others fail by far.
    double_extension = true;
    /// Nodes where other moves than the table move reach beta too are cut.
    multicut = true;
    /// Table moves that are not singular are reduced in some nodes.
    negative_extension = true;
    singular {
        /// The least depth.
        min_depth = 7 in 4..=12;
        /// Plies by which the depth of the table entry may be less.
        tt_depth = 3 in 1..=6;
        /// The margin below the table's score in centipawns for each ply of depth, in 64ths.
        margin = 60 in 16..=320;
        /// Added to the margin if the position was on the principal variation.
        tt_pv = 35 in 0..=200;
        /// Centipawns below the margin for a second ply.
        double = 16 in 0..=100;
        /// Centipawns below the margin for a third ply.
        triple = 86 in 20..=400;
        /// The largest number of double extensions on a line.
        max_double_extensions = 12 in 0..=40;
    }
}

impl Search<'_> {
    /// Returns the extension of a move in plies. The table's move is singular if a shallower search
    /// of all others fails low by a margin. If they reach beta the node is cut (multi-cut), and if
    /// they come close the move is searched less deep. (Singular extensions; Anantharaman, Campbell
    /// and Hsu 1988.)
    pub(crate) fn extend<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        picked: &PickedMove,
    ) -> ControlFlow<Score, i32> {
        let Some(hit) = self.singular_candidate::<NT>(node, picked) else {
            let low_depth =
                classic!(node.low_depth_extension::<NT>(picked, singular::min_depth()), or 0);
            return Continue(low_depth.max(classic!(node.check_extension(picked), or 0)));
        };
        let tt_pv = if node.tt_pv && !NT::PV { singular::tt_pv() } else { 0 };
        let beta = hit.score - (singular::margin() + tt_pv) * node.depth.0 / 64;
        let depth = Depth((node.depth.0 - 1) / 2);
        let window = Window { alpha: beta - 1, beta };
        let args = SearchArgs { window, depth, is_cut_node: node.is_cut_node };
        let others = self.search::<NonPv>(node.excluding(picked.m, args));
        self.leave_if_stopped()?;
        // Below, only a cutoff uses the score; an extension needs no dependence.
        if others.score < beta {
            return Continue(self.singular_extension::<NT>(node, beta - others.score));
        }
        if multicut() && others.score >= node.window.beta && !others.score.is_decided() {
            node.dependence = others.dependence.for_bound(Bound::Lower);
            return Break(others.score);
        }
        if !negative_extension() {
            return Continue(0);
        }
        Continue(if hit.score >= node.window.beta {
            -3
        } else if node.is_cut_node {
            -2
        } else {
            0
        })
    }

    /// Returns the table entry if the move is the table's and qualifies for a singular search.
    #[inline]
    fn singular_candidate<NT: NodeType>(
        &self,
        node: &Node<'_>,
        picked: &PickedMove,
    ) -> Option<TtHit> {
        let min_depth = Depth(singular::min_depth() + i32::from(node.tt_pv));
        let hit = node.tt_hit?;
        let is_candidate = singular_extension()
            && !NT::ROOT
            && node.tt_move == Some(picked.m)
            && node.excluded.is_none()
            && node.depth >= min_depth
            && hit.bound.is_lower()
            && !hit.score.is_decided()
            && hit.depth >= node.depth - singular::tt_depth()
            && (node.ply as i32) < 2 * self.iteration.0;
        is_candidate.then_some(hit)
    }

    /// One ply, or two or three if all other moves fail by a large margin.
    #[inline]
    fn singular_extension<NT: NodeType>(&self, node: &Node<'_>, deficit: i32) -> i32 {
        let doubles = self.worker.stack.before(node.ply, 1).double_extensions;
        if !double_extension() || NT::PV || doubles >= singular::max_double_extensions() {
            return 1;
        }
        let is_triple = deficit > singular::triple() && !node.has_noisy_tt_move();
        1 + i32::from(deficit > singular::double()) + i32::from(is_triple)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// White can take a queen, and nothing else is nearly as good.
    const SINGULAR: &str = "7k/5ppp/8/3q4/4P3/8/5PPP/7K w - - 0 1";
    /// Nearly every move keeps two queens.
    const MANY_WAYS: &str = "5k2/8/8/8/8/8/QQ6/K7 w - - 0 1";

    /// Extends a move of a node whose table entry is a lower bound of this score.
    fn extension<NT: NodeType>(
        fen: &str,
        uci: &str,
        score: i32,
        change: impl FnOnce(&mut Node<'_>),
    ) -> ControlFlow<Score, i32> {
        in_a_node(fen, cut_node(10, 100), |search, node| {
            search.iteration = Depth(10);
            let m = move_of(node, uci);
            node.tt_move = Some(m);
            node.tt_hit = Some(tt_hit(score, Bound::Lower, 10));
            change(node);
            search.extend::<NT>(node, &PickedMove { m, stage: Stage::TtMove })
        })
    }

    #[test]
    fn a_singular_move_is_extended() {
        let extended = extension::<NonPv>(SINGULAR, "e4d5", 50, |_| ());
        assert!(matches!(extended, Continue(1..=2)), "{extended:?}");
        assert_eq!(extension::<Pv>(SINGULAR, "e4d5", 50, |_| ()), Continue(1));
    }

    #[test]
    fn the_extension_grows_with_the_deficit_of_the_other_moves() {
        in_a_node(SINGULAR, cut_node(10, 100), |search, node| {
            let (double, triple) = (singular::double(), singular::triple());
            node.tt_move = Some(move_of(node, "h2h3"));
            let plies = |deficit| search.singular_extension::<NonPv>(node, deficit);
            let deficits = [1, double, double + 1, triple, triple + 1];
            assert_eq!(deficits.map(plies), [1, 1, 2, 2, 3]);
            assert_eq!(search.singular_extension::<Pv>(node, triple + 1), 1);
            node.tt_move = Some(move_of(node, "e4d5"));
            assert_eq!(search.singular_extension::<NonPv>(node, triple + 1), 2, "a capture");
        });
    }

    #[test]
    fn only_a_deep_lower_bound_of_the_table_move_is_tried() {
        let unextended = |change: fn(&mut Node<'_>)| {
            let change = |node: &mut Node<'_>| {
                node.static_eval = node.window.beta;
                change(node);
            };
            assert_eq!(extension::<NonPv>(SINGULAR, "e4d5", 50, change), Continue(0));
        };
        unextended(|node| node.depth = Depth(singular::min_depth() - 1));
        unextended(|node| node.tt_hit = None);
        unextended(|node| node.tt_move = Some(move_of(node, "h2h3")));
        unextended(|node| node.excluded = Some(move_of(node, "h2h3")));
        unextended(|node| node.tt_hit.as_mut().unwrap().bound = Bound::Upper);
        unextended(|node| node.tt_hit.as_mut().unwrap().depth = Depth(2));
        unextended(|node| node.tt_hit.as_mut().unwrap().score = Score::mate_in(9));
    }

    #[test]
    fn a_node_with_other_good_moves_is_cut() {
        let cut = extension::<NonPv>(MANY_WAYS, "b2b5", 300, |_| ());
        assert!(matches!(cut, Break(score) if score >= cp(100)), "{cut:?}");
    }
}
