//! A move in two bytes: origin, destination, promotion and kind.

use koel_board::{Move, MoveKind, Position, Role, Square};

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

const PROMOTED: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Packs a move. Captures are not marked: the reader finds them on the board.
pub(super) fn pack_move(m: Move) -> u16 {
    let squares = m.from() as u16 | (m.to() as u16) << 6;
    let code = |role| PROMOTED.iter().position(|&other| other == role).unwrap_or(0) as u16;
    match m.kind() {
        Some(MoveKind::EnPassant) => squares | EN_PASSANT,
        Some(MoveKind::CastleShort | MoveKind::CastleLong) => squares | CASTLING,
        Some(MoveKind::Promotion(role) | MoveKind::PromotionCapture(role)) => {
            squares | code(role) << 12 | PROMOTION
        }
        _ => squares,
    }
}

/// Unpacks a move in a position. It need not be legal there.
pub(super) fn unpack_move(bits: u16, position: &Position) -> Move {
    let from = Square::new(u32::from(bits) & 63);
    let to = Square::new((u32::from(bits) >> 6) & 63);
    let is_capture = position.occupied().contains(to);
    let promoted = PROMOTED[usize::from(bits >> 12 & 3)];
    let is_double_push =
        position.role_at(from) == Some(Role::Pawn) && (from as u8).abs_diff(to as u8) == 16;
    let kind = match bits & PROMOTION {
        PROMOTION if is_capture => MoveKind::PromotionCapture(promoted),
        PROMOTION => MoveKind::Promotion(promoted),
        CASTLING if to > from => MoveKind::CastleShort,
        CASTLING => MoveKind::CastleLong,
        EN_PASSANT => MoveKind::EnPassant,
        _ if is_capture => MoveKind::Capture,
        _ if is_double_push => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    Move::new(from, to, kind)
}
