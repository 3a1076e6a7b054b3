#![doc = include_str!("../README.md")]

mod analyze;
mod arguments;
mod bench;
mod chances;
mod clock;
mod complaint;
mod confidence;
mod crowd;
mod cycles;
mod diagram;
mod errand;
mod eval_file;
mod event;
mod experiment;
mod flip;
mod genfens;
mod ghi;
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
mod smp_trial;
mod speedtest;
mod stopwatch;
mod strength;
mod syzygy;
mod timekeeper;
mod vote;

pub use arguments::start;
pub use bench::{BENCH_DEPTH, Bench, bench};
pub use cycles::{CycleRow, cycle_rows};
pub use session::run;

/// What the engine calls itself.
const NAME: &str = concat!("Koel ", env!("CARGO_PKG_VERSION"));
