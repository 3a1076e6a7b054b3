//! Extensions: moves that are searched deeper than others.

use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::SeeValues;
use koel_tt::Bound;

use crate::features;
use crate::move_picker::PickedMove;
use crate::node::{Node, SearchArgs, TtHit};
use crate::params::singular;
use crate::score::{Depth, Score};
use crate::search::{NodeType, NonPv, Search};
use crate::window::Window;

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
            return Continue(node.check_extension(picked));
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
        if features::multicut() && others.score >= node.window.beta && !others.score.is_decided() {
            node.dependence = others.dependence.for_bound(Bound::Lower);
            return Break(others.score);
        }
        if !features::negative_extension() {
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
        let is_candidate = features::singular_extension()
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
        if !features::double_extension() || NT::PV || doubles >= singular::max_double_extensions() {
            return 1;
        }
        let is_triple = deficit > singular::triple() && !node.has_noisy_tt_move();
        1 + i32::from(deficit > singular::double()) + i32::from(is_triple)
    }
}

impl Node<'_> {
    /// One ply for a check that loses no material. (Check extensions.)
    #[inline]
    fn check_extension(&self, picked: &PickedMove) -> i32 {
        let extends = features::check_extension()
            && self.position.gives_check(picked.m)
            && self.position.see_ge(picked.m, 0, &SeeValues::default());
        i32::from(extends)
    }
}
