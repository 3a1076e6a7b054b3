//! Path dependence in the search: table keys, marks, and the acceptance of table scores.

use koel_board::Key;

use super::prelude::*;
use crate::path::{CycleHead, PathDependence, PathMark, PathPolicy};
use crate::tt::key_with_clock;

declare! {
    path_dependence = true;
    path {
        /// The share of the nodes that may lie below refused table scores, in percent.
        max_refused_percent = 50 in 0..=100;
    }
}

impl Search<'_> {
    /// The table key of a position at this ply. It is salted while no irreversible move has been
    /// made since the root, as then positions that occurred twice in the game can recur.
    #[inline]
    pub(crate) fn tt_key(&self, position: &Position, ply: usize) -> u64 {
        self.salted_key(position.key(), position.halfmove_clock(), ply)
    }

    /// The table key of the position after a move of this node, except for changes by castling,
    /// promotions and castling rights. Good enough for a prefetch.
    #[inline]
    pub(crate) fn tt_key_after(&self, node: &Node<'_>, m: Move) -> u64 {
        let position = node.position;
        let is_irreversible = m.is_noisy() || position.role_at(m.from()) == Some(Role::Pawn);
        let clock = if is_irreversible { 0 } else { position.halfmove_clock().saturating_add(1) };
        self.salted_key(position.key_after(m), clock, node.ply + 1)
    }

    #[inline]
    fn salted_key(&self, key: Key, clock: u16, ply: usize) -> u64 {
        let key = key_with_clock(key, clock);
        if self.salt != 0 && usize::from(clock) >= ply { key ^ self.salt } else { key }
    }

    /// The position `plies` before the current one, as a head.
    #[inline]
    pub(crate) fn head(&self, plies: usize) -> CycleHead {
        CycleHead::at(self.worker.repetitions.keys().plies() - plies)
    }

    /// The path dependence of a node's score for its parent: a cycle that begins at the node itself
    /// is left out.
    #[inline]
    pub(crate) fn parent_dependence(&self, node: &Node<'_>) -> PathDependence {
        if !path_dependence() || !node.dependence.is_some() {
            return PathDependence::NONE;
        }
        self.dependence_before(node)
    }

    #[inline(never)]
    fn dependence_before(&self, node: &Node<'_>) -> PathDependence {
        let is_kept = match self.rules.policy {
            PathPolicy::Refuse => true,
            PathPolicy::Muller => self.worker.stack[node.ply].assumed_draw == Some(false),
            _ => false,
        };
        if is_kept {
            return node.dependence;
        }
        node.dependence.before(self.worker.repetitions.keys().plies())
    }

    /// The mark to store with the node's score; `None` if the score is not to be stored.
    #[inline]
    pub(crate) fn path_mark(&mut self, node: &Node<'_>, bound: Bound) -> Option<PathMark> {
        self.worker.path_counts.stores += 1;
        let dependence = self.parent_dependence(node).for_bound(bound);
        if dependence.is_some() {
            self.dependent_path_mark(dependence)
        } else {
            Some(PathMark::NONE)
        }
    }

    #[inline(never)]
    fn dependent_path_mark(&mut self, dependence: PathDependence) -> Option<PathMark> {
        let policy = self.rules.policy;
        self.worker.path_counts.dependent_stores += 1;
        if policy == PathPolicy::Muller {
            return None;
        }
        Some(policy.mark(self.worker.repetitions.keys(), dependence))
    }

    /// Returns true if a table score that allows a cutoff may be used on this path; then its
    /// dependence becomes that of the node.
    #[inline]
    pub(crate) fn accepts_tt_score(&mut self, node: &mut Node<'_>, hit: TtHit) -> bool {
        let is_lower = hit.score >= node.window.beta;
        let is_marked = if is_lower { hit.mark.lower() } else { hit.mark.upper() };
        if !path_dependence() {
            return true;
        }
        let is_accepted = (!is_marked || self.accepts_marked_score(node, hit, is_lower))
            && !self.is_settled_here(node);
        if !is_accepted {
            node.tt_refused_at = self.nodes;
        }
        is_accepted
    }

    /// Returns true if the nodes below refused scores exceed their share of all nodes.
    fn exceeds_refusal_share(&self) -> bool {
        self.rules.policy == PathPolicy::Relative
            && self.refused_nodes * 100 > self.nodes * path::max_refused_percent() as u64
    }

    #[inline(never)]
    fn accepts_marked_score(&mut self, node: &mut Node<'_>, hit: TtHit, is_lower: bool) -> bool {
        let found = self.rules.policy.find(self.worker.repetitions.keys(), hit.mark, node.ply);
        let trusted = self.exceeds_refusal_share().then_some(CycleHead::NONE);
        let counts = &mut self.worker.path_counts;
        let Some(head) = found.or(trusted) else {
            counts.refused += 1;
            return false;
        };
        counts.accepted += 1;
        let bound = if is_lower { Bound::Lower } else { Bound::Upper };
        node.dependence = PathDependence::on(head).for_bound(bound);
        true
    }
}

impl Node<'_> {
    /// Takes the dependence of the node's score over from its moves.
    #[inline]
    pub(crate) fn set_dependence(&mut self, move_loop: &MoveLoop) {
        self.dependence = move_loop.dependence.for_bound(move_loop.bound);
    }

    /// Returns the score, or the lower bound from a repetition or the tablebases if that is higher.
    #[inline]
    pub(crate) fn raise_to_floor(&mut self, score: Score) -> Score {
        if score > self.score_floor {
            return score;
        }
        self.dependence = self.dependence.with_lower(self.score_floor_head);
        self.score_floor
    }
}
