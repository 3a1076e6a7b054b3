//! Measurements of path-dependent scores: counts, and a sample of positions.

use koel_board::Position;

use super::mix;

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
    /// The counts of Muller's policy.
    pub muller: MullerCounts,
    /// Nodes at which alpha was raised by the no-progress rule, or which it reduced.
    pub no_progress: u64,
    /// Nodes that the no-progress rule cut off.
    pub no_progress_cutoffs: u64,
}

/// Counts of the policy [`Muller`](super::PathPolicy::Muller).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MullerCounts {
    /// Third occurrences that were reached.
    pub third_occurrences: u64,
    /// Second occurrences that were searched again.
    pub searched_again: u64,
}

impl std::ops::AddAssign for PathCounts {
    fn add_assign(&mut self, other: PathCounts) {
        self.stores += other.stores;
        self.dependent_stores += other.dependent_stores;
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.muller.third_occurrences += other.muller.third_occurrences;
        self.muller.searched_again += other.muller.searched_again;
        self.no_progress += other.no_progress;
        self.no_progress_cutoffs += other.no_progress_cutoffs;
    }
}

/// A sample of the positions of a search, spread over the whole of it: about one in sixteen is
/// taken, chosen by its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// The capacity is reserved beforehand and never exceeded.
    positions: Vec<Position>,
}

impl Sample {
    /// A sample of at most `capacity` positions.
    pub(crate) fn with_capacity(capacity: usize) -> Sample {
        Sample { positions: Vec::with_capacity(capacity) }
    }

    /// Takes the position into the sample if it is chosen and there is room.
    #[inline]
    pub(crate) fn offer(&mut self, position: &Position) {
        let has_room = self.positions.len() < self.positions.capacity();
        if has_room && mix(position.key().0).is_multiple_of(16) {
            self.positions.push(position.clone());
        }
    }

    /// Takes the positions out. The sample is closed afterwards.
    pub(crate) fn take(&mut self) -> Vec<Position> {
        std::mem::take(&mut self.positions)
    }
}
