//! The memory of a table: in huge pages where the system has them, written by many threads.

#![allow(unsafe_code, reason = "advice to the system, and memory that is not written in order")]

use std::mem::MaybeUninit;
use std::thread;

/// The pages in which the memory of a table lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Pages {
    /// Pages of 2 MiB, as far as the system has them free. It has taken the advice; nothing tells
    /// how much of it it follows.
    Huge,
    /// The usual ones: huge pages were not wanted, the system has none, or the table is too small.
    Small,
}

/// A thread more is worth its start for so many bytes.
const BYTES_A_THREAD: usize = 16 << 20;

/// Tells the system which pages are wanted for memory that is not in use yet, and what pages it
/// will be.
pub(crate) fn advise<T>(memory: &mut [MaybeUninit<T>], wish: Pages) -> Pages {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        /// A multiple of every page size there is.
        const HUGE: usize = 2 << 20;
        let range = memory.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(HUGE);
        let end = range.end as usize / HUGE * HUGE;
        if start >= end {
            return Pages::Small;
        }
        let advice = match wish {
            Pages::Huge => libc::MADV_HUGEPAGE,
            Pages::Small => libc::MADV_NOHUGEPAGE,
        };
        // SAFETY: the range lies in memory that we borrow mutably, and begins and ends with a
        // page; both pieces of advice leave its contents alone.
        let answer = unsafe { libc::madvise(start as *mut libc::c_void, end - start, advice) };
        if answer == 0 { wish } else { Pages::Small }
    }
    #[cfg(any(miri, not(target_os = "linux")))]
    {
        let _ = (memory, wish);
        Pages::Small
    }
}

/// With how many threads so many bytes are best written.
pub(crate) fn threads_for(bytes: usize) -> usize {
    let most = thread::available_parallelism().map_or(1, usize::from);
    (bytes / BYTES_A_THREAD).clamp(1, most)
}

/// Fills a vector up to its `count`, for which it has room, with as many threads as it is worth.
///
/// By this the system commits the memory now and not in the middle of a search.
pub(crate) fn fill<T: Default + Send>(vector: &mut Vec<T>, count: usize) {
    vector.clear();
    let room = &mut vector.spare_capacity_mut()[..count];
    let threads = threads_for(count * size_of::<T>());
    let write = |part: &mut [MaybeUninit<T>]| {
        for place in part {
            place.write(T::default());
        }
    };
    if threads == 1 {
        write(room);
    } else {
        thread::scope(|scope| {
            for part in room.chunks_mut(count.div_ceil(threads)) {
                scope.spawn(move || write(part));
            }
        });
    }
    // SAFETY: `room` was cut to `count` places within the capacity, each chunk of it has been
    // written, and the scope has waited for all threads, or would have passed on their panic.
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
    fn it_fills_as_the_safe_twin_does() {
        for count in [0, 1, 1000, 5_000_001] {
            for wish in [Pages::Huge, Pages::Small] {
                let mut twin = Vec::new();
                twin.resize_with(count, Seven::default);
                let mut vector = Vec::<Seven>::with_capacity(count);
                let pages = advise(vector.spare_capacity_mut(), wish);
                fill(&mut vector, count);
                assert_eq!(vector, twin);
                assert!(pages == wish || pages == Pages::Small);
            }
        }
    }
}
