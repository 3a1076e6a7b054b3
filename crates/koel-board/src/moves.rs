//! The 16-bit move encoding.

use std::fmt;

use shakmaty::{Role, Square};

/// A move in sixteen bits: origin (6), destination (6) and kind (4).
///
/// Castling is encoded as king takes own rook, also in standard chess: this form is the only one
/// that is never ambiguous in Chess960. Every 16-bit value is a valid `Move`;
/// [`Position::is_legal`](crate::Position::is_legal) tells whether it is legal in a position.
///
/// ```
/// use koel_board::{Move, Position};
///
/// let start = Position::start();
/// let m = start.parse_san("Nf3").unwrap();
/// let stored: u16 = m.bits(); // in a transposition table, for instance
/// assert_eq!(Move::from_bits(stored), m);
/// assert!(start.is_legal(m) && !m.is_noisy());
/// assert!(!start.is_legal(Move::from_bits(0x1234)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move(u16);

/// The kind of a move, apart from its two squares.
///
/// ```
/// use koel_board::{MoveKind, Position, Square};
///
/// // Castling is the king's move to the square of the rook, so that Chess960 needs nothing more.
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// let m = position.parse_uci("e1g1")?;
/// assert_eq!(m.kind(), Some(MoveKind::CastleShort));
/// assert_eq!((m.from(), m.to()), (Square::E1, Square::H1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveKind {
    /// A move to an empty square that is none of the special kinds below.
    Quiet,
    /// A pawn's first move by two squares.
    DoublePush,
    /// Castling on the king's side; the destination is the rook's square.
    CastleShort,
    /// Castling on the queen's side; the destination is the rook's square.
    CastleLong,
    /// A capture of the piece on the destination.
    Capture,
    /// An en-passant capture.
    EnPassant,
    /// A promotion to the given role on an empty square.
    Promotion(Role),
    /// A capture that promotes to the given role.
    PromotionCapture(Role),
}

const CAPTURE_BIT: u16 = 4 << 12;
const PROMOTION_BIT: u16 = 8 << 12;
const PROMOTION_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Move {
    /// The null value: all bits zero. Never legal.
    pub const NONE: Move = Move(0);

    /// Creates a move. A promotion to a pawn or a king is encoded as a promotion to a knight.
    #[inline(always)]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let code = match kind {
            MoveKind::Quiet => 0,
            MoveKind::DoublePush => 1,
            MoveKind::CastleShort => 2,
            MoveKind::CastleLong => 3,
            MoveKind::Capture => 4,
            MoveKind::EnPassant => 5,
            MoveKind::Promotion(role) => 8 + promotion_code(role),
            MoveKind::PromotionCapture(role) => 12 + promotion_code(role),
        };
        Move(from as u16 | (to as u16) << 6 | code << 12)
    }

    /// Creates a move of a piece other than a pawn: a capture if `is_capture`, else a quiet move.
    #[inline(always)]
    pub(crate) const fn of_piece(from: Square, to: Square, is_capture: bool) -> Move {
        Move(from as u16 | (to as u16) << 6 | (is_capture as u16) << 14)
    }

    /// Creates the castling move of a king and a rook on these squares.
    #[inline(always)]
    pub(crate) const fn castling(king: Square, rook: Square) -> Move {
        let is_short = rook as u8 > king as u8;
        let kind = if is_short { MoveKind::CastleShort } else { MoveKind::CastleLong };
        Move::new(king, rook, kind)
    }

    /// Creates a move from any 16 bits, for example from a transposition table entry.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Returns the 16 bits of the encoding.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns true if this is [`Move::NONE`].
    #[inline(always)]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the origin square.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new(self.0 as u32 & 63)
    }

    /// Returns the destination square; for castling, the square of the rook.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.0 as u32 >> 6) & 63)
    }

    /// Returns the kind, or `None` for the two codes that are not assigned.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> Option<MoveKind> {
        Some(match self.0 >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::CastleShort,
            3 => MoveKind::CastleLong,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            6 | 7 => return None,
            code if code < 12 => MoveKind::Promotion(PROMOTION_ROLES[code as usize & 3]),
            code => MoveKind::PromotionCapture(PROMOTION_ROLES[code as usize & 3]),
        })
    }

    /// Returns true for captures, including en passant.
    #[inline(always)]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0 & CAPTURE_BIT != 0
    }

    /// Returns the role that a pawn promotes to.
    #[inline(always)]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        if self.0 & PROMOTION_BIT == 0 {
            return None;
        }
        Some(PROMOTION_ROLES[(self.0 >> 12) as usize & 3])
    }

    /// Returns true for captures and promotions; every other move is quiet.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let position = Position::from_fen("4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// assert!(position.parse_uci("e4d5")?.is_noisy(), "a capture");
    /// assert!(position.parse_uci("a7a8q")?.is_noisy(), "a promotion");
    /// assert!(!position.parse_uci("e4e5")?.is_noisy());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn is_noisy(self) -> bool {
        self.0 & (CAPTURE_BIT | PROMOTION_BIT) != 0
    }

    /// Returns true for castling, on either side.
    #[inline(always)]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        self.0 >> 13 == 1
    }

    /// Returns true for an en-passant capture.
    #[inline(always)]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == 5
    }

    /// Returns true for a pawn's advance by two squares.
    #[inline(always)]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.0 >> 12 == 1
    }
}

impl From<u16> for Move {
    fn from(bits: u16) -> Move {
        Move::from_bits(bits)
    }
}

impl From<Move> for u16 {
    fn from(m: Move) -> u16 {
        m.bits()
    }
}

const fn promotion_code(role: Role) -> u16 {
    match role {
        Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 3,
        Role::Pawn | Role::Knight | Role::King => 0,
    }
}

impl fmt::Display for Move {
    /// Writes origin, destination and promotion, castling as king takes rook (the notation of
    /// `UCI_Chess960`); `0000` for [`Move::NONE`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self}, {:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assigned_code_round_trips_through_its_parts() {
        let mut assigned = 0;
        for bits in 0..=u16::MAX {
            let m = Move::from_bits(bits);
            let Some(kind) = m.kind() else { continue };
            assigned += 1;
            assert_eq!(Move::new(m.from(), m.to(), kind), m);
            assert_eq!(m.promotion().is_some(), bits >> 15 == 1);
            assert_eq!(
                m.is_capture(),
                matches!(
                    kind,
                    MoveKind::Capture | MoveKind::EnPassant | MoveKind::PromotionCapture(_)
                )
            );
            assert_eq!(
                m.is_castling(),
                matches!(kind, MoveKind::CastleShort | MoveKind::CastleLong)
            );
        }
        assert_eq!(assigned, 14 << 12);
    }

    #[test]
    fn castling_is_printed_as_king_takes_rook() {
        let castle = Move::new(Square::E1, Square::H1, MoveKind::CastleShort);
        assert_eq!(castle.to_string(), "e1h1");
        let promotion = Move::new(Square::A7, Square::B8, MoveKind::PromotionCapture(Role::Queen));
        assert_eq!(promotion.to_string(), "a7b8q");
        assert_eq!(Move::NONE.to_string(), "0000");
    }
}
