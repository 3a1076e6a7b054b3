//! What the pages ask about dependence on the path.

use koel_board::{Key, Move, Position, Role};
use koel_tt::{Bound, PathDependence};

use super::{Dependence, Head, PathPolicy};
use crate::features;
use crate::node::{Node, TableHit};
use crate::params::path;
use crate::score::Score;
use crate::search::Search;
use crate::table::with_clock;
use crate::tally::Tally;

impl Search<'_> {
    /// The key under which the table knows a position at this ply. As long as no irreversible move
    /// has been made since the root, positions that occurred twice in the game can come back.
    #[inline]
    pub(crate) fn key(&self, position: &Position, ply: usize) -> u64 {
        self.salted(position.key(), position.halfmove_clock(), ply)
    }

    /// The same of the position that a move of this node leads to, but for what castling, promotions
    /// and rights change.
    #[inline]
    pub(crate) fn key_after(&self, node: &Node<'_>, m: Move) -> u64 {
        let position = node.position;
        let is_irreversible = m.is_noisy() || position.role_at(m.from()) == Some(Role::Pawn);
        let clock = if is_irreversible { 0 } else { position.halfmove_clock().saturating_add(1) };
        self.salted(position.key_after(m), clock, node.ply + 1)
    }

    #[inline]
    fn salted(&self, key: Key, clock: u16, ply: usize) -> u64 {
        let key = with_clock(key, clock);
        if self.salt != 0 && usize::from(clock) >= ply { key ^ self.salt } else { key }
    }

    /// The position on the board is this one's head, so many plies back.
    #[inline]
    pub(crate) fn head(&self, plies: usize) -> Head {
        Head::at(self.worker.timeline.history().plies() - plies)
    }

    /// What the score of a node rests on as its parent sees it: not on the node itself.
    #[inline]
    pub(crate) fn outside(&self, node: &Node<'_>) -> Dependence {
        if !features::path_dependence() || !node.dependence.is_some() {
            return Dependence::NONE;
        }
        self.outside_cycle(node)
    }

    #[inline(never)]
    fn outside_cycle(&self, node: &Node<'_>) -> Dependence {
        let is_kept = match self.rules.policy {
            PathPolicy::Refuse => true,
            PathPolicy::Muller => self.worker.stack[node.ply].assumed_draw == Some(false),
            _ => false,
        };
        if is_kept {
            return node.dependence;
        }
        node.dependence.outside(self.worker.timeline.history().plies())
    }

    /// What the table is told of the score's dependence; `None` if it is not to remember it.
    #[inline]
    pub(crate) fn mark(&mut self, node: &Node<'_>, bound: Bound) -> Option<PathDependence> {
        self.worker.path_counts.stores += 1;
        let dependence = self.outside(node).of_bound(bound);
        if dependence.is_some() {
            self.mark_tainted(dependence)
        } else {
            Some(PathDependence::NONE)
        }
    }

    #[inline(never)]
    fn mark_tainted(&mut self, dependence: Dependence) -> Option<PathDependence> {
        let policy = self.rules.policy;
        self.worker.path_counts.tainted_stores += 1;
        if policy == PathPolicy::Muller {
            return None;
        }
        Some(policy.mark(self.worker.timeline.history(), dependence))
    }

    /// Whether what the table says of the window is to be taken for granted here. If so, the node
    /// may end with it.
    #[inline]
    pub(crate) fn believes(&mut self, node: &mut Node<'_>, hit: TableHit) -> bool {
        let is_lower = hit.score >= node.window.beta;
        let is_tainted = if is_lower { hit.dependence.lower() } else { hit.dependence.upper() };
        if !features::path_dependence() {
            return true;
        }
        let believes = (!is_tainted || self.believes_tainted(node, hit, is_lower))
            && !(is_lower && self.rules.policy == PathPolicy::Guard && self.lets_repeat(node, hit));
        if !believes {
            node.refused_at = self.nodes;
        }
        believes
    }

    /// Whether refusals have taken more than their share of the nodes.
    fn has_refused_enough(&self) -> bool {
        self.rules.policy == PathPolicy::Guard
            && self.refused_nodes * 100 > self.nodes * path::most_refused() as u64
    }

    /// Whether the score is better than a draw, and its first move lets the other side repeat.
    #[inline]
    fn lets_repeat(&mut self, node: &Node<'_>, hit: TableHit) -> bool {
        let draw = self.stalemate_score(node.ply) + 1;
        match node.table_move {
            Some(m)
                if hit.score > draw && node.ply >= 2 && self.worker.timeline.may_return_next() =>
            {
                self.lets_repeat_after(node, m)
            }
            _ => false,
        }
    }

    #[inline(never)]
    fn lets_repeat_after(&mut self, node: &Node<'_>, m: Move) -> bool {
        let position = node.position.after(m);
        if position.halfmove_clock() == 0 || self.has_refused_enough() {
            return false;
        }
        let timeline = &mut self.worker.timeline;
        timeline.push(&position);
        let is_draw = timeline.is_draw_by_repetition(node.ply + 1)
            || timeline.may_repeat(&position, node.ply + 1);
        timeline.pop();
        self.worker.path_counts.guarded += u64::from(is_draw);
        is_draw
    }

    #[inline(never)]
    fn believes_tainted(&mut self, node: &mut Node<'_>, hit: TableHit, is_lower: bool) -> bool {
        let found = self.rules.policy.find(self.worker.timeline.history(), hit.dependence);
        let trusted = self.has_refused_enough().then_some(Head::NONE);
        let counts = &mut self.worker.path_counts;
        let Some(head) = found.or(trusted) else {
            counts.refused += 1;
            return false;
        };
        counts.accepted += 1;
        let bound = if is_lower { Bound::Lower } else { Bound::Upper };
        node.dependence = Dependence::on(head).of_bound(bound);
        true
    }
}

impl Node<'_> {
    /// The score of a node whose moves have been searched rests on what they rest on.
    #[inline]
    pub(crate) fn rest_on(&mut self, tally: &Tally) {
        self.dependence = tally.dependence.of_bound(tally.bound);
    }

    /// The score, or what a repetition grants if that is more.
    #[inline]
    pub(crate) fn or_floor(&mut self, score: Score) -> Score {
        if score > self.floor {
            return score;
        }
        self.dependence = self.dependence.with_lower(self.floor_head);
        self.floor
    }
}
