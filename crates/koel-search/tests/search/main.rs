//! Tests of the search, one file for each property.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cycles;
mod draws;
mod limits;
mod lines;
mod mates;
mod path;
mod robustness;
mod support;
mod tablebase;
mod threads;
