//! Moves that come late are rarely best: they are searched less, or not at all.

use koel_board::Move;

use crate::history::QUIET_LIMIT;
use crate::node::Node;
use crate::params::{late_move_pruning, late_move_reduction};
use crate::picker::{Pick, Stage};
use crate::score::Depth;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Node<'_> {
    /// Near the leaves, when so many moves have failed, the quiet ones that are left will fail
    /// too. It saves the tail of nearly every list, and fails when history knows the position
    /// badly. (Futility pruning: move count based, or late move pruning, LMP.)
    #[inline]
    pub(crate) fn is_too_late<K: Kind>(&self, tally: &Tally, pick: &Pick) -> bool {
        if K::ROOT
            || self.in_check
            || tally.best.is_loss()
            || !pick.is_quiet()
            || self.depth > Depth(late_move_pruning::deepest())
        {
            return false;
        }
        let most = late_move_pruning::base() + self.depth.0 * self.depth.0;
        tally.tried as i32 >= if self.is_improving { most } else { most / 2 }
    }
}

impl Search<'_> {
    /// So many plies less for a move that comes late: the later and the deeper, the more. If it
    /// raises alpha nevertheless, it is searched again. It saves most of the tree, and fails when
    /// the point of a quiet move lies beyond the reduced depth. (Late move reductions, LMR.)
    #[inline]
    pub(crate) fn late_move_reduction<K: Kind>(
        &self,
        node: &Node<'_>,
        tally: &Tally,
        pick: &Pick,
        gives_check: bool,
    ) -> i32 {
        let is_late = tally.tried > usize::from(K::PV) + usize::from(K::ROOT);
        let is_reducible = pick.is_quiet() || pick.stage == Stage::BadNoisy;
        if !is_late || !is_reducible || node.depth < Depth(late_move_reduction::shallowest()) {
            return 0;
        }
        let mut reduction = table_reduction(node.depth, tally.tried);
        reduction -= i32::from(K::PV) * late_move_reduction::pv();
        reduction += i32::from(node.is_cut) * late_move_reduction::cut();
        reduction += i32::from(!node.is_improving) * late_move_reduction::worsening();
        reduction -= i32::from(gives_check) * late_move_reduction::check();
        if matches!(pick.stage, Stage::FirstKiller | Stage::SecondKiller) {
            reduction -= late_move_reduction::killer();
        }
        if pick.is_quiet() {
            let score = self.quiet_score(node, pick.m);
            reduction -= score * late_move_reduction::history() / QUIET_LIMIT;
        }
        // At least one ply is left, or quiescence would judge a quiet move.
        (reduction / 1024).clamp(0, node.depth.0 - 2)
    }

    #[inline]
    fn quiet_score(&self, node: &Node<'_>, m: Move) -> i32 {
        self.worker.quiet_history.score(node.position, m)
    }
}

/// Depths and move numbers beyond this are reduced as this.
const LARGEST: usize = 63;

/// By depth and by number of moves before, in 1024ths of a ply.
static REDUCTIONS: [[i16; LARGEST + 1]; LARGEST + 1] = {
    let mut reductions = [[0; LARGEST + 1]; LARGEST + 1];
    let mut index = 0;
    while index <= LARGEST * (LARGEST + 2) {
        let (depth, tried) = (index / (LARGEST + 1), index % (LARGEST + 1));
        let product = ln(depth) * ln(tried + 1) * late_move_reduction::slope() as f64;
        reductions[depth][tried] = (late_move_reduction::base() as f64 + product) as i16;
        index += 1;
    }
    reductions
};

#[inline]
fn table_reduction(depth: Depth, tried: usize) -> i32 {
    let depth = depth.0.clamp(0, LARGEST as i32) as usize;
    i32::from(REDUCTIONS[depth][tried.min(LARGEST)])
}

/// The natural logarithm, 0 below 2, by the series of the inverse hyperbolic tangent: the same on
/// every machine, which a library's is not.
const fn ln(number: usize) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut mantissa = number as f64;
    let mut sum = 0.0;
    while mantissa >= 2.0 {
        mantissa /= 2.0;
        sum += LN_2;
    }
    if number < 2 {
        return 0.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let mut power = ratio;
    let mut term = 1;
    while term < 40 {
        sum += 2.0 * power / term as f64;
        power *= ratio * ratio;
        term += 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one() {
        for number in 1..=64 {
            assert!((ln(number) - (number as f64).ln()).abs() < 1e-12, "{number}");
        }
    }

    #[test]
    fn reductions_grow_with_both() {
        for depth in 1..60 {
            for tried in 1..60 {
                let here = table_reduction(Depth(depth), tried);
                assert!(here <= table_reduction(Depth(depth + 1), tried));
                assert!(here <= table_reduction(Depth(depth), tried + 1));
                assert!((0..16 * 1024).contains(&here));
            }
        }
    }
}
