#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

mod guard;
mod header;
mod tables;
mod verify;

pub use shakmaty;
pub use shakmaty_syzygy;

pub use tables::{DamagedTable, SyzygyTables};
pub use verify::{TableState, VerifiedTable, verify_folder};

#[cfg(test)]
mod tests;
