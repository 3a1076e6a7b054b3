//! The state of one search thread.

use koel_board::{Game, Position};
use koel_eval::{Evaluation, Evaluator};

use crate::history::Histories;
use crate::path::PathCounts;
use crate::reductions::Reductions;
use crate::repetition_detector::{CycleCounts, RepetitionDetector};
use crate::score::MAX_PLY;
use crate::stack::SearchStack;

const _: () = assert!(MAX_PLY <= Evaluator::MAX_PLIES);

/// The stack size in bytes for threads that search: many times what the deepest line needs (about
/// 1 MiB), even in builds without optimisation.
pub const STACK_BYTES: usize = 16 << 20;

/// One thread of the search, with the state that it keeps from one search to the next. Its thread
/// needs a stack of [`STACK_BYTES`].
pub struct Worker {
    pub(crate) index: usize,
    pub(crate) repetitions: RepetitionDetector,
    pub(crate) stack: SearchStack,
    pub(crate) histories: Histories,
    pub(crate) evaluator: Evaluator,
    pub(crate) reductions: Reductions,
    pub(crate) path_counts: PathCounts,
}

impl Worker {
    /// A worker that counts its nodes under this index of [`Shared`](crate::Shared).
    #[must_use]
    pub fn new(index: usize) -> Worker {
        Worker {
            index,
            repetitions: RepetitionDetector::new(&Game::default(), MAX_PLY + 1),
            stack: SearchStack::new(),
            histories: Histories::new(),
            evaluator: Evaluator::new(&Evaluation::default(), &Position::start()),
            reductions: Reductions::new(),
            path_counts: PathCounts::default(),
        }
    }

    /// Resets all state, as for a new game.
    pub fn reset(&mut self) {
        // In place, as it is done before every game of self-play.
        self.repetitions.set_game(&Game::default(), MAX_PLY + 1);
        self.repetitions.reset_counts();
        self.stack.clear();
        self.histories.clear();
        self.path_counts = PathCounts::default();
    }

    /// The counts of repetition detection since the worker was created or last
    /// [`reset`](Self::reset).
    #[must_use]
    pub fn cycle_counts(&self) -> CycleCounts {
        self.repetitions.counts()
    }

    /// The counts of path-dependent scores since the worker was created or last
    /// [`reset`](Self::reset).
    #[must_use]
    pub fn path_counts(&self) -> PathCounts {
        self.path_counts
    }
}
