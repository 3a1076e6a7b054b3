#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod guard;
mod header;
mod tables;
#[cfg(test)]
mod testing;
mod verify;

pub use tables::{DamagedTable, SyzygyTables};
pub use verify::{TableState, VerifiedTable, verify_folder};
