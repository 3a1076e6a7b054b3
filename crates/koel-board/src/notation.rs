//! Moves from and to text: UCI in both castling notations, and SAN.

use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingSide, Role, Square};
use thiserror::Error;

use crate::moves::Move;
use crate::position::Position;

/// How castling is written in UCI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// By the squares the king leaves and reaches: `e1g1`.
    #[default]
    Standard,
    /// King takes own rook, as `UCI_Chess960` wants it: `e1h1`.
    Chess960,
}

/// Text that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseMoveError {
    /// Not a move in UCI notation at all.
    #[error("`{0}` is not a move (expected origin, destination and promotion: `e2e4`, `e7e8q`)")]
    NotUci(String),
    /// Not a move in SAN at all.
    #[error("`{0}` is not a move in algebraic notation")]
    NotSan(String),
    /// Well formed, but not legal in this position.
    #[error("`{text}` is not a legal move in {position}")]
    Illegal {
        /// The move as written.
        text: String,
        /// The FEN of the position.
        position: String,
    },
    /// More than one legal move is meant by it.
    #[error("`{text}` means more than one legal move in {position}")]
    Ambiguous {
        /// The move as written.
        text: String,
        /// The FEN of the position.
        position: String,
    },
}

impl Move {
    /// Writes a legal move in UCI notation, which is the same in every position.
    #[must_use]
    pub fn uci(self, castling: CastlingNotation) -> String {
        if self.is_castling() {
            return format!("{}{}", self.from(), self.uci_to(castling));
        }
        self.to_string()
    }

    /// The square that UCI writes second, after [`from`](Self::from): where castling is written as
    /// the king's move, that is not the rook's.
    #[must_use]
    pub fn uci_to(self, castling: CastlingNotation) -> Square {
        let is_kings_move = self.is_castling() && castling == CastlingNotation::Standard;
        if is_kings_move { self.king_goes_to() } else { self.to() }
    }

    /// Where castling takes the king, which stays on its rank.
    fn king_goes_to(self) -> Square {
        let side = CastlingSide::from_king_side(self.to() > self.from());
        Square::from_coords(side.king_to_file(), self.from().rank())
    }
}

impl Position {
    /// Reads a legal move in UCI notation. Castling is understood in both notations; where the
    /// text can also mean a plain king's move, it means that.
    ///
    /// # Errors
    /// The text is no move, or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (from, to, promotion) =
            split_uci(text).ok_or_else(|| ParseMoveError::NotUci(text.to_owned()))?;
        let moves = self.legal_moves();
        let matching = |is_meant: &dyn Fn(&Move) -> bool| moves.iter().copied().find(is_meant);
        matching(&|m| (m.from(), m.to(), m.promotion()) == (from, to, promotion))
            .or_else(|| {
                matching(&|m| m.is_castling() && m.from() == from && m.king_goes_to() == to)
                    .filter(|_| promotion.is_none())
            })
            .ok_or_else(|| ParseMoveError::Illegal {
                text: text.to_owned(),
                position: self.to_string(),
            })
    }

    /// Writes a legal move in UCI notation.
    #[must_use]
    pub fn uci(&self, m: Move, castling: CastlingNotation) -> String {
        m.uci(castling)
    }

    /// Reads a legal move in standard algebraic notation, with or without check marks.
    ///
    /// # Errors
    /// The text is no move, the move is not legal here, or several moves fit it.
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

    /// Writes a legal move in standard algebraic notation, with `+` or `#` where due.
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
    fn castling_is_read_in_both_notations() {
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
    fn a_kings_step_is_preferred_to_castling() {
        // King f1, rook h1: f1g1 is a step, f1h1 is castling.
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert!(!position.parse_uci("f1g1").unwrap().is_castling());
        assert!(position.parse_uci("f1h1").unwrap().is_castling());
    }

    #[test]
    fn errors_say_what_was_wrong() {
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
