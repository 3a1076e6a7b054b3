//! The faults of games.

use koel_board::{EpdError, FenError};
use thiserror::Error;

/// The reason why a game, or a line, cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PgnFault {
    /// A comment or a tag has no end.
    #[error("a {0} is not closed")]
    Unclosed(&'static str),
    /// A bracket ends a variation where there is none.
    #[error("a variation ends that did not begin")]
    StrayVariationEnd,
    /// A line in brackets among the tags is no tag pair; in a form that can be seen.
    #[error("{0} is not a tag with a value in quotation marks")]
    MalformedTag(String),
    /// A variation has no end.
    #[error("a variation does not end")]
    OpenVariation,
    /// There are moves behind the result.
    #[error("the game goes on after its result")]
    AfterResult,
    /// A word has no meaning in a game; in a form that can be seen.
    #[error("{0} is not a move, number, glyph, comment or result")]
    Unknown(String),
    /// A move is not legal.
    #[error("{text} is not a legal move in {position}")]
    Illegal {
        /// The move as it is written, in a form that can be seen.
        text: String,
        /// The FEN of the position.
        position: String,
    },
    /// More than one legal move is written like this.
    #[error("{text} is ambiguous in {position}")]
    Ambiguous {
        /// The move as it is written, in a form that can be seen.
        text: String,
        /// The FEN of the position.
        position: String,
    },
    /// The game is one of another kind of chess.
    #[error("the variant `{0}` is not chess")]
    Variant(String),
    /// The first move has a number above one, and no position is given.
    #[error("the game begins with move {0}, without a position")]
    MoveNumber(u32),
    /// The position of the tag `FEN` is wrong.
    #[error("tag FEN: {0}")]
    Fen(#[from] FenError),
    /// A line is no position with operations.
    #[error(transparent)]
    Epd(#[from] EpdError),
}
