use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::{Node, TableHit};
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};

/// From this halfmove clock on a remembered score is not trusted: the draw is too near.
const CLOCK_LIMIT: u16 = 90;

impl Search<'_> {
    /// What has been searched deep enough before is not searched again, and the move that was best
    /// is tried first. On the principal variation only the move counts, so that its line is
    /// complete. It fails where the score depended on the path. (Transposition table.)
    #[inline]
    pub(crate) fn look_up<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        let Some(record) = self.shared.table.probe(node.position.key().0) else {
            return Continue(());
        };
        let score = Score::from_table(record.score, node.ply);
        if !K::PV
            && Depth(i32::from(record.depth)) >= node.depth
            && node.window.is_settled_by(score, record.bound)
            && node.position.halfmove_clock() < CLOCK_LIMIT
        {
            return Break(score.max(node.floor));
        }
        node.table_move = record.best_move.filter(|&m| node.position.is_legal(m));
        let static_eval = record.static_eval.map(|eval| Score::from_centipawns(i32::from(eval)));
        node.table_hit = Some(TableHit { score, bound: record.bound, static_eval });
        Continue(())
    }
}
