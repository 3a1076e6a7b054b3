//! Asking the processor for a bucket before it is needed.

#![allow(unsafe_code, reason = "the instruction has no safe form")]

/// Begins to fetch what is there into the cache. It changes nothing but the time of the next read.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction; it reads and writes nothing that a
        // program could see, and the address is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        let address = std::ptr::from_ref(place);
        // SAFETY: a hint that faults on no address and changes no register, flag or memory.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{address}]",
                address = in(reg) address,
                options(nostack, preserves_flags, readonly)
            );
        }
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changes() {
        let numbers = (0..10_000).collect::<Vec<u64>>();
        let twin = numbers.clone();
        numbers.iter().for_each(prefetch);
        assert_eq!(numbers, twin);
    }
}
