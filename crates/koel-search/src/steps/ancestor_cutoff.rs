use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::Node;
use crate::open_nodes::OpenNode;
use crate::params::{ancestor_cutoff, tt};
use crate::path::Dependence;
use crate::score::{Depth, Score};
use crate::search::{NodeType, Search};

impl Search<'_> {
    /// Adds a node to those that are left when another thread has refuted them.
    #[inline]
    pub(crate) fn open_node<NT: NodeType>(&mut self, node: &mut Node<'_>) {
        if !NT::SMP
            || NT::PV
            || node.depth < self.open_nodes.min_depth
            || node.excluded.is_some()
            || i32::from(node.position.halfmove_clock()) >= tt::max_halfmove_clock()
        {
            return;
        }
        node.is_open = true;
        self.open_nodes.nodes.push(OpenNode {
            key: self.tt_key(node.position, node.ply),
            window: node.window,
            depth: node.depth,
            ply: node.ply,
            clock: node.position.halfmove_clock(),
        });
    }

    /// Breaks if another thread has meanwhile refuted a node above, against the same bound and at
    /// least as deep: nothing below it matters any more. The table is the only channel; scores that
    /// depend on the path are left alone. (Upper node cutoff; `cutoffOccurred` of split points.)
    #[inline]
    pub(crate) fn poll_ancestors<NT: NodeType>(&mut self) -> ControlFlow<Score> {
        if NT::SMP && self.nodes >= self.open_nodes.next_poll {
            self.poll_ancestors_now()?;
        }
        Continue(())
    }

    #[inline(never)]
    fn poll_ancestors_now(&mut self) -> ControlFlow<Score> {
        self.open_nodes.next_poll = self.nodes + ancestor_cutoff::interval() as u64;
        for (index, open) in self.open_nodes.nodes.iter().enumerate() {
            let Some(entry) = self.shared.tt.probe(open.key) else { continue };
            let score = Score::from_tt(entry.score, open.ply, open.clock);
            if Depth(i32::from(entry.depth)) >= open.depth
                && open.window.allows_cutoff(score, entry.bound)
                && !(entry.payload.lower() || entry.payload.upper())
            {
                self.open_nodes.refuted = Some((index, score));
                self.worker.smp_counts.ancestor_cutoffs += 1;
                // All nodes below are left as after a stop, which ends at the refuted node.
                self.is_stopped = true;
                return Break(score);
            }
        }
        Continue(())
    }

    /// Removes a node from those in progress; if it was refuted by another thread, the search goes
    /// on from here with that score.
    #[inline]
    pub(crate) fn close_node<NT: NodeType>(&mut self, node: &mut Node<'_>, score: Score) -> Score {
        if !NT::SMP || !node.is_open {
            return score;
        }
        self.open_nodes.nodes.pop();
        match self.open_nodes.refuted {
            Some((index, refuted)) if index == self.open_nodes.nodes.len() => {
                self.open_nodes.refuted = None;
                self.is_stopped = false;
                node.dependence = Dependence::NONE;
                node.raise_to_floor(refuted)
            }
            _ => score,
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_board::{Game, Position};
    use koel_tt::{Bound, Entry};

    use super::*;
    use crate::node::SearchArgs;
    use crate::open_nodes::OpenNodes;
    use crate::path::{PathDependence, PathScore};
    use crate::search::NonPv;
    use crate::tt::tt_key;
    use crate::window::Window;
    use crate::{Limits, Progress, Shared, Supervisor, Worker};

    /// A supervisor that stores an entry in the table once the search is under way, as another
    /// thread does.
    struct OtherThread<'a> {
        shared: &'a Shared,
        key: u64,
        entry: Entry<koel_board::Move, PathDependence>,
    }

    impl Supervisor for OtherThread<'_> {
        fn must_stop(&mut self, progress: &Progress) -> bool {
            if progress.nodes > 0 {
                self.shared.tt.store(self.key, self.entry);
            }
            false
        }
    }

    /// Searches a position 14 plies deep while another thread stores an entry of this depth and bound
    /// for it. Returns the score and the number of subtrees that were left.
    fn search_beside(depth: u8, bound: Bound) -> (Score, u64) {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let game = Game::new(Position::from_fen(fen).unwrap());
        let shared = Shared::new(4, 2).unwrap();
        shared.limit_nodes(100_000);
        let entry = Entry {
            best_move: None,
            score: 777,
            static_eval: None,
            depth,
            bound,
            is_pv: false,
            payload: PathDependence::NONE,
        };
        let key = tt_key(game.position());
        let mut supervisor = OtherThread { shared: &shared, key, entry };
        let mut worker = Worker::new(0);
        let plies = worker.repetitions.keys().plies();
        let limits = Limits::default();
        let mut search = Search::new(&mut worker, &shared, &game, &limits, &mut supervisor);
        search.open_nodes = OpenNodes::new(Depth(5));
        let alpha = Score::from_centipawns(30);
        let window = Window { alpha, beta: alpha + 1 };
        let args = SearchArgs { window, depth: Depth(14), is_cut_node: true };
        let node = crate::node::Node::new(game.position(), 0, args);
        let PathScore { score, .. } = search.search::<NonPv<true>>(node);
        let is_stopped = search.is_stopped;
        assert!(search.open_nodes.nodes.is_empty() && search.open_nodes.refuted.is_none());
        assert_eq!(worker.repetitions.keys().plies(), plies);
        let left = worker.smp_counts().ancestor_cutoffs;
        assert!(left == 0 || !is_stopped, "the search goes on above the refuted node");
        (score, left)
    }

    #[test]
    fn a_subtree_is_left_when_another_thread_has_refuted_its_root() {
        assert_eq!(search_beside(14, Bound::Lower), (Score::from_centipawns(777), 1));
        assert_eq!(search_beside(20, Bound::Exact), (Score::from_centipawns(777), 1));
    }

    #[test]
    fn a_shallower_entry_or_another_bound_ends_nothing() {
        assert_eq!(search_beside(13, Bound::Lower).1, 0);
        assert_eq!(search_beside(14, Bound::Upper).1, 0);
    }
}
