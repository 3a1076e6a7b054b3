use std::ops::ControlFlow::{self, Break, Continue};

use koel_tt::Bound;

use crate::features;
use crate::node::Node;
use crate::path::Head;
use crate::score::Score;
use crate::search::{Kind, Search};
use crate::tablebase::{Tablebases, Verdict};

/// What a table says holds at any depth; it is remembered as so much deeper than the node is.
const DEEPER: i32 = 6;

impl Search<'_> {
    /// Few pieces are looked up rather than searched. The tables count from a capture or a pawn
    /// move, so only then are they asked. Wins and losses are bounds: where it matters whether
    /// there is a mate, it is searched for. It never fails, but takes the time of many nodes.
    /// (Syzygy Bases.)
    #[inline(always)]
    pub(crate) fn probe_tablebases<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        match self.tablebases {
            Some(tables) if !K::ROOT && features::tablebases() => self.ask_tablebases(node, tables),
            _ => Continue(()),
        }
    }

    // Out of line, so that a search without tables does not carry it along.
    #[inline(never)]
    fn ask_tablebases(&mut self, node: &mut Node<'_>, tables: &Tablebases) -> ControlFlow<Score> {
        let is_too_shallow = node.depth < tables.shallowest
            && node.position.occupied().count() == tables.costly_pieces();
        if node.excluded.is_some()
            || node.position.halfmove_clock() != 0
            || is_too_shallow
            || !tables.may_know(node.position)
        {
            return Continue(());
        }
        let Some(verdict) = tables.source.verdict(node.position) else { return Continue(()) };
        self.shared.count_tablebase_hit();
        let (score, bound) = match tables.by_the_rules(verdict) {
            Verdict::Win => (Score::tablebase_win_at(node.ply), Bound::Lower),
            Verdict::Loss => (-Score::tablebase_win_at(node.ply), Bound::Upper),
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
                // More than any repetition grants.
                (node.floor, node.floor_head) = (score, Head::NONE);
                node.window.alpha = alpha.max(score);
            }
            return Continue(());
        }
        if !node.in_check {
            let known = node.table_hit.and_then(|hit| hit.raw_eval);
            node.raw_eval = known.unwrap_or_else(|| self.evaluate(node));
        }
        self.remember(node, node.depth + DEEPER, score, bound, None);
        Break(score)
    }
}
