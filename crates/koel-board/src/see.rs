//! Static exchange evaluation (SEE).

use shakmaty::{Bitboard, Color, Role, Square};

use crate::key::role_index;
use crate::moves::Move;
use crate::position::Position;
use crate::sliders;

/// The piece values of the static exchange evaluation, in centipawns. The king has none, because
/// it cannot be captured.
///
/// ```
/// use koel_board::{Position, SeeValues};
///
/// let values = SeeValues::default();
/// // The rook takes a pawn that a pawn defends.
/// let position = Position::from_fen("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1").unwrap();
/// let m = position.parse_uci("e1e5").unwrap();
/// let [pawn, .., rook, _] = values.values;
/// assert!(position.see_ge(m, pawn - rook, &values));
/// assert!(!position.see_ge(m, pawn - rook + 1, &values));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeeValues {
    /// The values of pawn, knight, bishop, rook and queen.
    pub values: [i32; 5],
}

impl Default for SeeValues {
    fn default() -> SeeValues {
        SeeValues { values: [100, 300, 300, 500, 900] }
    }
}

impl SeeValues {
    /// Returns the value of a role in centipawns; 0 for the king.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, role: Role) -> i32 {
        self.values.get(role_index(role)).copied().unwrap_or(0)
    }
}

impl Position {
    /// Returns true if the static exchange evaluation of a legal move is at least `threshold`: the
    /// gain in centipawns when both sides go on capturing on the destination, each with its least
    /// valuable attacker and each free to stop. The threshold is from -1,000,000,000 to that.
    ///
    /// X-ray attackers behind other sliders take part, and a king never captures a defended piece.
    /// Pins are ignored, and a pawn that recaptures on the last rank does not promote. Castling has
    /// the value 0.
    ///
    /// The method is the swap algorithm with a threshold: one running balance instead of a list of
    /// gains, and an early exit.
    #[must_use]
    pub fn see_ge(&self, m: Move, threshold: i32, values: &SeeValues) -> bool {
        if m.is_castling() {
            return threshold <= 0;
        }
        let to = m.to();
        let (gain, at_risk) = self.initial_gain(m, values);
        // The balance is the gain of the side that has just captured, minus what it needs.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() ^ Bitboard::from(m.from())) | Bitboard::from(to);
        if m.is_en_passant() {
            occupied ^= Bitboard::from(Square::new(to as u32 ^ 8));
        }
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut turn = !self.turn;
        while let Some((role, from)) = self.least_valuable_attacker(turn, attackers) {
            turn = !turn;
            if role == Role::King {
                let without_king = occupied ^ Bitboard::from(from);
                if (self.attackers(to, without_king) & without_king & self.color(turn)).any() {
                    // The king would move into check, so its side cannot capture.
                    turn = !turn;
                    break;
                }
            }
            // If the side has what it needs even after losing this attacker, it wins the exchange.
            balance = -balance - 1 - values.of(role);
            if balance >= 0 {
                break;
            }
            occupied ^= Bitboard::from(from);
            attackers = (attackers | self.x_ray_attackers(role, to, occupied)) & occupied;
        }
        // The side to capture that cannot or need not capture any more has lost the exchange.
        turn != self.turn
    }

    /// Returns the immediate gain of a move (captured piece and promotion) and the value of the
    /// piece that then stands on its destination.
    #[inline(always)]
    fn initial_gain(&self, m: Move, values: &SeeValues) -> (i32, i32) {
        let captured = if m.is_en_passant() { Some(Role::Pawn) } else { self.role_at(m.to()) };
        let gain = captured.map_or(0, |role| values.of(role));
        let mover = self.role_at(m.from()).unwrap_or(Role::Pawn);
        match m.promotion() {
            None => (gain, values.of(mover)),
            Some(role) => (gain + values.of(role) - values.of(Role::Pawn), values.of(role)),
        }
    }

    /// Returns the least valuable of the `attackers` of a colour.
    #[inline(always)]
    fn least_valuable_attacker(&self, color: Color, attackers: Bitboard) -> Option<(Role, Square)> {
        let ours = attackers & self.color(color);
        if ours.is_empty() {
            return None;
        }
        Role::ALL.into_iter().find_map(|role| Some((role, (ours & self.role(role)).first()?)))
    }

    /// Returns the sliders that attack `to`, on the kinds of line that a piece of `role` may have
    /// opened by leaving its square (x-ray attackers).
    #[inline(always)]
    fn x_ray_attackers(&self, role: Role, to: Square, occupied: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
            found |= sliders::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            let orthogonal = self.role(Role::Rook) | self.role(Role::Queen);
            found |= sliders::rook_attacks(to, occupied) & orthogonal;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(fen: &str, m: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_uci(m).unwrap();
        let values = SeeValues::default();
        (-2000..=2000).rev().find(|&threshold| position.see_ge(m, threshold, &values)).unwrap()
    }

    #[test]
    fn worked_examples() {
        // A rook takes an undefended pawn.
        assert_eq!(see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
        // A knight takes a pawn that is defended twice over.
        let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
        assert_eq!(see(fen, "d3e5"), -200);
        // A king may capture an undefended piece only.
        assert_eq!(see("4k3/8/8/8/8/3p4/3K4/8 w - - 0 1", "d2d3"), 100);
        // En passant gains a pawn; the recapture would cost one.
        assert_eq!(see("4k3/3p4/8/1pP5/8/8/8/4K3 w - b6 0 1", "c5b6"), 100);
        // Promotion: a queen for a pawn, then lost to the rook.
        assert_eq!(see("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q"), -100);
        assert_eq!(see("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q"), 1300);
    }
}
