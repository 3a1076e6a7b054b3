//! The commands of the program `koel-arena`: their arguments, and the functions that run them.
//!
//! A program for one engine can offer the same commands with its own names for engines, such as
//! revisions of a repository: it implements [`CommandContext`] and flattens the argument structs
//! ([`MatchArgs`], [`SprtArgs`], [`GauntletArgs`]) into its own.
#![allow(clippy::print_stdout, reason = "commands print their results")]

mod context;
mod find_program;
mod gauntlet;
mod interrupt;
mod match_args;
mod play;
mod progress;
mod sprt;

pub use context::{CommandContext, Standalone};
pub use find_program::{fair_options, find_program};
pub use gauntlet::GauntletArgs;
pub use interrupt::{interrupt_flag, is_interrupted};
pub use match_args::{MatchArgs, parse_option};
pub use play::{play_match, run_match};
pub use progress::ProgressDisplay;
pub use sprt::SprtArgs;
