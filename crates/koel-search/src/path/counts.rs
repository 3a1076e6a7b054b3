//! How often scores rested on the path, and what became of them.

/// How often scores rested on the path, and what became of them, in the searches of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// Scores that were remembered.
    pub stores: u64,
    /// Those that rested on the path.
    pub tainted_stores: u64,
    /// Remembered scores that rested on a path and would have ended a node, and were believed.
    pub accepted: u64,
    /// Those that were not.
    pub refused: u64,
    /// Scores better than a draw that were not believed, because the other side could repeat.
    pub guarded: u64,
    /// Muller's policy: third occurrences that were reached.
    pub third_occurrences: u64,
    /// Second occurrences that were searched once more.
    pub searched_again: u64,
    /// Draws that this confirmed, and which were remembered.
    pub confirmed: u64,
    /// Those from which a side broke out.
    pub refuted: u64,
    /// Nodes at which alpha was raised for want of progress.
    pub no_progress: u64,
    /// Nodes that this ended.
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
