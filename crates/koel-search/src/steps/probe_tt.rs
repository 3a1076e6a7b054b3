use super::prelude::*;

declare! {
    /// Table scores of sufficient depth end non-PV nodes.
    tt_cutoff = true;
    /// A quiet table move that causes a table cutoff gets a history bonus.
    tt_move_bonus = true;
    tt {
        /// The halfmove clock from which on table scores end no nodes.
        max_halfmove_clock = 90 in 50..=100;
        /// The history bonus of a quiet table move at a table cutoff, for each ply of depth.
        bonus_slope = 60 in 0..=400;
        /// The largest such bonus.
        max_bonus = 600 in 100..=2000;
    }
}

impl Search<'_> {
    /// Probes the transposition table: a score of sufficient depth ends the node, and the stored
    /// move is searched first, so the entry of the position after it is prefetched. PV nodes
    /// do not end so, that their line is complete. A cutoff is wrong where the score depends on
    /// the path. (Transposition table.)
    #[inline]
    pub(crate) fn probe_tt<NT: NodeType>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if node.excluded.is_some() {
            return Continue(());
        }
        node.tt_pv = NT::PV;
        let Some(entry) = self.shared.tt.probe(self.tt_key(node.position, node.ply)) else {
            return Continue(());
        };
        let clock = node.position.halfmove_clock();
        let hit = TtHit {
            score: Score::from_tt(entry.score, node.ply, clock),
            bound: entry.bound,
            depth: Depth(i32::from(entry.depth)),
            raw_eval: entry.static_eval.map(|eval| Score::from_centipawns(i32::from(eval))),
            mark: entry.payload,
        };
        node.tt_pv |= entry.is_pv;
        node.tt_move = entry.best_move.filter(|&m| node.position.is_legal(m));
        node.tt_hit = Some(hit);
        if !NT::PV
            && node.window.allows_cutoff(hit.score, hit.bound)
            && node.is_tt_score_usable(&hit)
            && self.accepts_tt_score(node, hit)
        {
            classic!(self.remember_best_move(node.ply, node.tt_move));
            classic!(self.tt_refresh(node, entry));
            self.update_tt_move_history(node, hit.score);
            return Break(node.raise_to_floor(hit.score));
        }
        if let Some(m) = node.tt_move {
            self.prefetch_child(node, m);
        }
        Continue(())
    }

    /// Rewards a quiet table move that refutes the node again.
    #[inline]
    fn update_tt_move_history(&mut self, node: &Node<'_>, score: Score) {
        if score < node.window.beta || node.depth <= Depth(0) {
            return;
        }
        let Some(m) = node.tt_move.filter(|m| !m.is_noisy()) else { return };
        classic!(self.tt_killer(node.ply, m));
        if tt_move_bonus() {
            let bonus = (tt::bonus_slope() * node.depth.0).min(tt::max_bonus());
            let context = self.history_context(node);
            self.worker.histories.update_quiet_histories(node.position, &context, m, bonus);
        }
    }
}

impl Node<'_> {
    /// Returns true if a table score may end the node: it is deep enough, and the fifty-move rule
    /// is far away.
    #[inline]
    pub(crate) fn is_tt_score_usable(&self, hit: &TtHit) -> bool {
        let clock = i32::from(self.position.halfmove_clock());
        tt_cutoff() && hit.depth >= self.depth && clock < tt::max_halfmove_clock()
    }
}

#[cfg(test)]
mod tests {
    use koel_tt::Entry;

    use super::*;
    use crate::testing::*;

    /// Stores a lower bound of 200 centipawns at depth 5, and probes the node with beta 100.
    fn probe<NT: NodeType>(
        change: impl FnOnce(&mut Node<'_>),
    ) -> (ControlFlow<Score>, Option<Move>) {
        in_a_node(START_FEN, cut_node(5, 100), |search, node| {
            let entry = Entry {
                best_move: Some(move_of(node, "g1f3")),
                score: 200,
                static_eval: Some(20),
                depth: 5,
                bound: Bound::Lower,
                is_pv: false,
                payload: PathMark::NONE,
            };
            search.shared.tt.store(search.tt_key(node.position, node.ply), entry);
            change(node);
            (search.probe_tt::<NT>(node), node.tt_move)
        })
    }

    #[test]
    fn a_bound_deep_enough_ends_the_node() {
        assert_eq!(probe::<NonPv>(|_| ()).0, Break(cp(200)));
        assert!(probe::<NonPv>(|node| node.depth = Depth(6)).0.is_continue(), "too shallow");
        let beta = cp(201);
        let above = |node: &mut Node<'_>| {
            (node.window.alpha, node.window.beta) = (beta - 1, beta);
        };
        assert!(probe::<NonPv>(above).0.is_continue(), "below beta");
    }

    #[test]
    fn a_pv_node_takes_the_move_only_and_a_singular_search_nothing() {
        let (end, m) = probe::<Pv>(|_| ());
        assert!(end.is_continue() && m.is_some());
        let (end, m) = probe::<NonPv>(|node| node.excluded = Some(move_of(node, "g1f3")));
        assert!(end.is_continue() && m.is_none());
    }
}
