//! Moves that deserve more depth than their siblings.

use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::SeeValues;
use koel_tt::Bound;

use crate::features;
use crate::node::{Node, TableHit, Task};
use crate::params::singular;
use crate::picker::Pick;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::window::Window;

impl Search<'_> {
    /// Plies to add for a move. The table's move is singular if all others fail a shallower search
    /// by a margin: more of the game hangs on it. If others succeed the node is refuted twice over,
    /// or the move is nothing special. (Singular extensions, Anantharaman, Campbell and Hsu 1988;
    /// multi-cut.)
    pub(crate) fn extend<K: Kind>(
        &mut self,
        node: &mut Node<'_>,
        pick: &Pick,
    ) -> ControlFlow<Score, i32> {
        let Some(hit) = self.hit_to_test::<K>(node, pick) else {
            return Continue(node.check_extension(pick));
        };
        let was_pv = if node.was_pv && !K::PV { singular::was_pv() } else { 0 };
        let beta = hit.score - (singular::margin() + was_pv) * node.depth.0 / 64;
        let depth = Depth((node.depth.0 - 1) / 2);
        let window = Window { alpha: beta - 1, beta };
        let task = Task { window, depth, is_cut: node.is_cut };
        let score = self.enter::<K::Scout>(node.without(pick.m, task));
        self.leave_if_stopped()?;
        if score < beta {
            return Continue(self.singular_extension::<K>(node, beta - score));
        }
        if features::multicut() && score >= node.window.beta && !score.is_decided() {
            node.dependence = self.dependence.of_bound(Bound::Lower);
            return Break(score);
        }
        if !features::negative_extension() {
            return Continue(0);
        }
        Continue(if hit.score >= node.window.beta {
            -3
        } else if node.is_cut {
            -2
        } else {
            0
        })
    }

    /// What the table says of a move whose rivals are worth a search.
    #[inline]
    fn hit_to_test<K: Kind>(&self, node: &Node<'_>, pick: &Pick) -> Option<TableHit> {
        let shallowest = Depth(singular::shallowest() + i32::from(node.was_pv));
        let hit = node.table_hit?;
        let is_tested = features::singular_extension()
            && !K::ROOT
            && node.table_move == Some(pick.m)
            && node.excluded.is_none()
            && node.depth >= shallowest
            && hit.bound.is_lower()
            && !hit.score.is_decided()
            && hit.depth >= node.depth - singular::table_depth()
            && (node.ply as i32) < 2 * self.iteration.0;
        is_tested.then_some(hit)
    }

    /// One ply, or more if all other moves fail by far.
    #[inline]
    fn singular_extension<K: Kind>(&self, node: &Node<'_>, deficit: i32) -> i32 {
        let doubles = self.worker.stack.before(node.ply, 1).double_extensions;
        if !features::double_extension() || K::PV || doubles >= singular::most_doubles() {
            return 1;
        }
        let is_triple = deficit > singular::triple() && !node.has_noisy_table_move();
        1 + i32::from(deficit > singular::double()) + i32::from(is_triple)
    }
}

impl Node<'_> {
    /// A check that loses nothing forces the opponent's hand. (Check extensions.)
    #[inline]
    fn check_extension(&self, pick: &Pick) -> i32 {
        let extends = features::check_extension()
            && self.position.gives_check(pick.m)
            && self.position.see_ge(pick.m, 0, &SeeValues::default());
        i32::from(extends)
    }
}
