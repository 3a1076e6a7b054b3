use koel_tt::BusyMark;

use super::prelude::*;

declare! {
    deferred_move = true;
    deferred_move {
        /// The least depth.
        min_depth = 6 in 2..=14;
    }
}

/// The least depth at which a table move may be deferred; beyond every depth with one worker.
pub(crate) fn deferral_min_depth(workers: usize) -> Depth {
    Depth(if workers > 1 { deferred_move::min_depth() } else { i32::MAX })
}

impl<'a> Search<'a> {
    /// Returns true if a move is deferred to the end of the list: the table move of an expected cut
    /// node, while another thread searches it. By then its result is in the table, and this thread
    /// has searched what the other has not. Deferring costs time if that move alone refutes. (What
    /// is left of split points: ABDADA, Weill 1996; simplified, Kerrigan 2013.)
    #[inline]
    pub(crate) fn is_deferred<NT: NodeType>(
        &self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> bool {
        let is_busy = self.may_be_deferred::<NT>(node, picked)
            && self.shared.tt.is_busy(self.tt_key_after(node, picked.m));
        if is_busy {
            move_loop.deferred = Some(PickedMove { stage: Stage::Deferred, ..*picked });
        }
        is_busy
    }

    /// Marks the table move of an expected cut node as being searched, until the mark is dropped,
    /// if the position after it has an entry: nearly always.
    #[inline]
    pub(crate) fn mark_as_busy<NT: NodeType>(
        &self,
        node: &Node<'_>,
        picked: &PickedMove,
        child: &Position,
    ) -> Option<BusyMark<'a>> {
        if !self.may_be_deferred::<NT>(node, picked) {
            return None;
        }
        self.shared.tt.mark_busy(self.tt_key(child, node.ply + 1))
    }

    #[inline]
    fn may_be_deferred<NT: NodeType>(&self, node: &Node<'_>, picked: &PickedMove) -> bool {
        deferred_move()
            && !NT::PV
            && node.depth >= self.deferral_min_depth
            && node.is_cut_node
            && picked.stage == Stage::TtMove
    }
}

#[cfg(test)]
mod tests {
    use koel_tt::Entry;

    use super::*;
    use crate::testing::*;

    #[test]
    fn the_table_move_of_a_cut_node_is_deferred_while_another_thread_searches_it() {
        in_a_node("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", cut_node(8, 0), |search, node| {
            let m = move_of(node, "e2e4");
            let child = node.position.after(m);
            let table_move = PickedMove { m, stage: Stage::TtMove };
            let is_deferred = |search: &Search<'_>, node: &Node<'_>, picked| {
                search.is_deferred::<NonPv>(node, &mut MoveLoop::new(), picked)
            };
            assert!(search.mark_as_busy::<NonPv>(node, &table_move, &child).is_none(), "no entry");
            let entry = Entry {
                best_move: None,
                score: 0,
                static_eval: None,
                depth: 6,
                bound: Bound::Upper,
                is_pv: false,
                payload: PathMark::NONE,
            };
            search.shared.tt.store(search.tt_key(&child, node.ply + 1), entry);
            assert!(!is_deferred(search, node, &table_move), "nobody searches it");
            let mark = search.mark_as_busy::<NonPv>(node, &table_move, &child);
            assert!(mark.is_some());
            let mut move_loop = MoveLoop::new();
            assert!(search.is_deferred::<NonPv>(node, &mut move_loop, &table_move));
            let deferred = move_loop.deferred.unwrap();
            assert_eq!((deferred.m, deferred.stage), (m, Stage::Deferred));

            assert!(!is_deferred(search, node, &deferred), "no move is deferred twice");
            let killer = PickedMove { m, stage: Stage::FirstKiller };
            assert!(!is_deferred(search, node, &killer));
            assert!(!search.is_deferred::<Pv>(node, &mut move_loop, &table_move));
            node.is_cut_node = false;
            assert!(!is_deferred(search, node, &table_move));
            node.is_cut_node = true;
            node.depth = search.deferral_min_depth - 1;
            assert!(!is_deferred(search, node, &table_move));
            node.depth = Depth(8);
            assert!(is_deferred(search, node, &table_move));
            drop(mark);
            assert!(!is_deferred(search, node, &table_move));
        });
    }

    #[test]
    fn a_deferred_only_move_is_searched() {
        // The king in check has one move.
        let fen = "1k6/8/8/8/8/8/6P1/r6K w - - 0 1";
        let score = |is_busy: bool| {
            in_a_node(fen, cut_node(8, -2_000), |search, node| {
                let m = move_of(node, "h1h2");
                let _ = search.search_node::<NonPv>(node);
                let shared = search.shared;
                let mark = shared.tt.mark_busy(search.tt_key_after(node, m)).unwrap();
                let _theirs = is_busy.then_some(mark);
                let mut deeper = Node::new(node.position, 1, cut_node(9, -2_000));
                let score = search.search_node::<NonPv>(&mut deeper);
                assert_eq!(deeper.tt_move, Some(m));
                (score, search.nodes)
            })
        };
        assert_eq!(score(true), score(false));
    }
}
