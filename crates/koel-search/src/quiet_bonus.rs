//! The part of a quiet move's ordering score that is not history: what it attacks and escapes.

use koel_board::{Bitboard, Move, Position, Role, SeeValues, Threats, attacks, role_index};

declare! {
    /// Moves away from attacks by lesser pieces are searched early, moves into them late.
    threat_ordering = true;
    /// Quiet moves that give check are ordered before others.
    check_ordering = true;
    /// Move ordering: weights in 1024ths.
    ordering {
        /// The bonus of a piece that leaves the attacks of lesser pieces and the malus of one that
        /// enters them, for each centipawn of its value.
        threat = 30000 in 0..=131072;
        /// The bonus of a quiet move that gives check.
        check = 12000 in 0..=40000;
    }
}

/// Bonuses of the quiet moves of a position.
pub(crate) struct QuietBonus {
    /// The squares from which a piece of each role gives check.
    checks: [Bitboard; Role::ALL.len()],
    /// The squares that pieces of less value attack.
    lesser_attacks: [Bitboard; Role::ALL.len()],
}

impl QuietBonus {
    #[inline]
    pub(crate) fn new(position: &Position, threats: Threats) -> QuietBonus {
        let lesser_attacks = Role::ALL.map(|role| threats.by_less_than(role));
        QuietBonus { checks: checks(position), lesser_attacks }
    }

    /// Returns a bonus for a move that gives check or leaves the attacks of lesser pieces, and a
    /// malus for one that enters them. (Discovered checks are not seen.)
    #[inline]
    pub(crate) fn of(&self, position: &Position, m: Move) -> i32 {
        let Some(role) = position.role_at(m.from()) else { return 0 };
        let mut bonus = 0;
        if check_ordering() {
            bonus += i32::from(self.gives_check(role, m)) * ordering::check();
        }
        if threat_ordering() {
            let value = SeeValues::default().of(role);
            bonus += self.escapes_attack(role, m) * value * ordering::threat() / 1024;
        }
        bonus
    }

    #[inline]
    fn gives_check(&self, role: Role, m: Move) -> bool {
        self.checks[role_index(role)].contains(m.to())
    }

    /// Returns 1 if the move leaves the attacks of lesser pieces, -1 if it enters them.
    #[inline]
    fn escapes_attack(&self, role: Role, m: Move) -> i32 {
        let attacked = self.lesser_attacks[role_index(role)];
        i32::from(attacked.contains(m.from())) - i32::from(attacked.contains(m.to()))
    }
}

/// A piece attacks the king from where a piece of the other colour would be attacked by it.
fn checks(position: &Position) -> [Bitboard; Role::ALL.len()] {
    let (them, occupied) = (!position.turn(), position.occupied());
    let king = position.king(them);
    let diagonal = attacks::bishop_attacks(king, occupied);
    let orthogonal = attacks::rook_attacks(king, occupied);
    let [pawn, knight] = [attacks::pawn_attacks(them, king), attacks::knight_attacks(king)];
    [pawn, knight, diagonal, orthogonal, diagonal | orthogonal, Bitboard::EMPTY]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns 1 if the move leaves the attacks of lesser pieces, -1 if it enters them.
    fn escapes_attack(fen: &str, m: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_uci(m).unwrap();
        let role = position.role_at(m.from()).unwrap();
        QuietBonus::new(&position, position.threats()).escapes_attack(role, m)
    }

    #[test]
    fn leaving_an_attack_is_good_and_entering_one_bad() {
        // A black pawn attacks c4 and e4.
        let knight = "4k3/8/8/3p4/2N5/8/6R1/Q3K3 w - - 0 1";
        assert_eq!(escapes_attack(knight, "c4e3"), 1);
        assert_eq!(escapes_attack(knight, "a1b2"), 0);
        assert_eq!(escapes_attack("4k3/8/8/8/3p4/8/2N3R1/Q3K3 w - - 0 1", "c2e3"), -1);
        // A black bishop attacks the diagonal from a8 to h1.
        assert_eq!(escapes_attack("b3k3/8/8/8/8/8/6R1/Q3K3 w - - 0 1", "g2g3"), 1);
        assert_eq!(escapes_attack("b3k3/8/8/8/8/8/6N1/Q3K3 w - - 0 1", "g2h4"), 0);
        assert_eq!(escapes_attack("b3k3/8/8/8/8/8/6P1/Q3K3 w - - 0 1", "g2g3"), 0);
    }

    #[test]
    fn every_direct_check_has_a_bonus_and_no_other_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/3P4/Q7/4N2B/8/3R4/4K2R w K - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let bonus = QuietBonus::new(&position, Threats::NONE);
            for m in position.legal_moves().into_iter().filter(|m| !m.is_noisy()) {
                let role = position.role_at(m.from()).unwrap();
                let is_direct = position.after(m).checkers().contains(m.to());
                assert_eq!(bonus.gives_check(role, m), is_direct, "{m:?}");
            }
        }
    }
}
