//! A search with nothing in it but a table, to tell which values the table gets wrong.
//!
//! Plain alpha-beta to a fixed depth: no pruning, no reductions, no extensions, no quiescence, no
//! upcoming repetition, material alone at the leaves, cutoffs by the table at equal depth only, and
//! the table forgets and confuses nothing. What is left is what a [`PathPolicy`] does to the values.
//! The truth is the same search with a table that knows a position together with the set of
//! positions that led to it since the last irreversible move.

use std::collections::HashMap;

use koel_board::{Color, Move, Position, Role, SeeValues};
use koel_cuckoo::{KeyHistory, ZobristKey};
use koel_tt::{Bound, PathDependence};

use crate::path::{Dependence, Head, PathCounts, PathPolicy, mixed};
use crate::timeline::CYCLES;

/// Beyond every value.
const INFINITE: i32 = 1_000_000;

/// To be mated with so much depth left is this and the depth: sooner is worse.
const MATED: i32 = -100_000;

/// What the table of a laboratory remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// Positions, with what a policy makes of values that rest on the path.
    Positions(PathPolicy),
    /// Positions together with the set of positions before them: always right.
    Paths,
}

#[derive(Clone, Copy)]
struct Remembered {
    value: i32,
    bound: Bound,
    best_move: Option<Move>,
    dependence: PathDependence,
}

/// A position that is searched.
struct Visit<'a> {
    position: &'a Position,
    depth: u32,
    alpha: i32,
    beta: i32,
    ply: usize,
}

/// The search and its table. Search a position to depths 1, 2, 3 and so on, as an engine does.
pub struct Laboratory {
    memory: Memory,
    table: HashMap<(u64, u32), Remembered>,
    history: KeyHistory,
    /// The sum of the positions since the last irreversible move, for each ply.
    paths: Vec<u64>,
    /// For each ply of a repetition that is being settled: whether the next occurrence is a draw.
    assumed_draws: HashMap<usize, bool>,
    counts: PathCounts,
    nodes: u64,
    limit: u64,
}

impl Laboratory {
    /// With an empty table.
    #[must_use]
    pub fn new(memory: Memory) -> Laboratory {
        Laboratory {
            memory,
            table: HashMap::new(),
            history: KeyHistory::new(ZobristKey(0), 64),
            paths: Vec::new(),
            assumed_draws: HashMap::new(),
            counts: PathCounts::default(),
            nodes: 0,
            limit: 0,
        }
    }

    /// The value of a position in centipawns of material from the view of the side to move, so many
    /// plies deep; `None` if that takes more nodes than `limit`.
    pub fn value(&mut self, position: &Position, depth: u32, limit: u64) -> Option<i32> {
        let key = position.key().0;
        self.history.restart(ZobristKey(key));
        self.paths = vec![mixed(key)];
        self.limit = self.nodes + limit;
        let root = Visit { position, depth, alpha: -INFINITE, beta: INFINITE, ply: 0 };
        let (value, _) = self.search(&root);
        (self.nodes < self.limit).then_some(value)
    }

    /// Nodes searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What became of values that rested on the path.
    #[must_use]
    pub fn counts(&self) -> PathCounts {
        self.counts
    }

    fn policy(&self) -> Option<PathPolicy> {
        match self.memory {
            Memory::Positions(policy) => Some(policy),
            Memory::Paths => None,
        }
    }

    /// The value, and what it rests on besides the position.
    fn search(&mut self, visit: &Visit<'_>) -> (i32, Dependence) {
        self.nodes += 1;
        if self.nodes >= self.limit {
            return (0, Dependence::NONE);
        }
        if self.history.is_draw_by_repetition(visit.ply) {
            let plies = self.history.previous_occurrence().unwrap_or_default();
            if self.policy() != Some(PathPolicy::Muller) || plies >= visit.ply {
                return (0, Dependence::on(self.head(plies)));
            }
            return self.settle(visit, plies);
        }
        let (value, dependence) = self.look(visit);
        (value, self.outside(visit, dependence))
    }

