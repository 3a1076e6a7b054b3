//! One search: a worker at work, and the way into a node.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::node::Node;
use crate::root::Root;
use crate::score::{Depth, MAX_PLY, Score};
use crate::shared::Shared;
use crate::supervisor::Supervisor;
use crate::worker::Worker;

/// What a search owns while it lasts.
pub(crate) struct Search<'a> {
    pub(crate) worker: &'a mut Worker,
    pub(crate) shared: &'a Shared,
    pub(crate) supervisor: &'a mut dyn Supervisor,
    pub(crate) root: Root,
    pub(crate) nodes: u64,
    /// At this number of nodes the supervisor is asked.
    pub(crate) next_check: u64,
    pub(crate) is_stopped: bool,
    /// The last complete iteration.
    pub(crate) completed: Depth,
    /// The longest principal variation of this iteration, in plies.
    pub(crate) selective_depth: usize,
}

/// What sort of node this is, known when the code is compiled.
pub(crate) trait Kind {
    /// Whether the node is where the search begins.
    const ROOT: bool = false;
    /// Whether the node's exact score may matter: its window is open.
    const PV: bool = false;
}

/// The position to move in.
pub(crate) struct AtRoot;
/// On the principal variation, as far as is known.
pub(crate) struct Principal;
/// Beside it: only the question is asked whether a score is reached.
pub(crate) struct Scout;

impl Kind for AtRoot {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl Kind for Principal {
    const PV: bool = true;
}
impl Kind for Scout {}

impl Search<'_> {
    /// Searches a node: with its moves, or with captures alone when no depth is left.
    ///
    /// After a stop the score means nothing; [`leave_if_stopped`](Self::leave_if_stopped) is to be
    /// called before it is used.
    pub(crate) fn enter<K: Kind>(&mut self, mut node: Node<'_>) -> Score {
        if K::PV {
            self.worker.stack[node.ply].line.clear();
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        let end = if node.ply >= MAX_PLY {
            Break(node.evaluate())
        } else if K::ROOT || node.depth > Depth(0) {
            self.visit::<K>(&mut node)
        } else {
            self.quiesce::<K>(&mut node)
        };
        match end {
            Break(score) | Continue(score) => score,
        }
    }

    /// Draws are worth a little more or less by turns, so that the search does not go blind
    /// among many draws that all look alike.
    #[inline]
    pub(crate) fn draw_score(&self) -> Score {
        Score::DRAW + (self.nodes & 2) as i32 - 1
    }

    /// Leaves a node whose child was broken off.
    #[inline]
    pub(crate) fn leave_if_stopped(&self) -> ControlFlow<Score> {
        if self.is_stopped { Break(Score::DRAW) } else { Continue(()) }
    }
}
