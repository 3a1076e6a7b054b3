use std::ops::ControlFlow::{self, Break, Continue};

use crate::features;
use crate::node::{Node, TableHit};
use crate::params::table;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};

impl Search<'_> {
    /// What has been searched deep enough before is not searched again, and the move that was best
    /// is tried first. On the principal variation only the move counts, so that its line is
    /// complete. It fails where the score depended on the path. (Transposition table.)
    #[inline]
    pub(crate) fn look_up<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if node.excluded.is_some() {
            return Continue(());
        }
        node.was_pv = K::PV;
        let Some(record) = self.shared.table.probe(self.key(node.position, node.ply)) else {
            return Continue(());
        };
        let clock = node.position.halfmove_clock();
        let hit = TableHit {
            score: Score::from_table(record.score, node.ply, clock),
            bound: record.bound,
            depth: Depth(i32::from(record.depth)),
            raw_eval: record.static_eval.map(|eval| Score::from_centipawns(i32::from(eval))),
            dependence: record.dependence,
        };
        node.was_pv |= record.is_pv;
        node.table_move = record.best_move.filter(|&m| node.position.is_legal(m));
        node.table_hit = Some(hit);
        if !K::PV
            && node.window.is_settled_by(hit.score, hit.bound)
            && node.may_trust(&hit)
            && self.believes(node, hit)
        {
            self.reward_table_move(node, hit.score);
            return Break(node.or_floor(hit.score));
        }
        Continue(())
    }

    /// A quiet move that refutes once more is worth remembering.
    #[inline]
    fn reward_table_move(&mut self, node: &Node<'_>, score: Score) {
        if !features::table_hit_reward() || score < node.window.beta || node.depth <= Depth(0) {
            return;
        }
        if let Some(m) = node.table_move.filter(|m| !m.is_noisy()) {
            let bonus = (table::reward_slope() * node.depth.0).min(table::reward_most());
            let context = self.context(node);
            self.worker.histories.reward(node.position, &context, m, bonus);
        }
    }
}

impl Node<'_> {
    /// Whether a score of the table may stand for this visit: it is deep enough, and the fifty-move
    /// rule is far away.
    #[inline]
    pub(crate) fn may_trust(&self, hit: &TableHit) -> bool {
        let clock = i32::from(self.position.halfmove_clock());
        features::table_cutoff() && hit.depth >= self.depth && clock < table::clock_limit()
    }
}
