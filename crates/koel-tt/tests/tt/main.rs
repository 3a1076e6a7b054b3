//! The table under threads, and against a map.

#![cfg(not(loom))]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod hammer;
mod random;
mod reference;
