#![doc = include_str!("../README.md")]

mod analyze;
mod arguments;
mod available_memory;
mod bench;
mod chances;
mod clock;
mod complaint;
mod confidence;
mod cycles;
mod diagram;
mod errand;
mod eval_file;
mod event;
mod experiment;
mod flip;
mod genfens;
mod hash_file;
mod logging;
mod obey;
mod options;
mod panic;
mod pgn;
mod pool;
mod reader;
mod report;
mod session;
mod set_option;
mod stopwatch;
mod strength;
mod syzygy;
mod timekeeper;
mod vote;

pub use arguments::start;
pub use bench::{BENCH_DEPTH, Bench, bench, bench_positions};
pub use cycles::{CycleRow, cycle_rows};
pub use session::run;

/// The name and version of the engine, as its `id name` states them.
pub const NAME: &str = concat!("Koel ", env!("CARGO_PKG_VERSION"));
