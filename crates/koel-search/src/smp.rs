//! How threads that search the same position share it, and what came of that.

use std::ops::{Add, AddAssign};

/// How threads that search the same position keep out of each other's way. With one thread all
/// modes are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum SmpMode {
    /// Not at all: they meet in the table alone. (Lazy SMP.)
    #[default]
    Lazy,
    /// Moves that another thread is searching are put off. (Simplified ABDADA, Kerrigan 2013.)
    Abdada,
    /// Late moves of a node that another thread is in are reduced more. (Breadcrumbs, Stockfish
    /// 2019.)
    Breadcrumbs,
}

impl SmpMode {
    /// All of them.
    pub const ALL: [SmpMode; 3] = [SmpMode::Lazy, SmpMode::Abdada, SmpMode::Breadcrumbs];
}

/// What a worker saw of the others. Nodes are those of six plies of depth and more whose moves were
/// looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SmpCounts {
    /// Nodes entered; counted only where this was [asked for](crate::Shared::set_smp_mode), or
    /// with breadcrumbs.
    pub entered: u64,
    /// Nodes that another thread was in, searching them about as deep.
    pub duplicate: u64,
    /// Moves that were put off.
    pub deferred: u64,
    /// Nodes that were over when such a move's turn came, by the word of another thread.
    pub cutoffs: u64,
    /// Nodes whose alpha was raised in that way.
    pub raised: u64,
}

impl SmpCounts {
    /// The share of the nodes that another thread was in.
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
            raised: self.raised + other.raised,
        }
    }
}

impl AddAssign for SmpCounts {
    fn add_assign(&mut self, other: SmpCounts) {
        *self = *self + other;
    }
}
