//! The interface between a search and its environment.

use std::ops::ControlFlow;

use koel_board::Move;
use koel_tt::Bound;

use crate::score::{Depth, Score};

/// The environment of a search: it stops the search and receives its reports. Clock and output
/// belong to implementations.
/// By default a search runs to its depth without output.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use koel_board::Game;
/// use koel_search::{Limits, Report, Searcher, Supervisor};
///
/// /// Ends the search when the same move was the best in four iterations.
/// #[derive(Default)]
/// struct Steady(Vec<koel_board::Move>);
///
/// impl Supervisor for Steady {
///     fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
///         self.0.extend(report.pv.first());
///         match self.0.last_chunk() {
///             Some([a, b, c, d]) if a == b && b == c && c == d => ControlFlow::Break(()),
///             _ => ControlFlow::Continue(()),
///         }
///     }
/// }
///
/// let mut searcher = Searcher::new(16, Default::default())?;
/// let mut steady = Steady::default();
/// let limits = Limits::to_depth(12);
/// let result = searcher.search_with(&Game::default(), &limits, u64::MAX, &mut steady);
/// assert_eq!(result.best_move, steady.0.last().copied());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Supervisor {
    /// Returns true if the search is to stop now. Called about every thousand nodes.
    fn must_stop(&mut self, progress: &Progress) -> bool {
        let _ = progress;
        false
    }

    /// Receives the report of a complete iteration, once for each principal variation, the best
    /// first. After `Break` no other iteration begins.
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        let _ = report;
        ControlFlow::Continue(())
    }

    /// Receives the root move that an iteration searches next; `number` counts from 1.
    fn report_root_move(&mut self, depth: Depth, m: Move, number: usize) {
        let _ = (depth, m, number);
    }

    /// Receives a bound when the score was outside the aspiration window. The search is
    /// repeated with a wider one.
    fn report_bound(&mut self, report: &Report<'_>) {
        let _ = report;
    }
}

/// Never stops a search: it ends at its limits, or by [`Shared::stop`](crate::Shared::stop).
impl Supervisor for () {}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The nodes of this worker.
    pub nodes: u64,
    /// The last complete iteration; 0 during the first.
    pub completed: Depth,
}

/// The result of an iteration, or a bound on its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report<'a> {
    /// The rank of the principal variation, the best being 1.
    pub multi_pv: usize,
    /// The iteration.
    pub depth: Depth,
    /// The longest line searched as a principal variation so far, in plies.
    pub selective_depth: usize,
    /// The score from the view of the side to move.
    pub score: Score,
    /// The bound of the score.
    pub bound: Bound,
    /// The principal variation, never empty: legal moves, up to the one that draws or mates if
    /// there is one.
    pub pv: &'a [Move],
    /// The nodes of this worker.
    pub nodes: u64,
    /// The nodes below the first move of `pv`, over the whole search.
    pub move_nodes: u64,
}
