//! The errors of `koel analyze`.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why the analysis ends early.
#[derive(Debug, Error)]
pub(crate) enum AnalyzeError {
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: neither .pgn nor .epd", .0.display())]
    UnknownFormat(PathBuf),
    #[error("{}: game {number}: {error}", .path.display())]
    Game { path: PathBuf, number: usize, error: String },
    #[error("{}: line {number}: {error}", .path.display())]
    Line { path: PathBuf, number: usize, error: koel_board::EpdError },
    #[error("{0}")]
    Engine(String),
    #[error(transparent)]
    Pipe(#[from] io::Error),
}
