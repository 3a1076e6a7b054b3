//! Memory for the buckets, or a word why there is none.

use std::fmt;

use crate::bucket::Bucket;

/// The system did not give the memory that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// How much was asked for, in MiB.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a transposition table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Empty buckets that fill so many MiB; one bucket for 0 MiB.
pub(crate) fn allocate(mebibytes: usize) -> Result<Vec<Bucket>, OutOfMemory> {
    let refused = OutOfMemory { mebibytes };
    let bytes = mebibytes.checked_mul(1 << 20).ok_or(refused)?;
    let count = (bytes / size_of::<Bucket>()).max(1);
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(count).map_err(|_| refused)?;
    buckets.resize_with(count, Bucket::default);
    Ok(buckets)
}
