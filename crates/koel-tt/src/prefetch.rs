//! The prefetch instruction.

#![allow(unsafe_code, reason = "the instruction has no safe form")]

/// Begins to fetch the cache line of a value. It changes nothing but the time of the next read.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction; it has no effect that a program can
        // observe, and the address is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        let address = std::ptr::from_ref(value);
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
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetching_changes_no_value() {
        let numbers = (0..10_000).collect::<Vec<u64>>();
        let copy = numbers.clone();
        numbers.iter().for_each(prefetch);
        assert_eq!(numbers, copy);
    }
}
