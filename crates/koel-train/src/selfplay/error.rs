//! Errors of a run of self-play.

use std::io;

use thiserror::Error;

use crate::viriformat::ViriformatError;

/// Reasons why a run fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SelfplayError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The folder holds a run with other settings.
    #[error("{0}: holds games of another run; choose another folder, or the settings of that run")]
    OtherRun(String),
    /// The settings of the run in the folder cannot be read.
    #[error("{0}")]
    Settings(String),
    /// The games in the folder are damaged.
    #[error("{0}: {1}")]
    Games(String, ViriformatError),
    /// The transposition tables cannot be allocated.
    #[error("not enough memory for the transposition tables")]
    OutOfMemory(#[from] koel_search::OutOfMemory),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}
