use koel_board::Move;
use koel_tt::{Bound, Entry};

use crate::features;
use crate::node::Node;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// The score of a node whose moves have been searched, from which something is learnt and
    /// which is remembered. Without moves it is mate or stalemate.
    pub(crate) fn conclude<K: Kind>(&mut self, node: &mut Node<'_>, tally: &Tally) -> Score {
        if tally.is_empty() {
            return match node {
                Node { excluded: Some(_), .. } => node.window.alpha,
                Node { in_check: true, .. } => Score::mated_in(node.ply),
                _ => self.stalemate_score(node.ply),
            };
        }
        node.rest_on(tally);
        let score = node.or_floor(node.soften(tally));
        if tally.bound == Bound::Upper && !K::ROOT {
            node.was_pv |= self.worker.stack.before(node.ply, 1).was_pv && !K::PV;
        }
        self.worker.stack[node.ply].threat = tally.best_move.unwrap_or(Move::NONE);
        self.learn(node, tally);
        if !(K::ROOT && self.root.is_restricted()) {
            self.remember(node, node.depth, score, tally.bound, tally.best_move);
        }
        score
    }

    /// The same for quiescence, which learns nothing.
    pub(crate) fn conclude_quiescence(&mut self, node: &mut Node<'_>, tally: &Tally) -> Score {
        if tally.is_empty() && node.in_check {
            return Score::mated_in(node.ply);
        }
        node.rest_on(tally);
        let score = node.or_floor(tally.best);
        self.remember(node, Depth(0), score, tally.bound, tally.best_move);
        score
    }

    /// Stores what is now known, unless the search was of another question.
    #[inline]
    pub(crate) fn remember(
        &mut self,
        node: &Node<'_>,
        Depth(depth): Depth,
        score: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        debug_assert!(!self.is_stopped, "a search that was broken off knows nothing");
        if node.excluded.is_some() {
            return;
        }
        let Some(dependence) = self.mark(node, bound) else { return };
        let record = Entry {
            best_move,
            score: score.to_table(node.ply),
            static_eval: (!node.in_check).then(|| node.raw_eval.centipawns() as i16),
            depth: depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound,
            is_pv: node.was_pv,
            dependence,
        };
        self.shared.table.store(self.key(node.position, node.ply), record);
    }
}

impl Node<'_> {
    /// What is above beta is not to be taken at its word, the less so the shallower it is.
    /// (Fail-high softening.)
    #[inline]
    fn soften(&self, tally: &Tally) -> Score {
        let (best, beta, depth) = (tally.best, self.window.beta, self.depth.0.max(0));
        if !features::fail_high_softening()
            || tally.bound != Bound::Lower
            || best.is_decided()
            || beta.is_decided()
        {
            return best;
        }
        Score::from_centipawns((best.centipawns() * depth + beta.centipawns()) / (depth + 1))
    }
}
