//! The one kind of atomic, which loom replaces by its own to try all interleavings.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::AtomicU64;
pub(crate) use std::sync::atomic::Ordering::Relaxed;
