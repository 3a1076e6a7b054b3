//! The loop around the search: one ply deeper each time, as long as there is time.

use koel_board::{Game, Move, Position};
use koel_eval::Evaluator;
use koel_tt::Bound;

use crate::limits::Limits;
use crate::node::{Node, Task};
use crate::params::aspiration;
use crate::root::Root;
use crate::score::{Depth, MAX_PLY, Score};
use crate::search::{AtRoot, Search};
use crate::shared::Shared;
use crate::supervisor::{Report, Supervisor};
use crate::window::Window;
use crate::worker::Worker;

/// What a search ended with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play: legal, and there if there is any legal move, however short the search.
    pub best_move: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move. Without a legal move it is
    /// [`Score::mated_in`] 0 or [`Score::DRAW`].
    pub score: Score,
    /// The last complete iteration; 0 if there is none.
    pub depth: Depth,
    /// Nodes of this worker.
    pub nodes: u64,
    /// The principal variation, which begins with the best move.
    pub pv: Vec<Move>,
}

impl Worker {
    /// Searches the game's present position until the limits or the supervisor end it.
    ///
    /// Call [`Shared::new_search`] before, once for all workers. Without a legal move nothing is
    /// searched or reported.
    pub fn search(
        &mut self,
        shared: &Shared,
        game: &Game,
        limits: &Limits,
        supervisor: &mut dyn Supervisor,
    ) -> Outcome {
        let position = game.position();
        self.timeline.set_game(game, MAX_PLY + 1);
        self.stack.clear();
        let plies = self.timeline.history().plies();
        let mut search = Search {
            root: Root::new(game, limits, shared, &self.quiet_history),
            worker: self,
            shared,
            supervisor,
            nodes: 0,
            next_check: 0,
            is_stopped: false,
            completed: Depth(0),
            selective_depth: 0,
        };
        if search.root.best_move().is_some() {
            search.iterate(position, limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX));
        } else if position.is_check() {
            search.root.score = Score::mated_in(0);
        }
        shared.publish_nodes(search.worker.index, search.nodes);
        let outcome = search.outcome();
        debug_assert_eq!(self.timeline.history().plies(), plies, "a move was not taken back");
        debug_assert!(self.timeline.is_balanced());
        outcome
    }
}

impl Search<'_> {
    /// Searches deeper and deeper until the limit, the supervisor or a stop. (Iterative deepening.)
    pub(crate) fn iterate(&mut self, position: &Position, limit: Depth) {
        let mut depth = Depth(1);
        while depth <= limit {
            self.selective_depth = 0;
            let Some(score) = self.aspire(position, depth) else { return };
            self.root.score = score;
            self.completed = depth;
            self.shared.publish_nodes(self.worker.index, self.nodes);
            let report = Report {
                depth,
                selective_depth: self.selective_depth,
                score,
                bound: Bound::Exact,
                pv: &self.root.line,
                nodes: self.nodes,
            };
            if self.supervisor.iteration(&report).is_break() {
                return;
            }
            depth = depth + 1;
        }
    }

    /// One iteration, with a narrow window about the last score: more is cut, and it is done again
    /// with a wider one if the score was outside. `None` if it was stopped. (Aspiration windows.)
    fn aspire(&mut self, position: &Position, depth: Depth) -> Option<Score> {
        let evaluator = Evaluator::new(position);
        let last = self.root.score;
        let mut margin = aspiration::margin();
        let is_narrow = depth >= Depth(aspiration::from_depth()) && !last.is_mate();
        let mut window = if is_narrow { Window::around(last, margin) } else { Window::full() };
        loop {
            let task = Task { window, depth, is_cut: false };
            let score = self.enter::<AtRoot>(Node::new(position, evaluator, 0, task));
            if self.is_stopped {
                return None;
            }
            let bound = window.bound(score);
            if bound == Bound::Exact {
                return Some(score);
            }
            let report = Report {
                depth,
                selective_depth: self.selective_depth,
                score,
                bound,
                pv: &self.root.line,
                nodes: self.nodes,
            };
            self.supervisor.outside_window(&report);
            margin += margin * aspiration::growth() / 100;
            window = match bound {
                _ if margin > aspiration::widest() || score.is_mate() => Window::full(),
                Bound::Upper => {
                    let beta = window.alpha.midway(window.beta);
                    Window { beta, ..Window::around(score, margin) }
                }
                _ => Window { alpha: window.alpha, ..Window::around(score, margin) },
            };
        }
    }

    /// What the search ended with.
    pub(crate) fn outcome(&self) -> Outcome {
        Outcome {
            best_move: self.root.best_move(),
            ponder: self.root.line.get(1).copied(),
            score: self.root.score,
            depth: self.completed,
            nodes: self.nodes,
            pv: self.root.line.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_tt::{PathDependence, Record};

    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn record(&mut self) -> Record<Move> {
            let bits = self.next();
            Record {
                best_move: Some(Move::from_bits(bits as u16)),
                score: (bits >> 16) as i16,
                static_eval: Some((bits >> 32) as i16),
                depth: (bits >> 48) as u8 % 12,
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 56) as usize % 3],
                was_pv: bits >> 63 != 0,
                dependence: PathDependence::NONE,
            }
        }
    }

    fn fill(shared: &Shared, position: &Position, plies: usize, random: &mut Random) {
        shared.table.store(position.key().0, random.record());
        if plies > 0 {
            for m in position.legal_moves() {
                fill(shared, &position.after(m), plies - 1, random);
            }
        }
    }

    struct Unwatched;

    impl Supervisor for Unwatched {
        fn node_limit(&self) -> u64 {
            20_000
        }
    }

    #[test]
    fn a_table_full_of_lies_misleads_but_breaks_nothing() {
        let mut random = Random(99);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            for _ in 0..8 {
                let shared = Shared::new(4, 1).unwrap();
                fill(&shared, game.position(), 3, &mut random);
                let limits = Limits::default();
                let outcome = Worker::new(0).search(&shared, &game, &limits, &mut Unwatched);
                let mut line = game.clone();
                for &m in &outcome.pv {
                    line.play(m).unwrap();
                }
                let Some(best_move) = outcome.best_move else { break };
                game.play(best_move).unwrap();
            }
        }
    }
}
