#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod analysis_engine;
mod analyze;
mod arguments;
mod available_memory;
mod background_job;
mod bench;
mod best_thread;
mod clock;
mod command_error;
mod cycles;
mod display;
mod engine_name;
mod eval_file;
mod event;
mod experiment;
mod file_transfer;
mod flip;
mod genfens;
mod go;
mod handle_command;
mod hash_file;
mod input;
mod interrupt;
mod job;
mod lag;
mod logging;
mod options;
mod output_watch;
mod panic;
mod pool;
mod repetition_comments;
mod report;
mod session;
mod set_option;
mod strength;
mod syzygy;
mod terminal;
mod time_factors;
mod time_manager;
mod timer;
mod verify_tables;
mod wdl;

pub use arguments::run_command_line;
pub use bench::{BENCH_DEPTH, BenchResult, bench, bench_positions};
pub use cycles::{CycleRow, cycle_rows};
pub use engine_name::ENGINE_NAME;
pub use session::run;
