//! The commands of the program `koel-arena`: their arguments, and the functions that run them.
//!
//! A program for one engine can offer the same commands with its own names for engines, such as
//! revisions of a repository: it implements [`CommandContext`] and flattens the argument structs
//! ([`MatchArgs`], [`SprtArgs`], [`EngineList`]) into its own.

mod check;
mod context;
mod engine_args;
mod file_hashes;
mod find_program;
mod interrupt;
mod match_args;
mod outcome;
mod output;
mod play;
mod progress;
mod sprt;
mod standings;

pub use check::run_check;
pub use context::{CommandContext, Standalone};
pub use engine_args::{EngineArgs, EngineList};
pub use find_program::{fair_options, find_program};
pub use interrupt::{interrupt_flag, is_interrupted};
pub use match_args::{MatchArgs, parse_option};
pub use outcome::{EXIT_STATUSES, Outcome};
pub use output::OutputArgs;
pub use play::run_match;
pub use progress::ProgressDisplay;
pub use sprt::SprtArgs;
