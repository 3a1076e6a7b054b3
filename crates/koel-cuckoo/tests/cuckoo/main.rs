//! What the crate promises, each held against a dull twin.

#![allow(clippy::unwrap_used, reason = "a test may stop here")]
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

mod brute_force; // the detectors and the draw rule against every legal move of random games
mod history_model; // the history against a plain list of keys; the filter's balance and rates
mod named_positions; // each rule in one short line of moves
mod oracle; // positions without keys, compared piece by piece
mod random; // numbers
mod seeds; // any keys at all: a table or a true failure, never a hang
