//! The table under threads, and against the exact one.

#![cfg(not(loom))]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod exact;
mod hammer;
mod random;
