use crate::features;
use crate::history::{CAPTURE_LIMIT, QUIET_JUDGEMENT_LIMIT};
use crate::node::Node;
use crate::params::{breadcrumbs, late_move_reduction};
use crate::picker::{Pick, Stage};
use crate::score::Depth;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// So much less depth for a move that comes late, in 1024ths of a ply: the later and the
    /// deeper, the more. If it raises alpha nevertheless, it is searched again. It saves most of
    /// the tree, and fails when the point of a move lies beyond the reduced depth. (Late move
    /// reductions, LMR.)
    #[inline]
    pub(crate) fn late_move_reduction<K: Kind>(
        &self,
        node: &Node<'_>,
        tally: &Tally,
        pick: &Pick,
        gives_check: bool,
    ) -> i32 {
        let number = tally.number_of::<K>(pick);
        let is_late = number > usize::from(K::PV) + usize::from(K::ROOT);
        let is_reducible = pick.is_quiet() || pick.stage == Stage::BadNoisy || node.is_cut;
        if !features::late_move_reduction()
            || !is_late
            || !is_reducible
            || node.depth < Depth(late_move_reduction::shallowest())
        {
            return 0;
        }
        let mut reduction = self.worker.reductions.get(node.depth, number);
        reduction -= i32::from(K::PV) * late_move_reduction::pv();
        reduction -= i32::from(node.was_pv) * late_move_reduction::was_pv();
        reduction += i32::from(node.is_cut) * late_move_reduction::cut();
        reduction +=
            i32::from(node.has_noisy_table_move()) * late_move_reduction::noisy_table_move();
        reduction += i32::from(!node.is_improving) * late_move_reduction::worsening();
        reduction -= i32::from(gives_check) * late_move_reduction::check();
        reduction -= i32::from(self.parries(node, pick.m)) * late_move_reduction::parries();
        reduction -= node.correction.abs() * late_move_reduction::correction() / 64;
        if K::CROWDED && node.is_duplicate {
            reduction += breadcrumbs::reduction();
        }
        if features::cutoff_count() && self.worker.stack[node.ply + 1].cutoffs > 2 {
            reduction += late_move_reduction::cutoffs();
        }
        if matches!(pick.stage, Stage::FirstKiller | Stage::SecondKiller) {
            reduction -= late_move_reduction::killer();
        }
        reduction - self.trust(node, pick)
    }

    /// What history speaks for a move, or against it.
    #[inline]
    fn trust(&self, node: &Node<'_>, pick: &Pick) -> i32 {
        let histories = &self.worker.histories;
        if pick.is_quiet() {
            let score = histories.judge(node.position, &node.context, pick.m);
            score * late_move_reduction::quiet_history() / QUIET_JUDGEMENT_LIMIT
        } else {
            let score = histories.capture.score(node.position, pick.m);
            score * late_move_reduction::noisy_history() / CAPTURE_LIMIT
        }
    }
}
