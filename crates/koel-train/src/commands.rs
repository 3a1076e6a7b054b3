//! The commands, one file each: arguments and output.

pub(crate) mod fit_wdl;
mod games;
pub(crate) mod import;
pub(crate) mod losses;
pub(crate) mod openings;
mod priority;
pub(crate) mod reproduce;
pub(crate) mod runs;
pub(crate) mod selfplay;
pub(crate) mod stats;
pub(crate) mod train;
mod user_store;

/// Any error of a command.
pub(crate) type Failure = Box<dyn std::error::Error>;