    /// Muller's policy, as the step `settle_repetition` has it.
    fn settle(&mut self, visit: &Visit<'_>, plies: usize) -> (i32, Dependence) {
        if self.history.occurrences() >= 3 {
            self.counts.third_occurrences += 1;
            let is_open = self.assumed_draws.get(&(visit.ply - plies)) == Some(&false);
            let value = if is_open { material(visit.position) } else { 0 };
            return (value, Dependence::on(self.head(plies)));
        }
        let here = self.head(0);
        let rests =
            |dependence: Dependence| dependence.lower() == here || dependence.upper() == here;
        self.assumed_draws.insert(visit.ply, false);
        let (mut value, mut dependence) = self.look(visit);
        if rests(dependence) {
            self.assumed_draws.insert(visit.ply, true);
            (value, dependence) = self.look(visit);
            let is_draw = rests(dependence) && value == 0;
            self.counts.searched_again += 1;
            self.counts.confirmed += u64::from(is_draw);
            self.counts.refuted += u64::from(!is_draw);
        }
        self.assumed_draws.remove(&visit.ply);
        (value, self.outside(visit, dependence))
    }

    /// The node itself: table, moves, table. What it rests on may be the position itself.
    fn look(&mut self, visit: &Visit<'_>) -> (i32, Dependence) {
        let moves = visit.position.legal_moves();
        if moves.is_empty() {
            let depth = visit.depth as i32;
            let value = if visit.position.is_check() { MATED - depth } else { 0 };
            return (value, Dependence::NONE);
        }
        if visit.position.is_insufficient_material() {
            return (0, Dependence::NONE);
        }
        if visit.depth == 0 {
            return (material(visit.position), Dependence::NONE);
        }
        if let Some(found) = self.recall(visit) {
            return found;
        }
        let (value, best_move, dependence) = self.try_moves(visit, self.in_order(visit, &moves));
        let bound = bound_of(value, visit);
        let dependence = dependence.of_bound(bound);
        if self.nodes < self.limit {
            let outside = self.outside(visit, dependence);
            self.remember(visit, (value, bound, best_move), outside);
        }
        (value, dependence)
    }

    fn try_moves(
        &mut self,
        visit: &Visit<'_>,
        moves: Vec<Move>,
    ) -> (i32, Option<Move>, Dependence) {
        let (mut best, mut best_move, mut alpha) = (-INFINITE, None, visit.alpha);
        let mut dependence = Dependence::NONE;
        for m in moves {
            let position = visit.position.after(m);
            let child = Visit {
                position: &position,
                depth: visit.depth - 1,
                alpha: -visit.beta,
                beta: -alpha,
                ply: visit.ply + 1,
            };
            self.enter(&position);
            let (value, child) = self.search(&child);
            self.leave();
            let (value, child) = (-value, child.reversed());
            dependence = dependence.and_move(child);
            if value > best {
                best = value;
                // Of a failure only "at most" is claimed.
                dependence = dependence.with_lower(child.lower());
                best_move = (value > alpha).then_some(m).or(best_move);
            }
            alpha = alpha.max(value);
            if alpha >= visit.beta {
                break;
            }
        }
        (best, best_move, dependence)
    }

    fn enter(&mut self, position: &Position) {
        let key = position.key().0;
        let is_reversible = position.halfmove_clock() != 0;
        let before = if is_reversible { self.paths.last().copied().unwrap_or(0) } else { 0 };
        self.paths.push(before.wrapping_add(mixed(key)));
        self.history.push(ZobristKey(key), is_reversible);
    }

    fn leave(&mut self) {
        self.paths.pop();
        self.history.pop();
    }

    fn head(&self, plies: usize) -> Head {
        Head::at(self.history.plies() - plies)
    }

    fn outside(&self, visit: &Visit<'_>, dependence: Dependence) -> Dependence {
        let is_open = self.assumed_draws.get(&visit.ply) == Some(&false);
        match self.policy() {
            Some(PathPolicy::Refuse) => dependence,
            Some(PathPolicy::Muller) if is_open => dependence,
            _ => dependence.outside(self.history.plies()),
        }
    }

