//! The formats of input and output files.

use std::path::Path;

use clap::ValueEnum;

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// Games with comments such as `[%eval 0.31,14] best Nf3`; scores from White's point of view
    Pgn,
    /// One row per position; scores from White's point of view
    Csv,
}

/// Returns true if the path has this extension, in upper or lower case.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
