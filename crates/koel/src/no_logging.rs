//! Builds without the feature `cli` write no logs.

use std::io;
use std::path::Path;

/// The log target of all input and output lines.
pub(crate) const DIALOGUE: &str = "koel::dialogue";

/// Does nothing.
pub(crate) fn start() -> io::Result<()> {
    Ok(())
}

/// Closing the log file does nothing.
///
/// # Errors
/// A file is named.
pub(crate) fn set_debug_log(path: Option<&Path>) -> io::Result<()> {
    match path {
        None => Ok(()),
        Some(_) => Err(io::Error::other("this build writes no logs: it is without `cli`")),
    }
}
