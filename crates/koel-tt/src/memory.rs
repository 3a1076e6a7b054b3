//! The allocation of the buckets.

use std::fmt;

use crate::available::available_memory;
use crate::bucket::Bucket;
use crate::huge_pages::{Pages, advise, fill};

/// The error of a table that does not fit into the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The size that was requested, in MiB.
    pub mebibytes: usize,
    /// The size that is available, in MiB, if the system reports it: see
    /// [`available_memory`].
    pub available: Option<usize>,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a transposition table of {} MiB", self.mebibytes)?;
        match self.available {
            Some(available) => write!(f, ", only for {available} MiB"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for OutOfMemory {}

/// Address space for buckets: reserved, not yet used.
pub(crate) struct Reserved {
    buckets: Vec<Bucket>,
    count: usize,
    pages: Pages,
}

/// One part in this many of the available memory stays free for other programs.
const SPARE: u64 = 32;

/// Returns the number of buckets that fit into this many MiB, and 1 for 0. A size that overflows
/// saturates; no system has that much.
pub(crate) fn buckets_of(mebibytes: usize) -> usize {
    mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>()).max(1)
}

impl Reserved {
    /// Reserves this many buckets, if the machine has the memory or will have it when
    /// `to_be_freed` bytes are released.
    pub(crate) fn new(
        count: usize,
        to_be_freed: usize,
        preferred: Pages,
    ) -> Result<Self, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<Bucket>());
        let available = available_memory()
            .map(|bytes| (bytes - bytes / SPARE).saturating_add(to_be_freed as u64));
        let refused = OutOfMemory {
            mebibytes: bytes.div_ceil(1 << 20),
            available: available.map(|bytes| usize::try_from(bytes >> 20).unwrap_or(usize::MAX)),
        };
        // A table that needs hardly any memory is not refused, even on a full machine.
        if bytes > 1 << 20 && available.is_some_and(|available| bytes as u64 > available) {
            return Err(refused);
        }
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refused)?;
        let pages = advise(buckets.spare_capacity_mut(), preferred);
        Ok(Reserved { buckets, count, pages })
    }

    /// Reserves this many MiB, as [`buckets_of`] counts them.
    pub(crate) fn of_mebibytes(
        mebibytes: usize,
        to_be_freed: usize,
        preferred: Pages,
    ) -> Result<Self, OutOfMemory> {
        Reserved::new(buckets_of(mebibytes), to_be_freed, preferred)
            .map_err(|refused| OutOfMemory { mebibytes, ..refused })
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
