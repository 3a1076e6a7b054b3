//! A move in sixteen bits.

use std::fmt;

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// The most legal moves a position can have is 218 (Petrović, 1964); the rest is head-room for
/// positions that no game reaches.
pub const MAX_MOVES: usize = 256;

/// Moves of one position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move in sixteen bits: origin (6), destination (6) and kind (4).
///
/// Castling is written king-takes-own-rook, in standard chess too: that is the only form that is
/// never ambiguous in Chess960. Any 16-bit value can be held; whether it means anything in a
/// position is for [`Position::is_legal`](crate::Position::is_legal) to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

/// What a move does besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum MoveKind {
    /// To an empty square, with nothing special about it.
    Quiet,
    /// A pawn's first move by two squares.
    DoublePush,
    /// Castling on the h-side; the destination is the rook's square.
    CastleShort,
    /// Castling on the a-side; the destination is the rook's square.
    CastleLong,
    /// Takes what stands on the destination.
    Capture,
    /// A pawn takes the pawn that has just passed it.
    EnPassant,
    /// A pawn becomes the given piece on an empty square.
    Promotion(Role),
    /// A pawn takes on the last rank and becomes the given piece.
    PromotionCapture(Role),
}

const CAPTURE_BIT: u16 = 4 << 12;
const PROMOTION_BIT: u16 = 8 << 12;
const PROMOTION_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Move {
    /// No move: all bits zero. Never legal.
    pub const NONE: Move = Move(0);

    /// Puts a move together. A promotion to a pawn or a king is written as one to a knight.
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

    /// A move by a piece other than a pawn, a capture if `is_capture`.
    #[inline(always)]
    pub(crate) const fn of_piece(from: Square, to: Square, is_capture: bool) -> Move {
        Move(from as u16 | (to as u16) << 6 | (is_capture as u16) << 14)
    }

    /// Castling of the king and rook on these squares.
    #[inline(always)]
    pub(crate) const fn castling(king: Square, rook: Square) -> Move {
        let is_short = rook as u8 > king as u8;
        let kind = if is_short { MoveKind::CastleShort } else { MoveKind::CastleLong };
        Move::new(king, rook, kind)
    }

    /// Any 16 bits as a move, as read from a table that other threads write.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The 16 bits.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether this is [`Move::NONE`].
    #[inline(always)]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The square the moving piece leaves.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new(self.0 as u32 & 63)
    }

    /// The square it goes to; for castling that of the rook.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.0 as u32 >> 6) & 63)
    }

    /// The kind, or `None` for the two codes that mean nothing.
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

    /// Whether something is taken, en passant included.
    #[inline(always)]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0 & CAPTURE_BIT != 0
    }

    /// What a pawn becomes.
    #[inline(always)]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        if self.0 & PROMOTION_BIT == 0 {
            return None;
        }
        Some(PROMOTION_ROLES[(self.0 >> 12) as usize & 3])
    }

    /// A capture or a promotion; every other move is quiet.
    #[inline(always)]
    #[must_use]
    pub const fn is_noisy(self) -> bool {
        self.0 & (CAPTURE_BIT | PROMOTION_BIT) != 0
    }

    /// Whether this is castling, to either side.
    #[inline(always)]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        self.0 >> 13 == 1
    }

    /// Whether this is an en-passant capture.
    #[inline(always)]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == 5
    }

    /// Whether a pawn advances by two squares.
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
    /// Origin, destination and promotion, castling as king takes rook (the notation of
    /// `UCI_Chess960`); `0000` for no move.
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
    fn every_meaningful_value_survives_taking_apart() {
        let mut meaningful = 0;
        for bits in 0..=u16::MAX {
            let m = Move::from_bits(bits);
            let Some(kind) = m.kind() else { continue };
            meaningful += 1;
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
        assert_eq!(meaningful, 14 << 12);
    }

    #[test]
    fn prints_as_king_takes_rook() {
        let castle = Move::new(Square::E1, Square::H1, MoveKind::CastleShort);
        assert_eq!(castle.to_string(), "e1h1");
        let promotion = Move::new(Square::A7, Square::B8, MoveKind::PromotionCapture(Role::Queen));
        assert_eq!(promotion.to_string(), "a7b8q");
        assert_eq!(Move::NONE.to_string(), "0000");
    }
}
