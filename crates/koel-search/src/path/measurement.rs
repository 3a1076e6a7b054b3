//! Counts of path-dependent scores.

/// Counts of path-dependent scores, over the searches of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// Scores stored in the transposition table.
    pub stores: u64,
    /// Stored scores that were path-dependent.
    pub dependent_stores: u64,
    /// Path-dependent table scores that allowed a cutoff and were accepted.
    pub accepted: u64,
    /// Path-dependent table scores that allowed a cutoff and were refused.
    pub refused: u64,
    /// Third occurrences that the policy [`Muller`](super::PathPolicy::Muller) reached.
    pub third_occurrences: u64,
    /// Second occurrences that it searched again.
    pub searched_again: u64,
    /// Nodes at which alpha was raised by the no-progress rule, or which it reduced.
    pub no_progress: u64,
    /// Nodes that the no-progress rule cut off.
    pub no_progress_cutoffs: u64,
}
