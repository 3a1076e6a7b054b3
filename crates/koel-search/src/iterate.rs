//! The loop around the search: one ply deeper each time, as long as there is time.

use koel_board::{Move, Position};
use koel_eval::Evaluator;
use koel_tt::Bound;

use crate::node::{Node, Task};
use crate::params::aspiration;
use crate::score::{Depth, Score};
use crate::search::{AtRoot, Search};
use crate::supervisor::Report;
use crate::window::Window;

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
