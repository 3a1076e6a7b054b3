#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod atomic;
mod bucket;
mod busy;
mod entry;
mod file;
mod huge_pages;
mod memory;
mod packed;
mod payload;
mod prefetch;
mod table;

pub use busy::BusyMark;
pub use entry::{Bound, Entry};
pub use file::{LoadError, is_saved_table};
pub use huge_pages::Pages;
pub use memory::OutOfMemory;
pub use payload::Payload;
pub use prefetch::prefetch;
pub use table::TranspositionTable;
