//! The modes in which threads share a search, and their counts.

use std::ops::{Add, AddAssign};

/// A mode in which threads share the search of a position. With one thread all modes are the
/// same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub enum SmpMode {
    /// Threads share the transposition table only. (Lazy SMP.)
    #[default]
    Lazy,
    /// Moves that another thread is searching are deferred. (Simplified ABDADA, Kerrigan 2013.)
    Abdada,
    /// Late moves are reduced more in nodes that another thread is searching. (Breadcrumbs,
    /// Stockfish 2019.)
    Breadcrumbs,
}

impl SmpMode {
    /// All modes.
    pub const ALL: [SmpMode; 3] = [SmpMode::Lazy, SmpMode::Abdada, SmpMode::Breadcrumbs];
}

/// Counts of how the threads met, in nodes of depth 6 and more whose moves were searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SmpCounts {
    /// Nodes entered. Counted only if [requested](crate::Shared::set_smp_mode), or with
    /// breadcrumbs.
    pub entered: u64,
    /// Nodes that another thread was searching to about the same depth.
    pub duplicate: u64,
    /// Moves that were deferred.
    pub deferred: u64,
    /// Nodes cut off by another thread's table score before a deferred move.
    pub cutoffs: u64,
    /// Subtrees that were left because another thread had refuted a node above.
    pub ancestor_cutoffs: u64,
    /// Nodes whose alpha was raised by another thread's table score before a deferred move.
    pub raised: u64,
}

impl SmpCounts {
    /// The share of nodes that another thread was searching too.
    #[must_use]
    pub fn duplicate_share(&self) -> f64 {
        self.duplicate as f64 / self.entered.max(1) as f64
    }
}

impl Add for SmpCounts {
    type Output = SmpCounts;

    fn add(self, other: SmpCounts) -> SmpCounts {
        SmpCounts {
            entered: self.entered + other.entered,
            duplicate: self.duplicate + other.duplicate,
            deferred: self.deferred + other.deferred,
            cutoffs: self.cutoffs + other.cutoffs,
            ancestor_cutoffs: self.ancestor_cutoffs + other.ancestor_cutoffs,
            raised: self.raised + other.raised,
        }
    }
}

impl AddAssign for SmpCounts {
    fn add_assign(&mut self, other: SmpCounts) {
        *self = *self + other;
    }
}
