//! The errors of `koel analyze`.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why the analysis does not begin or ends early.
#[derive(Debug, Error)]
pub(crate) enum AnalyzeError {
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: neither a game nor a position in it", .path.display())]
    Empty { path: PathBuf },
    #[error("nothing can be analysed: {first}")]
    NothingReadable { first: String },
    #[error("{}: the output would replace the input; add --in-place if it shall", .0.display())]
    SameFile(PathBuf),
    #[error("--in-place: --output must be the input or absent, not {}", .0.display())]
    OtherFile(PathBuf),
    #[error("--in-place writes games as PGN only; name another file with --output")]
    NotPgn,
    #[error("--chart: {} is the input or the output", .0.display())]
    ChartPath(PathBuf),
    #[error("{0}")]
    Engine(String),
    #[error(transparent)]
    Pipe(#[from] io::Error),
    #[error(transparent)]
    Signal(#[from] ctrlc::Error),
    #[error("interrupted after {done} of {all} positions; {saved}")]
    Interrupted { done: u64, all: u64, saved: String },
}
