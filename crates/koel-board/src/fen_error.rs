//! The errors of FEN parsing.

use shakmaty::Color;
use thiserror::Error;

/// The largest move number and halfmove clock accepted in a FEN.
pub const MAX_CLOCK: u32 = 9999;

/// The error for a FEN that is malformed or describes an illegal position. The message names the
/// field, what was found and what was expected.
///
/// ```
/// use koel_board::Position;
///
/// let error = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1");
/// let error = error.unwrap_err().to_string();
/// assert_eq!(error, "placement: rank 1 has 7 squares instead of 8");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// A field is missing.
    #[error(
        "{0}: missing (a FEN has the fields placement, side to move, castling rights, en-passant \
         square and, optionally, two clocks)"
    )]
    Missing(&'static str),
    /// There is text after the sixth field.
    #[error("end: expected nothing after the move number, found `{0}`")]
    TooManyFields(String),
    /// The first field is wrong.
    #[error("placement: {0}")]
    Placement(#[from] PlacementError),
    /// The second field is neither `w` nor `b`.
    #[error("side to move: expected `w` or `b`, found `{0}`")]
    SideToMove(String),
    /// A character of the third field is unknown.
    #[error("castling rights: expected `-`, letters of `KQkq` or rook files, found `{0}`")]
    CastlingLetter(char),
    /// A castling right whose king or rook is not in place.
    #[error("castling rights: `{0}` is impossible, the king or rook is not in place")]
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
        /// The name of the field.
        field: &'static str,
        /// The text of the field.
        found: String,
    },
}

/// The error for a malformed or illegal placement of the pieces.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// The field does not describe eight ranks.
    #[error("expected 8 ranks separated by `/`, found {0}")]
    Ranks(usize),
    /// A rank that is too short or too long.
    #[error("rank {rank} has {squares} squares instead of 8")]
    RankLength {
        /// The rank, `1` to `8`.
        rank: char,
        /// The number of squares described.
        squares: u32,
    },
    /// Two digits side by side.
    #[error(
        "rank {rank} has two digits side by side, expected one number for adjacent empty squares"
    )]
    TwoDigits {
        /// The rank, `1` to `8`.
        rank: char,
    },
    /// A letter that is not a piece.
    #[error("`{0}` is not a piece")]
    Letter(char),
    /// A side without a king.
    #[error("{} has no king", name(*.0))]
    NoKing(Color),
    /// A side with more than one king.
    #[error("{} has {found} kings", name(*color))]
    Kings {
        /// The side.
        color: Color,
        /// The number of its kings.
        found: usize,
    },
    /// A side with more pieces than its promotions can explain.
    #[error("{} has more pieces than eight promotions allow", name(*.0))]
    TooManyPieces(Color),
    /// A pawn on the first or last rank.
    #[error("a pawn stands on the first or last rank")]
    PawnOnBackRank,
    /// The side that has just moved is in check.
    #[error("{} is in check and not to move", name(*.0))]
    OpponentInCheck(Color),
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}
