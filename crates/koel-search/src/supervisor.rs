//! The search's only window to the world.

use std::ops::ControlFlow;

use koel_board::Move;
use koel_tt::Bound;

use crate::score::{Depth, Score};

/// Watches a search and says when to end it. It has the clock and the output, if anyone has.
///
/// All methods have defaults that let a search run to its depth in silence.
pub trait Supervisor {
    /// Whether to break off now. It is asked every thousand nodes or so.
    fn must_stop(&mut self, progress: &Progress) -> bool {
        let _ = progress;
        false
    }

    /// The most nodes that this worker may search, kept exactly. Asked as often as
    /// [`must_stop`](Self::must_stop), and when the search begins.
    fn node_limit(&self) -> u64 {
        u64::MAX
    }

    /// An iteration is complete: this is called for each principal variation, the best first.
    /// `Break` lets no other iteration begin.
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        let _ = report;
        ControlFlow::Continue(())
    }

    /// A score was outside the aspiration window: the report gives a bound, and the iteration is
    /// repeated with a wider one.
    fn report_bound(&mut self, report: &Report<'_>) {
        let _ = report;
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Nodes of this worker.
    pub nodes: u64,
    /// The last complete iteration; 0 in the first.
    pub completed: Depth,
}

/// The result of an iteration, or a bound on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report<'a> {
    /// Which principal variation this is, the best being 1.
    pub multi_pv: usize,
    /// The iteration.
    pub depth: Depth,
    /// The longest line of a principal variation so far, in plies.
    pub selective_depth: usize,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// How the score relates to the truth at this depth.
    pub bound: Bound,
    /// The principal variation, never empty: legal moves, ended by the one that draws or mates if
    /// there is such a move.
    pub pv: &'a [Move],
    /// Nodes of this worker.
    pub nodes: u64,
    /// Those of them behind the first move of `pv`, in this search.
    pub move_nodes: u64,
}
