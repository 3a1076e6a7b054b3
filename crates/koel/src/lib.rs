#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(feature = "cli")]
mod arguments;
mod available_memory;
mod command_line;
mod commands;
#[cfg_attr(not(feature = "cli"), path = "no_logging.rs")]
mod logging;
mod panic;
mod search;
mod session;
mod time;

pub use command_line::run_command_line;
pub use commands::bench::{BENCH_DEPTH, BenchResult, bench, bench_positions};
pub use commands::cycles::{CycleRow, cycle_rows};
pub use session::run;

/// The name and version of the engine, as in `id name`.
pub const ENGINE_NAME: &str = concat!("Koel ", env!("CARGO_PKG_VERSION"));
