//! The UCI session: the real program behind pipes where time matters, dialogues where it does not.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

#[path = "uci/bad_input.rs"]
mod bad_input;
#[path = "uci/commands.rs"]
mod commands;
#[path = "uci/during_a_search.rs"]
mod during_a_search;
#[path = "uci/evaluation.rs"]
mod evaluation;
#[path = "uci/experiments.rs"]
mod experiments;
#[path = "uci/fuzz.rs"]
mod fuzz;
#[path = "uci/introduction.rs"]
mod introduction;
#[path = "uci/limits.rs"]
mod limits;
#[path = "uci/options.rs"]
mod options;
#[path = "uci/path.rs"]
mod path;
#[path = "uci/results.rs"]
mod results;
#[path = "uci/strength.rs"]
mod strength;
#[path = "uci/syzygy.rs"]
mod syzygy;
#[path = "uci/table.rs"]
mod table;
#[path = "uci/threads.rs"]
mod threads;
