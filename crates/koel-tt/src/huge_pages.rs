//! The memory of a table: in huge pages where the system has them, filled by several threads.

#![allow(unsafe_code, reason = "advice to the system, and memory that is not written in order")]

use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The kind of pages that the memory of a table is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Pages {
    /// Pages of 2 MiB, as far as the system has them free: it has accepted the advice, but does not
    /// report how far it follows it.
    Huge,
    /// Pages of the default size: huge pages were not requested, the system has none, or the table
    /// is too small for them.
    Small,
}

/// The number of bytes that justify the start of one more thread.
const BYTES_PER_THREAD: usize = 16 << 20;

/// Advises the system which pages to use for memory that is not in use yet, and returns the kind
/// that it will use.
pub(crate) fn advise<T>(memory: &mut [MaybeUninit<T>], preferred: Pages) -> Pages {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        /// A multiple of every page size.
        const HUGE: usize = 2 << 20;
        let range = memory.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(HUGE);
        let end = range.end as usize / HUGE * HUGE;
        if start >= end {
            return Pages::Small;
        }
        let advice = match preferred {
            Pages::Huge => libc::MADV_HUGEPAGE,
            Pages::Small => libc::MADV_NOHUGEPAGE,
        };
        // SAFETY: the range lies in memory that is borrowed mutably here, and begins and ends
        // with a page; neither advice changes its contents.
        let answer = unsafe { libc::madvise(start as *mut libc::c_void, end - start, advice) };
        if answer == 0 { preferred } else { Pages::Small }
    }
    #[cfg(any(miri, not(target_os = "linux")))]
    {
        let _ = (memory, preferred);
        Pages::Small
    }
}

/// Returns the number of threads to write this many bytes with.
pub(crate) fn threads_for(bytes: usize) -> usize {
    let available = thread::available_parallelism().map_or(1, usize::from);
    (bytes / BYTES_PER_THREAD).clamp(1, available)
}

/// Does work on all parts of a slice with this number of threads, or with as many as the system
/// allows: the calling thread is one of them.
#[allow(clippy::disallowed_methods, reason = "one thread takes seconds for many gibibytes")]
#[allow(clippy::disallowed_types, reason = "the system may refuse a thread")]
pub(crate) fn for_each_part<T: Send>(
    slice: &mut [T],
    threads: usize,
    work: impl Fn(&mut [T]) + Sync,
) {
    let size = slice.len().div_ceil(threads.max(1)).max(1);
    let parts = Mutex::new(slice.chunks_mut(size));
    let next_part = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_parts = || {
        while let Some(part) = next_part() {
            work(part);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, work_on_parts).is_err() {
                break;
            }
        }
        work_on_parts();
    });
}

/// Fills a vector with `count` default values, for which it has the capacity, with several threads
/// if it is large.
///
/// The system commits the memory on the first write: here, not in the middle of a search.
pub(crate) fn fill<T: Default + Send>(vector: &mut Vec<T>, count: usize) {
    vector.clear();
    let uninitialised = &mut vector.spare_capacity_mut()[..count];
    let threads = threads_for(count * size_of::<T>());
    for_each_part(uninitialised, threads, |part| {
        for value in part {
            value.write(T::default());
        }
    });
    // SAFETY: `uninitialised` has `count` values within the capacity, and all of its parts have
    // been written: `for_each_part` returns after the last of them, or propagates a panic.
    unsafe { vector.set_len(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Seven(u64);

    impl Default for Seven {
        fn default() -> Seven {
            Seven(7)
        }
    }

    #[test]
    fn every_part_is_worked_on_once() {
        for count in [0, 1, 7, 1000] {
            for threads in [0, 1, 3, 40] {
                let mut numbers = vec![0; count];
                for_each_part(&mut numbers, threads, |part| part.iter_mut().for_each(|n| *n += 1));
                assert_eq!(numbers, vec![1; count], "{threads}");
            }
        }
    }

    #[test]
    fn filling_equals_the_safe_resize() {
        for count in [0, 1, 1000, 5_000_001] {
            for preferred in [Pages::Huge, Pages::Small] {
                let mut expected = Vec::new();
                expected.resize_with(count, Seven::default);
                let mut vector = Vec::<Seven>::with_capacity(count);
                let pages = advise(vector.spare_capacity_mut(), preferred);
                fill(&mut vector, count);
                assert_eq!(vector, expected);
                assert!(pages == preferred || pages == Pages::Small);
            }
        }
    }
}
