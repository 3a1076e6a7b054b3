//! Errors of reading viriformat.

use std::io;

use koel_board::FenError;
use thiserror::Error;

use crate::training_game::IllegalPly;

/// Reasons why bytes are not a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ViriformatError {
    /// The input could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The packed position breaks the format.
    #[error("packed position: {0}")]
    Board(&'static str),
    /// The packed position is not a legal position.
    #[error("packed position: {0}")]
    Position(#[from] FenError),
    /// A move is not legal where it is played.
    #[error(transparent)]
    IllegalMove(#[from] IllegalPly),
    /// The input ends within a game.
    #[error("the file ends within a game")]
    Unfinished,
}
