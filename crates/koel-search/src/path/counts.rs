//! Counts of path-dependent scores.

/// Counts of path-dependent scores, over the searches of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// Scores stored in the transposition table.
    pub stores: u64,
    /// Stored scores that were path-dependent.
    pub tainted_stores: u64,
    /// Path-dependent table scores that allowed a cutoff and were accepted.
    pub accepted: u64,
    /// Path-dependent table scores that allowed a cutoff and were refused.
    pub refused: u64,
    /// Table scores better than a draw that were refused because the opponent could repeat.
    pub guarded: u64,
    /// Third occurrences that were reached (Muller's policy only, as the next three).
    pub third_occurrences: u64,
    /// Second occurrences that were searched again.
    pub searched_again: u64,
    /// Draws that the second search confirmed, and which were stored.
    pub confirmed: u64,
    /// Draws that the second search refuted: a side deviates.
    pub refuted: u64,
    /// Nodes at which alpha was raised by the no-progress rule.
    pub no_progress: u64,
    /// Nodes that the no-progress rule cut off.
    pub no_progress_cutoffs: u64,
}

impl std::ops::AddAssign for PathCounts {
    fn add_assign(&mut self, other: PathCounts) {
        self.stores += other.stores;
        self.tainted_stores += other.tainted_stores;
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.guarded += other.guarded;
        self.third_occurrences += other.third_occurrences;
        self.searched_again += other.searched_again;
        self.confirmed += other.confirmed;
        self.refuted += other.refuted;
        self.no_progress += other.no_progress;
        self.no_progress_cutoffs += other.no_progress_cutoffs;
    }
}