    fn key(&self, visit: &Visit<'_>) -> u64 {
        let key = visit.position.key().0;
        match self.memory {
            Memory::Positions(_) => key,
            Memory::Paths => mixed(key ^ mixed(self.paths.last().copied().unwrap_or(0))),
        }
    }

    /// What the table says, if that settles the node.
    fn recall(&mut self, visit: &Visit<'_>) -> Option<(i32, Dependence)> {
        // A repetition that is being settled is not settled by what was found without.
        if self.assumed_draws.contains_key(&visit.ply) {
            return None;
        }
        let found = *self.table.get(&(self.key(visit), visit.depth))?;
        let is_lower = found.value >= visit.beta && found.bound.is_lower();
        let is_upper = found.value <= visit.alpha && found.bound.is_upper();
        let (value, mark, bound) = (found.value, found.dependence, found.bound);
        if !is_lower && !is_upper && bound != Bound::Exact {
            return None;
        }
        if self.policy() == Some(PathPolicy::Guard) && self.lets_repeat(visit, &found) {
            self.counts.guarded += 1;
            return None;
        }
        let is_tainted = (bound.is_lower() && mark.lower()) || (bound.is_upper() && mark.upper());
        let Some(policy) = self.policy().filter(|_| is_tainted) else {
            return Some((value, Dependence::NONE));
        };
        let Some(head) = policy.find(&self.history, mark) else {
            self.counts.refused += 1;
            return None;
        };
        self.counts.accepted += 1;
        Some((value, Dependence::on(head).of_bound(bound)))
    }

    /// Whether a value is better than a draw, and its first move lets the other side repeat.
    fn lets_repeat(&mut self, visit: &Visit<'_>, found: &Remembered) -> bool {
        let Some(m) = found.best_move.filter(|_| found.value > 0 && found.bound.is_lower()) else {
            return false;
        };
        let position = visit.position.after(m);
        if position.halfmove_clock() == 0 {
            return false;
        }
        self.enter(&position);
        let ply = visit.ply + 1;
        let now = self.history.with_occupied(position.occupied().0);
        let is_draw = |plies| self.history.return_is_draw(plies, ply);
        // The reply is searched only if a ply is left for it.
        let lets_repeat = self.history.is_draw_by_repetition(ply)
            || visit.depth >= 2 && CYCLES.upcoming_repetition(&now, is_draw).is_some();
        self.leave();
        lets_repeat
    }

    fn remember(
        &mut self,
        visit: &Visit<'_>,
        (value, bound, best_move): (i32, Bound, Option<Move>),
        dependence: Dependence,
    ) {
        self.counts.stores += 1;
        let policy = self.policy().filter(|_| dependence.is_some());
        self.counts.tainted_stores += u64::from(policy.is_some());
        let dependence = match policy {
            Some(PathPolicy::Muller) => return,
            Some(policy) => policy.mark(&self.history, dependence),
            None => PathDependence::NONE,
        };
        let remembered = Remembered { value, bound, best_move, dependence };
        self.table.insert((self.key(visit), visit.depth), remembered);
    }

    /// Captures first, and before them the move that was best one ply less deep.
    fn in_order(&self, visit: &Visit<'_>, moves: &[Move]) -> Vec<Move> {
        let shallower = visit.depth.saturating_sub(1);
        let known = self.table.get(&(self.key(visit), shallower)).and_then(|found| found.best_move);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|&m| (Some(m) != known, !m.is_noisy(), m.bits()));
        moves
    }
}

fn bound_of(value: i32, visit: &Visit<'_>) -> Bound {
    if value <= visit.alpha {
        Bound::Upper
    } else if value >= visit.beta {
        Bound::Lower
    } else {
        Bound::Exact
    }
}

/// What the side to move has more than the other.
fn material(position: &Position) -> i32 {
    let values = SeeValues::default();
    let of = |color: Color| -> i32 {
        Role::ALL
            .into_iter()
            .filter(|&role| role != Role::King)
            .map(|role| values.of(role) * position.pieces(color, role).count() as i32)
            .sum()
    };
    of(position.turn()) - of(!position.turn())
}
