//! Move notation: UCI with both castling notations, and SAN, parsed and printed.

use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingSide, Role, Square};
use thiserror::Error;

use crate::moves::Move;
use crate::position::Position;

/// The notation of castling in UCI.
///
/// ```
/// use koel_board::{CastlingNotation, Position};
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// let m = position.parse_san("O-O")?;
/// assert_eq!(m.uci(CastlingNotation::Standard), "e1g1");
/// assert_eq!(m.uci(CastlingNotation::Chess960), "e1h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// The king's origin and destination: `e1g1`.
    #[default]
    Standard,
    /// King takes own rook, as `UCI_Chess960` requires: `e1h1`.
    Chess960,
}

/// The error for text that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseMoveError {
    /// The text does not have the form of a UCI move.
    #[error("`{0}` is not a move (expected origin, destination and promotion: `e2e4`, `e7e8q`)")]
    NotUci(String),
    /// The text does not have the form of a SAN move.
    #[error("`{0}` is not a move in algebraic notation")]
    NotSan(String),
    /// The move is well formed, but not legal in this position.
    #[error("`{text}` is not a legal move in {position}")]
    Illegal {
        /// The move as written.
        text: String,
        /// The FEN of the position.
        position: String,
    },
    /// The text fits more than one legal move.
    #[error("`{text}` fits more than one legal move in {position}")]
    Ambiguous {
        /// The move as written.
        text: String,
        /// The FEN of the position.
        position: String,
    },
}

impl Move {
    /// Formats the move in UCI notation, which does not depend on the position.
    #[must_use]
    pub fn uci(self, castling: CastlingNotation) -> String {
        if self.is_castling() {
            return format!("{}{}", self.from(), self.uci_to(castling));
        }
        self.to_string()
    }

    /// Returns the second square of the UCI notation. It differs from [`to`](Self::to) for castling
    /// in standard notation, where it is the king's destination instead of the rook's square.
    #[must_use]
    pub fn uci_to(self, castling: CastlingNotation) -> Square {
        let is_king_move = self.is_castling() && castling == CastlingNotation::Standard;
        if is_king_move { self.castling_king_to() } else { self.to() }
    }

    /// Returns the king's destination when castling; the king stays on its rank.
    fn castling_king_to(self) -> Square {
        let side = CastlingSide::from_king_side(self.to() > self.from());
        Square::from_coords(side.king_to_file(), self.from().rank())
    }
}

impl Position {
    /// Parses a legal move in UCI notation. Castling is accepted in both notations; text that fits
    /// both castling and a plain king move is read as the king move.
    ///
    /// # Errors
    /// The text is not a move, or the move is not legal in this position.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let position = Position::start();
    /// assert_eq!(position.san(position.parse_uci("g1f3")?), "Nf3");
    /// let error = position.parse_uci("g1g3").unwrap_err().to_string();
    /// assert!(error.starts_with("`g1g3` is not a legal move in rnbqkbnr/"));
    /// # Ok::<(), koel_board::ParseMoveError>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (from, to, promotion) =
            split_uci(text).ok_or_else(|| ParseMoveError::NotUci(text.to_owned()))?;
        let moves = self.legal_moves();
        let find = |matches: &dyn Fn(&Move) -> bool| moves.iter().copied().find(matches);
        find(&|m| (m.from(), m.to(), m.promotion()) == (from, to, promotion))
            .or_else(|| {
                find(&|m| m.is_castling() && m.from() == from && m.castling_king_to() == to)
                    .filter(|_| promotion.is_none())
            })
            .ok_or_else(|| ParseMoveError::Illegal {
                text: text.to_owned(),
                position: self.to_string(),
            })
    }

    /// Formats a legal move in UCI notation.
    #[must_use]
    pub fn uci(&self, m: Move, castling: CastlingNotation) -> String {
        m.uci(castling)
    }

    /// Parses a legal move in standard algebraic notation, with or without `+` and `#`.
    ///
    /// # Errors
    /// The text is not a move, the move is not legal in this position, or it is ambiguous.
    ///
    /// ```
    /// use koel_board::{CastlingNotation, Position};
    ///
    /// let position = Position::start();
    /// let m = position.parse_san("Nf3")?;
    /// assert_eq!(m.uci(CastlingNotation::Standard), "g1f3");
    /// assert!(position.parse_san("Nd2").is_err());
    /// # Ok::<(), koel_board::ParseMoveError>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        use shakmaty::san::SanError;
        let san: SanPlus = text.parse().map_err(|_| ParseMoveError::NotSan(text.to_owned()))?;
        let context = || (text.to_owned(), self.to_string());
        match san.san.to_move(&self.to_shakmaty()) {
            Ok(m) => Ok(self.from_shakmaty_move(m)),
            Err(SanError::AmbiguousSan) => {
                let (text, position) = context();
                Err(ParseMoveError::Ambiguous { text, position })
            }
            Err(_) => {
                let (text, position) = context();
                Err(ParseMoveError::Illegal { text, position })
            }
        }
    }

    /// Formats a legal move in standard algebraic notation, with `+` for check and `#` for mate.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// // Both knights reach d2, and the move gives no check.
    /// let position = Position::from_fen("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1")?;
    /// assert_eq!(position.san(position.parse_uci("b3d2")?), "Nbd2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn san(&self, m: Move) -> String {
        let san = San::from_move(&self.to_shakmaty(), self.to_shakmaty_move(m)).to_string();
        let mark = match self.gives_check(m) {
            false => "",
            true if self.after(m).has_legal_moves() => "+",
            true => "#",
        };
        format!("{san}{mark}")
    }
}

