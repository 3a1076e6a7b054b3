#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod atomic;
mod bucket;
mod busy;
mod entry;
#[cfg(feature = "exact")]
mod exact;
mod file;
mod huge_pages;
mod memory;
mod packed;
mod payload;
mod prefetch;
mod table;

pub use busy::BusyMark;
pub use entry::{Bound, Entry};
#[cfg(feature = "exact")]
pub use exact::ExactTable;
pub use file::{LoadError, is_saved_table};
pub use huge_pages::Pages;
pub use memory::OutOfMemory;
pub use payload::Payload;
pub use prefetch::prefetch;
pub use table::TranspositionTable;
