use koel_board::Position;
use koel_tt::BusyMark;

use crate::features;
use crate::move_loop::MoveLoop;
use crate::move_picker::{PickedMove, Stage};
use crate::node::Node;
use crate::score::Depth;
use crate::search::{NodeType, Search};

impl<'a> Search<'a> {
    /// Returns true if a move is deferred to the end of the list: the table move of an expected cut
    /// node, while another thread searches it. By then its result is in the table, and this thread
    /// has searched what the other has not. It fails if that move alone refutes. (What is left of
    /// split points: ABDADA, Weill 1996; simplified, Kerrigan 2013.)
    #[inline]
    pub(crate) fn is_deferred<NT: NodeType>(
        &self,
        node: &Node<'_>,
        move_loop: &mut MoveLoop,
        picked: &PickedMove,
    ) -> bool {
        if !self.may_be_deferred::<NT>(node, picked) {
            return false;
        }
        let key = self.tt_key_after(node, picked.m);
        let is_busy = self.shared.busy.is_busy(key, busy_depth(node), self.worker.index);
        if is_busy {
            move_loop.deferred = Some(PickedMove { stage: Stage::Deferred, ..*picked });
        }
        is_busy
    }

    /// Marks the table move of an expected cut node as being searched by this thread, until the mark
    /// is dropped.
    #[inline]
    pub(crate) fn mark_as_busy<NT: NodeType>(
        &self,
        node: &Node<'_>,
        picked: &PickedMove,
        child: &Position,
    ) -> Option<BusyMark<'a>> {
        self.may_be_deferred::<NT>(node, picked).then(|| {
            let key = self.tt_key(child, node.ply + 1);
            self.shared.busy.mark(key, busy_depth(node), self.worker.index)
        })
    }

    #[inline]
    fn may_be_deferred<NT: NodeType>(&self, node: &Node<'_>, picked: &PickedMove) -> bool {
        features::deferred_move()
            && !NT::PV
            && node.depth >= self.deferral_min_depth
            && node.is_cut_node
            && picked.stage == Stage::TtMove
    }
}

/// Returns the depth of the child, as the marks have it.
fn busy_depth(node: &Node<'_>) -> u8 {
    let Depth(depth) = node.depth - 1;
    depth.clamp(0, i32::from(u8::MAX)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn mark<'a>(search: &Search<'a>, node: &Node<'_>, m: Move) -> BusyMark<'a> {
        search.shared.busy.mark(search.tt_key_after(node, m), busy_depth(node), 1)
    }

    #[test]
    fn the_table_move_of_a_cut_node_is_deferred_while_another_thread_searches_it() {
        in_a_node("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", cut_node(8, 0), |search, node| {
            let m = move_of(node, "e2e4");
            let table_move = PickedMove { m, stage: Stage::TtMove };
            let is_deferred = |search: &Search<'_>, node: &Node<'_>, picked| {
                search.is_deferred::<NonPv>(node, &mut MoveLoop::new(), picked)
            };
            assert!(!is_deferred(search, node, &table_move), "nobody searches it");
            let theirs = mark(search, node, m);
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
            drop(theirs);
            let _ours = search.mark_as_busy::<NonPv>(node, &table_move, &node.position.after(m));
            assert!(!is_deferred(search, node, &table_move), "the mark is this thread's own");
            let key = search.tt_key_after(node, m);
            assert!(search.shared.busy.is_busy(key, busy_depth(node), 1), "others see it");
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
                let _theirs = is_busy.then(|| mark(search, node, m));
                let mut deeper = Node::new(node.position, 1, cut_node(9, -2_000));
                let score = search.search_node::<NonPv>(&mut deeper);
                assert_eq!(deeper.tt_move, Some(m));
                (score, search.nodes)
            })
        };
        assert_eq!(score(true), score(false));
    }
}
