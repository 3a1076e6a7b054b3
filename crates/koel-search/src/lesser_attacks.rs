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

#[cfg(test)]
mod tests {
    use super::*;

    /// The sign of the score of a move.
    fn sign(fen: &str, m: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_uci(m).unwrap();
        LesserAttacks::new(&position).score(&position, m).signum()
    }

    #[test]
    fn leaving_an_attack_is_good_and_entering_one_bad() {
        // A black pawn attacks c4 and e4.
        let knight = "4k3/8/8/3p4/2N5/8/6R1/Q3K3 w - - 0 1";
        assert_eq!(sign(knight, "c4e3"), 1);
        assert_eq!(sign(knight, "a1a4"), 0);
        assert_eq!(sign("4k3/8/8/8/3p4/8/2N3R1/Q3K3 w - - 0 1", "c2e3"), -1);
        // A black bishop attacks the diagonal from a8 to h1.
        assert_eq!(sign("b3k3/8/8/8/8/8/6R1/Q3K3 w - - 0 1", "g2g3"), 1);
        assert_eq!(sign("b3k3/8/8/8/8/8/6N1/Q3K3 w - - 0 1", "g2h4"), 0);
        assert_eq!(sign("b3k3/8/8/8/8/8/6P1/Q3K3 w - - 0 1", "g2g3"), 0);
    }
}
