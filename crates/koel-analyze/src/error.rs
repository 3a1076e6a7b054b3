//! The errors of an analysis.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// The error of an [`AnalysisEngine`](crate::AnalysisEngine).
pub type EngineFailure = Box<dyn Error + Send + Sync>;

/// The reason why the analysis does not begin or ends early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// A file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The input is empty.
    #[error("{}: neither a game nor a position in it", .path.display())]
    Empty {
        /// The input.
        path: PathBuf,
    },
    /// All games or lines of the input are faulty.
    #[error("nothing can be analysed: {first}")]
    NothingReadable {
        /// The warning on the first of them.
        first: String,
    },
    /// No game is of the player, or long enough.
    #[error("no game has positions as --player, --from-ply and --to-ply select them")]
    NothingSelected,
    /// Several inputs, or one that cannot be replaced, are to be analysed in place.
    #[error("--in-place replaces one file of text; name another file for the others with --output")]
    NotOneFile,
    /// The page would replace what is no page of an analysis, or the input, or another output.
    #[error("--html: {} is {reason}", .path.display())]
    Page {
        /// The path of the page.
        path: PathBuf,
        /// The reason, as the end of a sentence.
        reason: &'static str,
    },
    /// The output is the input, and replacing it is not asked for.
    #[error("{}: the output would replace the input; add --in-place if it shall", .0.display())]
    SameFile(PathBuf),
    /// The output is a descriptor of the input, which would grow while it is read.
    #[error("{}: leads to the input; write to another file", .0.display())]
    AppendedToInput(PathBuf),
    /// There is a part of an output already.
    #[error(
        "{}: holds what an interrupted analysis has done, or is somebody else's; \
         move it away or remove it first",
        .0.display()
    )]
    PartExists(PathBuf),
    /// The file that was to be replaced is another one than at the beginning.
    #[error(
        "{}: was changed during the analysis and is left as it is; the analysis is in {}",
        .path.display(), .part.display()
    )]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
        /// The analysis.
        part: PathBuf,
    },
    /// The input is to be replaced, and another output is named.
    #[error("--in-place: --output must be the input or absent, not {}", .0.display())]
    OtherFile(PathBuf),
    /// The input is to be replaced by something that is not games.
    #[error("--in-place writes games as PGN only; name another file with --output")]
    NotPgn,
    /// The output has a name of another kind of file.
    #[error(
        "--output: {} is named like no PGN, CSV or JSON; --html writes a page, --chart a chart, \
         and nothing is compressed",
        .0.display()
    )]
    OutputName(PathBuf),
    /// The chart would replace the input or the output.
    #[error("--chart: {} is the input or the output", .0.display())]
    ChartPath(PathBuf),
    /// The chart has a name of another kind of file.
    #[error("--chart: {} must end in .svg, because a chart is SVG", .0.display())]
    ChartName(PathBuf),
    /// The input has positions alone, and a chart is that of a game.
    #[error("--chart draws games, and {} has none", .0.display())]
    ChartOfPositions(PathBuf),
    /// The analysis failed after its beginning.
    #[error("{error}; {saved}")]
    Unfinished {
        /// The reason.
        #[source]
        error: Box<AnalyzeError>,
        /// The place of what is done.
        saved: String,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// The standard streams cannot be written.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// The analysis was stopped.
    #[error("interrupted after {done} of {all} positions; {saved}")]
    Interrupted {
        /// The number of positions done.
        done: u64,
        /// The number of positions of the input.
        all: u64,
        /// The place of what is done.
        saved: String,
    },
}

impl AnalyzeError {
    /// Returns what makes the error of a file of one of the operating system.
    pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> AnalyzeError + use<'_> {
        |error| AnalyzeError::File { path: path.to_owned(), error }
    }
}
