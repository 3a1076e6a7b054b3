//! Tests of the UCI session: of the real program through pipes where time matters, and of sessions
//! inside the test where it does not.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

#[path = "uci/bad_input.rs"]
mod bad_input;
#[path = "uci/closed_output.rs"]
mod closed_output;
#[path = "uci/commands.rs"]
mod commands;
#[path = "uci/during_a_search.rs"]
mod during_a_search;
#[path = "uci/evaluation.rs"]
mod evaluation;
#[path = "uci/experiments.rs"]
mod experiments;
#[path = "uci/files.rs"]
mod files;
#[path = "uci/fuzz.rs"]
mod fuzz;
#[path = "uci/go_answers.rs"]
mod go_answers;
#[path = "uci/hash_table.rs"]
mod hash_table;
#[path = "uci/identification.rs"]
mod identification;
#[path = "uci/limits.rs"]
mod limits;
#[path = "uci/options.rs"]
mod options;
#[path = "uci/path_dependence.rs"]
mod path_dependence;
#[path = "uci/results.rs"]
mod results;
#[path = "uci/strength.rs"]
mod strength;
#[path = "uci/syzygy.rs"]
mod syzygy;
#[path = "uci/threads.rs"]
mod threads;
#[path = "uci/wall_time.rs"]
mod wall_time;
