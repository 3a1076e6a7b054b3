//! The allocation of the buckets.

use thiserror::Error;

use crate::bucket::Bucket;
use crate::huge_pages::{Pages, advise, fill};

/// The error of a table for which the system gives no memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no memory for a transposition table of {mebibytes} MiB")]
#[non_exhaustive]
pub struct OutOfMemory {
    /// The size that was requested, in MiB.
    pub mebibytes: usize,
}

/// Address space for buckets: reserved, not yet used.
pub(crate) struct Reserved {
    buckets: Vec<Bucket>,
    count: usize,
    pages: Pages,
}

/// Returns the number of buckets that fit into this many MiB, and 1 for 0. A size that overflows
/// saturates; no system has that much.
pub(crate) fn buckets_of(mebibytes: usize) -> usize {
    mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>()).max(1)
}

impl Reserved {
    /// Reserves this many buckets.
    pub(crate) fn new(count: usize, preferred: Pages) -> Result<Self, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<Bucket>());
        let mut buckets = Vec::new();
        buckets
            .try_reserve_exact(count)
            .map_err(|_| OutOfMemory { mebibytes: bytes.div_ceil(1 << 20) })?;
        let pages = advise(buckets.spare_capacity_mut(), preferred);
        Ok(Reserved { buckets, count, pages })
    }

    /// Reserves this many MiB, as [`buckets_of`] counts them.
    pub(crate) fn of_mebibytes(mebibytes: usize, preferred: Pages) -> Result<Self, OutOfMemory> {
        Reserved::new(buckets_of(mebibytes), preferred).map_err(|_| OutOfMemory { mebibytes })
    }

    pub(crate) fn pages(&self) -> Pages {
        self.pages
    }

    /// Returns the memory filled with empty buckets.
    pub(crate) fn filled(mut self) -> Vec<Bucket> {
        fill(&mut self.buckets, self.count);
        self.buckets
    }

    /// Returns the memory unfilled, as an empty vector with enough capacity.
    pub(crate) fn unfilled(self) -> Vec<Bucket> {
        self.buckets
    }
}
