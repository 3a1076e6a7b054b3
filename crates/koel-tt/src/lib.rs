#![doc = include_str!("../README.md")]

mod atomic;
mod available;
mod bucket;
mod busy;
#[cfg(feature = "exact")]
mod exact;
mod file;
mod huge_pages;
mod memory;
mod packed;
mod prefetch;
mod record;
mod table;

pub use available::available_memory;
pub use busy::{BusyMode, BusyTable, Mark};
#[cfg(feature = "exact")]
pub use exact::ExactTable;
pub use file::LoadError;
pub use huge_pages::Pages;
pub use memory::OutOfMemory;
pub use record::{Bound, PathDependence, Record};
pub use table::TranspositionTable;
