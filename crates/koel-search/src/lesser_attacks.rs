//! Attacks by lesser pieces, which a quiet move may leave or enter.

use koel_board::{Bitboard, Move, Piece, Position, Role, SeeValues, attacks};

use crate::params::ordering;

/// The squares that pieces of less value attack, by the role of the attacked piece: pawns attack
/// minor pieces, minor pieces rooks too, and rooks queens too.
pub(crate) struct LesserAttacks {
    minor: Bitboard,
    rook: Bitboard,
    queen: Bitboard,
}

impl LesserAttacks {
    /// The attacks on pieces of the side to move.
    pub(crate) fn new(position: &Position) -> LesserAttacks {
        let (them, occupied) = (!position.turn(), position.occupied());
        let attacked_by = |role| {
            let piece = Piece { color: them, role };
            let of = |from| attacks::attacks(from, piece, occupied);
            position.pieces(them, role).into_iter().map(of).fold(Bitboard::EMPTY, |a, b| a | b)
        };
        let minor = attacked_by(Role::Pawn);
        let rook = minor | attacked_by(Role::Knight) | attacked_by(Role::Bishop);
        LesserAttacks { minor, rook, queen: rook | attacked_by(Role::Rook) }
    }

    /// A bonus for a quiet move that leaves the attacks, a malus for one that enters them.
    #[inline]
    pub(crate) fn score(&self, position: &Position, m: Move) -> i32 {
        let Some(role) = position.role_at(m.from()) else { return 0 };
        let attacked = match role {
            Role::Pawn | Role::King => return 0,
            Role::Knight | Role::Bishop => self.minor,
            Role::Rook => self.rook,
            Role::Queen => self.queen,
        };
        let change = i32::from(attacked.contains(m.from())) - i32::from(attacked.contains(m.to()));
        change * SeeValues::default().of(role) * ordering::threat() / 1024
    }
}
