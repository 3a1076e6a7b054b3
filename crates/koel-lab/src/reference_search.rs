//! A reference search: plain alpha-beta with a transposition table, for counting the values that
//! a [`PathPolicy`] gets wrong.
//!
//! It searches to a fixed depth without pruning, reductions, extensions, quiescence search and
//! upcoming-repetition detection; the no-progress rule can be switched on. Leaves are evaluated by
//! material, the table causes cutoffs at equal depth only, keeps every entry and has no collisions.
//! The remaining differences in value come from the policy. The true values come from the same
//! search with a table that is keyed by a position together with the set of positions since the
//! last irreversible move; it is right for one root, as the root decides which repetitions draw.

use std::collections::HashMap;

use koel_board::{Color, Game, Move, Position, Role, SeeValues};
use koel_cuckoo::{KeyStack, ZobristKey};
use koel_random::Rng;
use koel_search::{CYCLES, CycleHead, NoProgress, PathDependence, PathMark, PathPolicy};
use koel_tt::Bound;

/// Greater than every value.
const INFINITE: i32 = 1_000_000;

/// The value of being mated is this minus the depth left: an earlier mate is worse.
const MATED: i32 = -100_000;

/// The keys of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableKeys {
    /// The position alone; a policy decides on values that depend on the path.
    Positions(PathPolicy),
    /// The position together with the set of positions before it: never wrong.
    Paths,
}

#[derive(Clone, Copy)]
struct TableEntry {
    value: i32,
    bound: Bound,
    best_move: Option<Move>,
    mark: PathMark,
}

/// The arguments of a node.
#[derive(Clone, Copy)]
struct Node<'a> {
    position: &'a Position,
    depth: u32,
    alpha: i32,
    beta: i32,
    ply: usize,
    /// The dependence of the draw that the no-progress rule grants the side to move, if it does.
    granted: Option<CycleHead>,
}

/// The search and its table. Search a position to depths 1, 2, 3 and so on, as iterative deepening
/// does.
pub(crate) struct ReferenceSearch {
    table_keys: TableKeys,
    no_progress: NoProgress,
    table: HashMap<(u64, u32), TableEntry>,
    keys: KeyStack,
    /// For each ply, the sum of the hashed keys since the last irreversible move.
    path_sums: Vec<u64>,
    /// Changes the keys until an irreversible move, if positions of the game have occurred twice.
    salt: u64,
    /// For each ply of a second occurrence that is being searched: true if its third occurrence
    /// is taken for a draw.
    assumed_draws: HashMap<usize, bool>,
    nodes: u64,
    /// The nodes at which the no-progress rule raised alpha.
    raised: u64,
    limit: u64,
}

impl ReferenceSearch {
    /// Creates a search with an empty table, without the no-progress rule.
    pub(crate) fn new(table_keys: TableKeys) -> ReferenceSearch {
        ReferenceSearch::with_rule(table_keys, NoProgress::Off)
    }

    /// Creates a search with an empty table.
    pub(crate) fn with_rule(table_keys: TableKeys, no_progress: NoProgress) -> ReferenceSearch {
        ReferenceSearch {
            table_keys,
            no_progress,
            table: HashMap::new(),
            keys: KeyStack::new(ZobristKey(0), 64),
            path_sums: Vec::new(),
            salt: 0,
            assumed_draws: HashMap::new(),
            nodes: 0,
            raised: 0,
            limit: 0,
        }
    }

    /// Returns the value of the current position of a game in centipawns of material for the side
    /// to move, `depth` plies deep; `None` if the search takes more nodes than `limit`.
    pub(crate) fn value(&mut self, game: &Game, depth: u32, limit: u64) -> Option<i32> {
        self.set_game(game);
        self.limit = self.nodes + limit;
        let (alpha, beta) = (-INFINITE, INFINITE);
        let root = Node { position: game.position(), depth, alpha, beta, ply: 0, granted: None };
        let (value, _) = self.search(&root);
        (self.nodes < self.limit).then_some(value)
    }

    /// Returns the best move that a search of the position searched last has found, so many plies
    /// deep.
    pub(crate) fn best_move(&self, game: &Game, depth: u32) -> Option<Move> {
        self.table.get(&(self.key(game.position(), 0), depth))?.best_move
    }

    fn set_game(&mut self, game: &Game) {
        let key = game.start().key().0;
        self.keys.restart(ZobristKey(key));
        self.path_sums = vec![mixed(key)];
        game.positions().skip(1).for_each(|position| self.make_move(&position));
        let repeated = (0..=self.keys.reversible_plies())
            .filter(|&plies| self.keys.is_repeated(plies))
            .map(|plies| mixed(self.keys.key(plies).0));
        self.salt = repeated.fold(0, |salt, key| salt ^ key);
    }