fn split_uci(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?.chars();
    let promotion = match rest.next() {
        None => None,
        Some(letter) => {
            Some(Role::from_char(letter).filter(|role| !matches!(role, Role::Pawn | Role::King))?)
        }
    };
    rest.next().is_none().then_some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_parsed_in_both_notations() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for text in ["e1g1", "e1h1"] {
            let m = position.parse_uci(text).unwrap();
            assert!(m.is_castling());
            assert_eq!(position.uci(m, CastlingNotation::Standard), "e1g1");
            assert_eq!(position.uci(m, CastlingNotation::Chess960), "e1h1");
            assert_eq!(position.san(m), "O-O");
        }
    }

    #[test]
    fn a_king_move_takes_precedence_over_castling() {
        // King f1, rook h1: f1g1 is a king move, f1h1 is castling.
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert!(!position.parse_uci("f1g1").unwrap().is_castling());
        assert!(position.parse_uci("f1h1").unwrap().is_castling());
    }

    #[test]
    fn errors_name_the_reason() {
        let position = Position::start();
        for text in ["", "e2", "e2e9", "e7e8k", "e7e8qq", "é2e4", "0000"] {
            assert_eq!(position.parse_uci(text), Err(ParseMoveError::NotUci(text.to_owned())));
        }
        assert!(matches!(position.parse_uci("e2e5"), Err(ParseMoveError::Illegal { .. })));
        assert!(matches!(position.parse_uci("e2e4q"), Err(ParseMoveError::Illegal { .. })));
        assert!(matches!(position.parse_san("Nz3"), Err(ParseMoveError::NotSan(_))));
        assert!(matches!(position.parse_san("Nd2"), Err(ParseMoveError::Illegal { .. })));
        let two_knights = Position::from_fen("4k3/8/8/8/8/8/3K4/1N3N2 w - - 0 1").unwrap();
        assert!(two_knights.parse_san("Ng3").is_ok());
        let ambiguous = Position::from_fen("4k3/8/8/8/3N3N/8/3K4/8 w - - 0 1").unwrap();
        assert!(matches!(ambiguous.parse_san("Nf3"), Err(ParseMoveError::Ambiguous { .. })));
    }

    #[test]
    fn mate_and_check_are_marked() {
        let mut position = Position::start();
        for san in ["f3", "e5", "g4"] {
            position.play(position.parse_san(san).unwrap());
        }
        let m = position.parse_uci("d8h4").unwrap();
        assert_eq!(position.san(m), "Qh4#");
        assert_eq!(position.mate_in_one(), Some(m));
    }
}
