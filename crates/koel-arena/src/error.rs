//! Errors of a match and of its files.

use std::io;
use std::path::{Path, PathBuf};

use crate::engine::StartError;

/// A match that cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An engine cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The state or the PGN cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An opening cannot be played.
    #[error("an opening cannot be played: {0}")]
    Opening(String),
}

/// The files of a match cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{path}", path = .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The state is not valid.
    #[error(
        "{path} is no state of a match, is damaged, or was written by another version of \
         koel-arena: name another file, or delete this one to start the match from its beginning",
        path = .0.display()
    )]
    Format(PathBuf, #[source] serde_json::Error),
    /// The state belongs to a match with other settings.
    #[error(
        "{path} belongs to another match: {setting} was `{was}` and is `{is}`",
        path = .path.display()
    )]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        setting: String,
        /// Its value in the state.
        was: String,
        /// Its value now.
        is: String,
    },
    /// Another match is writing to the PGN.
    #[error("{path} is in use by another match", path = .0.display())]
    InUse(PathBuf),
    /// Finished games are missing in the PGN.
    #[error(
        "{path} lacks games that the state has: a crash or an editor cut it. Restore it, or start \
         the match from its beginning (--fresh)",
        path = .0.display()
    )]
    ShortPgn(PathBuf),
    /// The file that should hold the games holds something else.
    #[error("{path} holds something else than games: name another file", path = .0.display())]
    NoPgn(PathBuf),
}

pub(crate) fn file_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::File(path.to_owned(), source)
}