    /// Returns the nodes of all searches so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of nodes so far at which the no-progress rule raised alpha.
    pub(crate) fn raised(&self) -> u64 {
        self.raised
    }

    fn policy(&self) -> Option<PathPolicy> {
        match self.table_keys {
            TableKeys::Positions(policy) => Some(policy),
            TableKeys::Paths => None,
        }
    }

    /// Returns the value and its path dependence.
    fn search(&mut self, node: &Node<'_>) -> (i32, PathDependence) {
        self.nodes += 1;
        if self.nodes >= self.limit {
            return (0, PathDependence::NONE);
        }
        if self.keys.is_draw_by_repetition(node.ply) {
            let plies = self.keys.previous_occurrence().unwrap_or_default();
            if self.policy() != Some(PathPolicy::Muller) || plies >= node.ply {
                return (0, PathDependence::on(self.head(plies)));
            }
            return self.search_repetition(node, plies);
        }
        let mut node = *node;
        let (value, dependence) = match self.raise_alpha(&mut node) {
            Some(cutoff) => cutoff,
            None => self.search_node(&node),
        };
        (value, self.outside(&node, dependence))
    }

    /// Raises alpha to a draw by the no-progress rule, as the step `upcoming_repetition` of the
    /// engine does. Returns the result if that is a cutoff.
    fn raise_alpha(&mut self, node: &mut Node<'_>) -> Option<(i32, PathDependence)> {
        if self.no_progress == NoProgress::Off || node.alpha >= 0 {
            return None;
        }
        let cycle = self.keys.no_progress(&CYCLES, node.position.occupied().0, node.ply)?;
        let is_tracked = self.no_progress == NoProgress::Tracked;
        let head = if is_tracked { self.head(cycle.plies) } else { CycleHead::NONE };
        self.raised += 1;
        (node.alpha, node.granted) = (0, Some(head));
        (node.beta <= 0).then(|| (0, PathDependence::NONE.with_lower(head)))
    }

    /// Searches a repetition by Muller's policy, as the search of the engine does.
    fn search_repetition(&mut self, node: &Node<'_>, plies: usize) -> (i32, PathDependence) {
        if self.keys.occurrences() >= 3 {
            let is_open = self.assumed_draws.get(&(node.ply - plies)) == Some(&false);
            let value = if is_open { material(node.position) } else { 0 };
            return (value, PathDependence::on(self.head(plies)));
        }
        let here = self.head(0);
        let depends_on_here =
            |dependence: PathDependence| dependence.lower() == here || dependence.upper() == here;
        self.assumed_draws.insert(node.ply, false);
        let (mut value, mut dependence) = self.search_node(node);
        if depends_on_here(dependence) {
            self.assumed_draws.insert(node.ply, true);
            (value, dependence) = self.search_node(node);
        }
        self.assumed_draws.remove(&node.ply);
        (value, self.outside(node, dependence))
    }

    /// Searches a node that is no repetition. The value may depend on the position itself, when
    /// this is a second occurrence.
    fn search_node(&mut self, node: &Node<'_>) -> (i32, PathDependence) {
        let moves = node.position.legal_moves();
        if moves.is_empty() {
            let depth = node.depth as i32;
            let value = if node.position.is_check() { MATED - depth } else { 0 };
            return (value, PathDependence::NONE);
        }
        if node.position.is_insufficient_material() {
            return (0, PathDependence::NONE);
        }
        if node.depth == 0 {
            return raised(node, material(node.position), PathDependence::NONE);
        }
        if let Some((value, dependence)) = self.probe_table(node) {
            return raised(node, value, dependence);
        }
        let (value, best_move, dependence) = self.search_moves(node, self.ordered(node, &moves));
        let bound = bound_of(value, node);
        let (value, dependence) = raised(node, value, dependence.for_bound(bound));
        if self.nodes < self.limit {
            let outside = self.outside(node, dependence).for_bound(bound);
            self.store(node, (value, bound, best_move), outside);
        }
        (value, dependence)
    }

    fn search_moves(
        &mut self,
        node: &Node<'_>,
        moves: Vec<Move>,
    ) -> (i32, Option<Move>, PathDependence) {
        let (mut best, mut best_move, mut alpha) = (-INFINITE, None, node.alpha);
        let mut dependence = PathDependence::NONE;
        for m in moves {
            let position = node.position.after(m);
            let child = Node {
                position: &position,
                depth: node.depth - 1,
                alpha: -node.beta,
                beta: -alpha,
                ply: node.ply + 1,
                granted: None,
            };
            self.make_move(&position);
            let (value, child) = self.search(&child);
            self.unmake_move();
            let (value, child) = (-value, -child);
            dependence = dependence.with_move(child);
            if value > best {
                best = value;
                // "At least" rests on the best move; `for_bound` drops it if the node fails low.
                dependence = dependence.with_lower(child.lower());
                best_move = (value > alpha).then_some(m).or(best_move);
            }
            alpha = alpha.max(value);
            if alpha >= node.beta {
                break;
            }
        }
        (best, best_move, dependence)
    }

