//! The table under threads, and against its exact twin.

#![cfg(not(loom))]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod exact;
mod hammer;
mod random;
