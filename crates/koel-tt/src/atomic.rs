//! The atomic type of the tables. Under loom it is loom's own, which explores all interleavings.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::AtomicU64;
pub(crate) use std::sync::atomic::Ordering::Relaxed;

/// Stores a value in a word that other threads compare and exchange.
#[inline]
pub(crate) fn store(word: &AtomicU64, value: u64) {
    if cfg!(loom) {
        // Loom does not decide which of a store and an exchange comes last, only of two exchanges.
        word.swap(value, Relaxed);
    } else {
        word.store(value, Relaxed);
    }
}
