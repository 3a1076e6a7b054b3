//! What can be wrong with a FEN.

use shakmaty::Color;
use thiserror::Error;

/// The largest move number and halfmove clock that a FEN may state.
pub const MAX_CLOCK: u32 = 9999;

/// A FEN that is malformed or describes an illegal position. The text names the field, what was
/// found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// A field is missing.
    #[error(
        "{0}: missing (a FEN has the fields placement, side to move, castling rights, en-passant square and, optionally, two clocks)"
    )]
    Missing(&'static str),
    /// There is text behind the sixth field.
    #[error("end: expected nothing behind the move number, found `{0}`")]
    TooManyFields(String),
    /// The first field.
    #[error("placement: {0}")]
    Placement(#[from] PlacementError),
    /// The second field is neither `w` nor `b`.
    #[error("side to move: expected `w` or `b`, found `{0}`")]
    SideToMove(String),
    /// A character of the third field has no meaning.
    #[error("castling rights: expected `-`, letters of `KQkq` or rook files, found `{0}`")]
    CastlingLetter(char),
    /// A castling right without king or rook in place.
    #[error("castling rights: `{0}` is impossible, king or rook is not in its place")]
    ImpossibleCastling(char),
    /// A second right for the same side of the same king.
    #[error("castling rights: `{0}` repeats a right or adds a second rook on the same side")]
    CastlingTwice(char),
    /// The fourth field is not the name of a square.
    #[error("en-passant square: expected `-` or a square, found `{0}`")]
    EnPassantSquare(String),
    /// The fifth or sixth field is not a number in range.
    #[error("{field}: expected a whole number from 0 to {MAX_CLOCK}, found `{found}`")]
    Clock {
        /// Which of the two.
        field: &'static str,
        /// Its text.
        found: String,
    },
}

/// What can be wrong with the placement of the pieces.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// Not eight ranks.
    #[error("expected 8 ranks separated by `/`, found {0}")]
    Ranks(usize),
    /// A rank that is too short or too long.
    #[error("rank {rank} has {squares} squares instead of 8")]
    RankLength {
        /// The rank, `1` to `8`.
        rank: char,
        /// How many squares were described.
        squares: u32,
    },
    /// A letter that names no piece.
    #[error("`{0}` is not a piece")]
    Letter(char),
    /// A side without a king.
    #[error("{} has no king", name(*.0))]
    NoKing(Color),
    /// A side with more than one king.
    #[error("{} has {found} kings", name(*color))]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        found: usize,
    },
    /// More pieces than a side can have, promotions counted.
    #[error("{} has more pieces than eight promotions allow", name(*.0))]
    TooManyPieces(Color),
    /// A pawn where none can be.
    #[error("a pawn stands on the first or last rank")]
    PawnOnBackRank,
    /// The side that has just moved has left its king in check.
    #[error("{} is in check and not to move", name(*.0))]
    OpponentInCheck(Color),
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
