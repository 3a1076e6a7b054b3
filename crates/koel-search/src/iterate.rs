//! Iterative deepening and aspiration windows.

use std::ops::ControlFlow::{Break, Continue};

use koel_board::{Game, Move, Position};
use koel_tt::Bound;

use crate::limits::Limits;
use crate::node::{Node, SearchArgs};
use crate::path::{PathScore, game_salt};
use crate::root_moves::{RootMove, RootMoves};
use crate::score::{Depth, MAX_PLY, Score};
use crate::search::{Root, Search};
use crate::shared::Shared;
use crate::steps::deferral_min_depth;
use crate::supervisor::{Report, Supervisor};
use crate::tt::tt_key;
use crate::window::Window;
use crate::worker::Worker;

declare! {
    aspiration = true;
    /// Aspiration windows, in centipawns.
    aspiration {
        /// The least depth of an iteration with a narrow window.
        min_depth = 4 in 2..=10;
        /// Half the width of the first window.
        margin = 14 in 5..=100;
        /// The growth of the window after a fail high or low, in percent.
        growth = 67 in 10..=300;
        /// The largest half-width; beyond it the window is full.
        max_margin = 500 in 100..=2000;
        /// The largest reduction of the depth after fail highs, in plies.
        max_depth_reduction = 3 in 0..=6;
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play: a legal move if there is one, however short the search.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score from the view of the side to move: the static evaluation if the search ended
    /// before it knew better; without a legal move [`Score::mated_in`] 0 or [`Score::DRAW`].
    pub score: Score,
    /// The bound of the score: a search that is stopped may know a bound only.
    pub bound: Bound,
    /// The last complete iteration; 0 if there is none.
    pub depth: Depth,
    /// The longest line searched as a principal variation when the score was found, in plies.
    pub selective_depth: usize,
    /// The nodes of this worker.
    pub nodes: u64,
    /// The nodes below the best move.
    pub move_nodes: u64,
    /// The principal variation, which begins with the best move.
    pub pv: Vec<Move>,
}

impl SearchResult {
    /// The result as a report of the best line, for searches that were stopped within an
    /// iteration.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        Report {
            multi_pv: 1,
            depth: self.depth,
            selective_depth: self.selective_depth,
            score: self.score,
            bound: self.bound,
            pv: &self.pv,
            nodes: self.nodes,
            move_nodes: self.move_nodes,
        }
    }
}

impl Worker {
    /// Searches the game's current position until the limits or the supervisor end the search.
    ///
    /// Call [`Shared::new_search`] before, once for all workers. Without a legal move nothing is
    /// searched or reported.
    pub fn search(
        &mut self,
        shared: &Shared,
        game: &Game,
        limits: &Limits,
        supervisor: &mut dyn Supervisor,
    ) -> SearchResult {
        let position = game.position();
        let mut search = Search::new(self, shared, game, limits, supervisor);
        let plies = search.worker.repetitions.keys().plies();
        if search.root_moves.best().is_some() {
            search.iterate(position, limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX));
        }
        shared.publish_nodes(search.worker.index, search.nodes);
        let result = search.result(position);
        debug_assert_eq!(self.repetitions.keys().plies(), plies, "a move was not unmade");
        debug_assert!(self.repetitions.is_balanced());
        result
    }
}

impl<'a> Search<'a> {
    /// Prepares a worker for a search of the game's current position.
    pub(crate) fn new(
        worker: &'a mut Worker,
        shared: &'a Shared,
        game: &Game,
        limits: &Limits,
        supervisor: &'a mut dyn Supervisor,
    ) -> Search<'a> {
        let position = game.position();
        worker.repetitions.set_game(game, MAX_PLY + 1);
        worker.evaluator.restart(shared.evaluation(), position);
        worker.stack.clear();
        #[cfg(feature = "tune")]
        worker.reductions.clone_from(&crate::reductions::Reductions::new());
        let rules = shared.path_rules();
        let salt = if rules.salt { game_salt(game) } else { 0 };
        let tt_move = shared.tt.probe(tt_key(position) ^ salt).and_then(|entry| entry.best_move);
        let static_eval = Score::from_centipawns(worker.evaluator.evaluate(position).0);
        let contempt = limits.contempt.clamp(-Limits::MAX_CONTEMPT, Limits::MAX_CONTEMPT);
        Search {
            root_moves: RootMoves::new(game, limits, tt_move, &worker.histories, static_eval),
            tablebases: shared.tablebases_for(limits),
            worker,
            shared,
            supervisor,
            contempt: [contempt, -contempt],
            nodes: 0,
            next_check: 0,
            is_stopped: false,
            iteration: Depth(0),
            completed: Depth(0),
            selective_depth: 0,
            null_move_min_ply: 0,
            deferral_min_depth: deferral_min_depth(shared.workers()),
            rules,
            salt,
            refused_nodes: 0,
        }
    }
}

