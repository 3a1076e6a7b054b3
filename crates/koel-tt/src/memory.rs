//! Memory for the buckets, or a word why there is none.

use std::fmt;

use crate::available::available_memory;
use crate::bucket::Bucket;
use crate::huge_pages::{Pages, advise, fill};

/// The system has not the memory that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// How much was asked for, in MiB.
    pub mebibytes: usize,
    /// How much there is, in MiB, if the system says so: see
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

/// Room for buckets: promised by the system, not yet used.
pub(crate) struct Reserved {
    buckets: Vec<Bucket>,
    count: usize,
    pages: Pages,
}

/// The part of what is available that stays free for all others on the machine.
const SPARE: u64 = 32;

/// How many buckets so many MiB have room for: one if 0. Too many stays too many if cut.
pub(crate) fn buckets_of(mebibytes: usize) -> usize {
    mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>()).max(1)
}

impl Reserved {
    /// Room for so many buckets, if the machine has it or will when so many bytes of ours are
    /// free.
    pub(crate) fn new(count: usize, to_be_freed: usize, wish: Pages) -> Result<Self, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<Bucket>());
        let available = available_memory()
            .map(|bytes| (bytes - bytes / SPARE).saturating_add(to_be_freed as u64));
        let refused = OutOfMemory {
            mebibytes: bytes.div_ceil(1 << 20),
            available: available.map(|bytes| usize::try_from(bytes >> 20).unwrap_or(usize::MAX)),
        };
        // What needs hardly any memory is no reason to refuse on a full machine.
        if bytes > 1 << 20 && available.is_some_and(|available| bytes as u64 > available) {
            return Err(refused);
        }
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refused)?;
        let pages = advise(buckets.spare_capacity_mut(), wish);
        Ok(Reserved { buckets, count, pages })
    }

    /// Room for so many MiB, as [`buckets_of`] counts them.
    pub(crate) fn of_mebibytes(
        mebibytes: usize,
        to_be_freed: usize,
        wish: Pages,
    ) -> Result<Self, OutOfMemory> {
        Reserved::new(buckets_of(mebibytes), to_be_freed, wish)
            .map_err(|refused| OutOfMemory { mebibytes, ..refused })
    }

    pub(crate) fn pages(&self) -> Pages {
        self.pages
    }

    /// Empty buckets.
    pub(crate) fn filled(mut self) -> Vec<Bucket> {
        fill(&mut self.buckets, self.count);
        self.buckets
    }

    /// The room, to be filled in order.
    pub(crate) fn unfilled(self) -> Vec<Bucket> {
        self.buckets
    }
}
