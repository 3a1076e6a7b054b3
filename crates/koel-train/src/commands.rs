//! The commands, one file each: arguments and output.

pub(crate) mod fit_wdl;
mod games;
pub(crate) mod reproduce;
pub(crate) mod selfplay;
pub(crate) mod stats;
pub(crate) mod train;

/// Any error of a command.
pub(crate) type Failure = Box<dyn std::error::Error>;
