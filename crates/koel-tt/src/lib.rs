#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bucket;
mod memory;
mod record;
mod table;

pub use memory::OutOfMemory;
pub use record::{Bound, Record};
pub use table::TranspositionTable;