    fn make_move(&mut self, position: &Position) {
        let key = position.key().0;
        let is_reversible = position.halfmove_clock() != 0;
        let before = if is_reversible { self.path_sums.last().copied().unwrap_or(0) } else { 0 };
        self.path_sums.push(before.wrapping_add(mixed(key)));
        self.keys.push(ZobristKey(key), is_reversible);
    }

    fn unmake_move(&mut self) {
        self.path_sums.pop();
        self.keys.pop();
    }

    fn head(&self, plies: usize) -> CycleHead {
        CycleHead::at(self.keys.plies() - plies)
    }

    fn outside(&self, node: &Node<'_>, dependence: PathDependence) -> PathDependence {
        let is_open = self.assumed_draws.get(&node.ply) == Some(&false);
        match self.policy() {
            Some(PathPolicy::Refuse) => dependence,
            Some(PathPolicy::Muller) if is_open => dependence,
            _ => dependence.before(self.keys.plies()),
        }
    }

    fn key(&self, position: &Position, ply: usize) -> u64 {
        let key = position.key().0;
        match self.table_keys {
            TableKeys::Positions(_) if self.keys.reversible_plies() >= ply => key ^ self.salt,
            TableKeys::Positions(_) => key,
            TableKeys::Paths => mixed(key ^ mixed(self.path_sums.last().copied().unwrap_or(0))),
        }
    }

    /// Returns the value of the table entry if it causes a cutoff. The root is always searched: a
    /// return to it is no draw, and was one if an earlier search stored it after its own root.
    fn probe_table(&mut self, node: &Node<'_>) -> Option<(i32, PathDependence)> {
        if node.ply == 0 {
            return None;
        }
        // While a third occurrence is assumed, entries without the assumption do not apply.
        if self.assumed_draws.contains_key(&node.ply) {
            return None;
        }
        let found = *self.table.get(&(self.key(node.position, node.ply), node.depth))?;
        let is_lower = found.value >= node.beta && found.bound.is_lower();
        let is_upper = found.value <= node.alpha && found.bound.is_upper();
        let (value, mark, bound) = (found.value, found.mark, found.bound);
        if !is_lower && !is_upper && bound != Bound::Exact {
            return None;
        }
        let is_marked = (bound.is_lower() && mark.lower()) || (bound.is_upper() && mark.upper());
        let Some(policy) = self.policy().filter(|_| is_marked) else {
            return Some((value, PathDependence::NONE));
        };
        let head = policy.find(&self.keys, mark, node.ply)?;
        Some((value, PathDependence::on(head).for_bound(bound)))
    }

    fn store(
        &mut self,
        node: &Node<'_>,
        (value, bound, best_move): (i32, Bound, Option<Move>),
        dependence: PathDependence,
    ) {
        let mark = match self.policy().filter(|_| dependence.is_some()) {
            Some(PathPolicy::Muller) => return,
            Some(policy) => policy.mark(&self.keys, dependence),
            None => PathMark::NONE,
        };
        let entry = TableEntry { value, bound, best_move, mark };
        self.table.insert((self.key(node.position, node.ply), node.depth), entry);
    }

    /// Orders moves: the best move of the depth below, then captures, then the others.
    fn ordered(&self, node: &Node<'_>, moves: &[Move]) -> Vec<Move> {
        let shallower = node.depth.saturating_sub(1);
        let key = self.key(node.position, node.ply);
        let known = self.table.get(&(key, shallower)).and_then(|found| found.best_move);
        let mut moves = moves.to_vec();
        moves.sort_by_key(|&m| (Some(m) != known, !m.is_noisy(), m.bits()));
        moves
    }
}

/// Raises the value of a node to the draw that the no-progress rule grants.
fn raised(node: &Node<'_>, value: i32, dependence: PathDependence) -> (i32, PathDependence) {
    match node.granted {
        Some(head) if value <= 0 => (0, dependence.with_lower(head)),
        _ => (value, dependence),
    }
}

fn bound_of(value: i32, node: &Node<'_>) -> Bound {
    if value <= node.alpha {
        Bound::Upper
    } else if value >= node.beta {
        Bound::Lower
    } else {
        Bound::Exact
    }
}

/// The material balance for the side to move, in centipawns.
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

/// A hash of a key, so that sums of hashed keys differ from keys.
fn mixed(key: u64) -> u64 {
    Rng::new(key).next_u64()
}

#[cfg(test)]
mod tests;