impl Search<'_> {
    /// Searches one ply deeper each time, until the limit is reached or the search is stopped.
    /// (Iterative deepening.)
    fn iterate(&mut self, position: &Position, limit: Depth) {
        while self.completed < limit {
            self.iteration = self.completed + 1;
            for pv_index in 0..self.root_moves.multi_pv() {
                self.root_moves.pv_index = pv_index;
                self.selective_depth = 0;
                if !self.search_aspiration_window(position, self.iteration) {
                    self.root_moves.restore_iteration();
                    return;
                }
                self.root_moves.finish_pv(self.selective_depth);
            }
            self.root_moves.pv_index = 0;
            self.root_moves.save_iteration();
            self.completed = self.iteration;
            self.shared.publish_nodes(self.worker.index, self.nodes);
            let mut flow = Continue(());
            for (index, root_move) in self.root_moves.pv_moves().iter().enumerate() {
                let report = report(self.completed, index, root_move, self.nodes);
                if self.supervisor.report_iteration(&report).is_break() {
                    flow = Break(());
                }
            }
            if flow.is_break() {
                return;
            }
        }
    }

    /// Searches one iteration with a narrow window around the last score, which allows more
    /// cutoffs. If the score is outside, the search is repeated with a wider window, and less deep
    /// after a fail high. Returns false if the search was stopped. (Aspiration windows.)
    fn search_aspiration_window(&mut self, position: &Position, depth: Depth) -> bool {
        let last = self.root_moves.best().map_or(Score::DRAW, |best| best.score);
        let mut margin = aspiration::margin();
        let is_narrow =
            aspiration() && depth >= Depth(aspiration::min_depth()) && !last.is_decided();
        let mut window = if is_narrow { Window::around(last, margin) } else { Window::full() };
        let mut fail_highs = 0;
        loop {
            let depth = Depth((depth.0 - fail_highs).max(1));
            let args = SearchArgs { window, depth, is_cut_node: false };
            let node = Node::new(position, 0, args);
            // The root has no parent that would need the path dependence.
            let PathScore { score, dependence: _ } = self.search::<Root>(node);
            if self.is_stopped {
                return false;
            }
            let bound = window.bound(score);
            if bound == Bound::Exact {
                return true;
            }
            self.report_failed_window(score, bound);
            margin += margin * aspiration::growth() / 100;
            window = match bound {
                _ if margin > aspiration::max_margin() || score.is_decided() => Window::full(),
                Bound::Upper => {
                    let beta = window.alpha.midway(window.beta);
                    Window { beta, ..Window::around(score, margin) }
                }
                _ => Window { alpha: window.alpha, ..Window::around(score, margin) },
            };
            fail_highs = match bound {
                Bound::Lower => (fail_highs + 1).min(aspiration::max_depth_reduction()),
                _ => 0,
            };
        }
    }

    fn report_failed_window(&mut self, score: Score, bound: Bound) {
        if let Some(best) = self.root_moves.best().filter(|best| !best.is_tablebase_ranked()) {
            let report = Report {
                score,
                bound,
                selective_depth: self.selective_depth,
                ..report(self.iteration, self.root_moves.pv_index, best, self.nodes)
            };
            self.supervisor.report_bound(&report);
        }
    }

    /// The second move of the principal variation. If there is none, that of the table, which is
    /// the best move of an earlier search: a GUI that ponders needs some move.
    fn expected_reply(&self, position: &Position, best: &RootMove) -> Option<Move> {
        if let Some(&m) = best.pv.get(1) {
            return Some(m);
        }
        let position = position.after(best.m);
        let entry = self.shared.tt.probe(self.tt_key(&position, 1))?;
        entry.best_move.filter(|&m| position.is_legal(m))
    }

    /// The result of the search as it stands.
    fn result(&self, position: &Position) -> SearchResult {
        let game_over = if position.is_check() { Score::mated_in(0) } else { Score::DRAW };
        let best = self.root_moves.best();
        SearchResult {
            best_move: best.map(|best| best.m),
            ponder: best.and_then(|best| self.expected_reply(position, best)),
            score: best.map_or(game_over, |best| best.reported_score().0),
            bound: best.map_or(Bound::Exact, |best| best.reported_score().1),
            depth: self.completed,
            selective_depth: best.map_or(0, |best| best.selective_depth),
            nodes: self.nodes,
            move_nodes: best.map_or(0, |best| best.nodes),
            pv: best.map_or_else(Vec::new, |best| best.pv.to_vec()),
        }
    }
}

fn report(depth: Depth, index: usize, root_move: &RootMove, nodes: u64) -> Report<'_> {
    let (score, bound) = root_move.reported_score();
    Report {
        multi_pv: index + 1,
        depth,
        selective_depth: root_move.selective_depth,
        score,
        bound,
        pv: &root_move.pv,
        nodes,
        move_nodes: root_move.nodes,
    }
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;
    use koel_tt::Entry;

    use super::*;
    use crate::path::PathMark;

    fn random_entry(rng: &mut Rng) -> Entry<Move, PathMark> {
        let bits = rng.next_u64();
        Entry {
            best_move: Some(Move::from_bits(bits as u16)),
            score: (bits >> 16) as i16,
            static_eval: Some((bits >> 32) as i16),
            depth: (bits >> 48) as u8 % 12,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 56) as usize % 3],
            is_pv: bits >> 63 != 0,
            payload: PathMark::NONE,
        }
    }

    fn fill(shared: &Shared, position: &Position, plies: usize, rng: &mut Rng) {
        shared.tt.store(position.key().0, random_entry(rng));
        if plies > 0 {
            for m in position.legal_moves() {
                fill(shared, &position.after(m), plies - 1, rng);
            }
        }
    }

    #[test]
    fn a_table_of_random_entries_breaks_nothing() {
        let mut rng = Rng::new(99);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            for _ in 0..8 {
                let shared = Shared::new(4, 1).unwrap();
                fill(&shared, game.position(), 3, &mut rng);
                shared.limit_nodes(20_000);
                let limits = Limits::default();
                let result = Worker::new(0).search(&shared, &game, &limits, &mut ());
                let mut line = game.clone();
                for &m in &result.pv {
                    line.play(m).unwrap();
                }
                let Some(best_move) = result.best_move else { break };
                game.play(best_move).unwrap();
            }
        }
    }
}
