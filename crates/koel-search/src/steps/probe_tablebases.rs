use super::prelude::*;
use crate::path::CycleHead;
use crate::tablebase::{Tablebases, Wdl};

declare! { tablebases = true; }

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
            Some(tables) if !NT::ROOT && tablebases() => self.probe_wdl_tables(node, tables),
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
        match bound {
            Bound::Lower if score < beta => {
                // Higher than any floor from a repetition.
                (node.score_floor, node.score_floor_head) = (score, CycleHead::NONE);
                node.window.alpha = alpha.max(score);
                return Continue(());
            }
            Bound::Upper if score > alpha => {
                node.score_ceiling = score;
                return Continue(());
            }
            _ => {}
        }
        if !node.in_check {
            let stored = node.tt_hit.and_then(|hit| hit.raw_eval);
            node.raw_eval = stored.unwrap_or_else(|| self.evaluate(node));
        }
        self.store_tt(node, node.depth + EXTRA_DEPTH, score, bound, None);
        Break(score)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tablebase::Tablebase;
    use crate::testing::*;

    /// Tables of three pieces that say the same of every position.
    #[derive(Debug)]
    struct Always(Wdl);

    impl Tablebase for Always {
        fn max_pieces(&self) -> usize {
            3
        }

        fn probe_wdl(&self, _: &Position) -> Option<Wdl> {
            Some(self.0)
        }

        fn probe_dtz(&self, _: &Position) -> Option<i32> {
            None
        }
    }

    const FEN: &str = "7k/8/8/8/8/8/4R3/K7 w - - 0 1";

    /// Probes a node of depth 3 and beta 0.
    fn end(fen: &str, wdl: Wdl, change: impl FnOnce(&mut Node<'_>)) -> ControlFlow<Score> {
        let tables = Tablebases {
            source: Arc::new(Always(wdl)),
            probe_depth: Depth(3),
            probe_limit: 7,
            fifty_move_rule: true,
        };
        in_a_node(fen, cut_node(3, 0), |search, node| {
            change(node);
            search.probe_wdl_tables(node, &tables)
        })
    }

    #[test]
    fn tables_end_a_node_where_their_bound_does() {
        let win = Score::tablebase_win_at(1);
        assert_eq!(end(FEN, Wdl::Win, |_| ()), Break(win));
        assert_eq!(end(FEN, Wdl::Loss, |_| ()), Break(-win));
        let draw = end(FEN, Wdl::CursedWin, |_| ());
        assert!(matches!(draw, Break(score) if score.centipawns().abs() <= 1), "{draw:?}");
        // A mate may be found beyond a win, or a loss may be one.
        let mate = |node: &mut Node<'_>| {
            (node.window.alpha, node.window.beta) = (Score::DRAW, Score::INFINITE);
        };
        assert!(end(FEN, Wdl::Win, mate).is_continue());
        let mated = |node: &mut Node<'_>| {
            (node.window.alpha, node.window.beta) = (-Score::INFINITE, Score::DRAW);
        };
        assert!(end(FEN, Wdl::Loss, mated).is_continue());
    }

    #[test]
    fn tables_are_probed_right_after_a_capture_or_a_pawn_move() {
        assert!(end("7k/8/8/8/8/8/4R3/K7 w - - 1 1", Wdl::Win, |_| ()).is_continue());
        assert!(end("7k/8/8/8/8/8/3RR3/K7 w - - 0 1", Wdl::Win, |_| ()).is_continue());
        assert!(end(FEN, Wdl::Win, |node| node.depth = Depth(2)).is_continue(), "too shallow");
        assert!(end(FEN, Wdl::Win, |node| node.excluded = Some(Move::NONE)).is_continue());
    }
}
