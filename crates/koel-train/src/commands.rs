//! One file for each command: its arguments, and what it prints.

pub(crate) mod chances;
mod games;
pub(crate) mod reproduce;
pub(crate) mod selfplay;
pub(crate) mod stats;
pub(crate) mod train;

/// Any error, as the command line tells it.
pub(crate) type Failure = Box<dyn std::error::Error>;
