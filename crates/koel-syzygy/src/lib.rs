#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod guard;
mod header;
mod tables;
mod verify;

pub use tables::{DamagedTable, SyzygyTables};
pub use verify::{TableState, VerifiedTable, verify_folder};

#[cfg(test)]
mod tests;
