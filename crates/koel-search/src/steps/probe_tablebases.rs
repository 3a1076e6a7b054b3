use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::features;
use crate::node::Node;
use crate::path::CycleHead;
use crate::score::Score;
use crate::search::{NodeType, Search};
use crate::tablebase::{Tablebases, Wdl};

/// Plies added to the depth under which a tablebase score is stored: it holds at any depth.
const EXTRA_DEPTH: i32 = 6;

impl Search<'_> {
    /// Probes the endgame tables in positions of few pieces, right after a capture or a pawn move,
    /// as WDL tables are valid only then. Wins and losses are bounds: a mate is still searched for
    /// where it matters. The result is exact, but a probe takes the time of many nodes. (Syzygy
    /// Bases.)
    #[inline(always)]
    pub(crate) fn probe_tablebases<NT: NodeType>(
        &mut self,
        node: &mut Node<'_>,
    ) -> ControlFlow<Score> {
        match self.tablebases {
            Some(tables) if !NT::ROOT && features::tablebases() => {
                self.probe_wdl_tables(node, tables)
            }
            _ => Continue(()),
        }
    }

    // Out of line, so that a search without tables is not slowed down by it.
    #[inline(never)]
    fn probe_wdl_tables(&mut self, node: &mut Node<'_>, tables: &Tablebases) -> ControlFlow<Score> {
        let is_too_shallow = node.depth < tables.probe_depth
            && node.position.occupied().count() == tables.max_pieces();
        if node.excluded.is_some()
            || node.position.halfmove_clock() != 0
            || is_too_shallow
            || !tables.may_contain(node.position)
        {
            return Continue(());
        }
        let Some(wdl) = tables.source.probe_wdl(node.position) else { return Continue(()) };
        self.shared.count_tablebase_hit();
        let (score, bound) = match tables.effective_wdl(wdl) {
            Wdl::Win => (Score::tablebase_win_at(node.ply), Bound::Lower),
            Wdl::Loss => (-Score::tablebase_win_at(node.ply), Bound::Upper),
            _ => (self.draw_score(node.ply), Bound::Exact),
        };
        let (alpha, beta) = (node.window.alpha, node.window.beta);
        let may_be_mate = match bound {
            Bound::Lower => score < beta,
            Bound::Upper => score >= beta,
            Bound::Exact => false,
        };
        if may_be_mate {
            if bound == Bound::Lower {
                // Higher than any floor from a repetition.
                (node.score_floor, node.score_floor_head) = (score, CycleHead::NONE);
                node.window.alpha = alpha.max(score);
            }
            return Continue(());
        }
        if !node.in_check {
            let stored = node.tt_hit.and_then(|hit| hit.raw_eval);
            node.raw_eval = stored.unwrap_or_else(|| self.evaluate(node));
        }
        self.store_tt(node, node.depth + EXTRA_DEPTH, score, bound, None);
        Break(score)
    }
}
