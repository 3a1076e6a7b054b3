//! Integration tests: every guarantee of the crate against a plain reference implementation.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

mod brute_force; // the detectors and the draw rule against every legal move of random games
mod history_model; // the history against a plain list of keys; the filter's consistency and rates
mod named_positions; // each rule on one short line of moves
mod oracle; // the reference: positions without keys, compared piece by piece
mod random_line; // random lines in which positions repeat
mod seeds; // the table for arbitrary keys
mod shogi; // another rule: the verdicts of shogi programs on a repetition
