use koel_board::attacks;

use crate::steps::prelude::*;

declare! { pub(super) refutes = false; }

impl Node<'_> {
    /// Lets the picker go on with the quiet moves where there is a threat, and returns true if the
    /// picked move is skipped: a quiet one that does not parry it. (Stockfish 2 to 4.)
    pub(crate) fn is_late_and_refutes_nothing(
        &self,
        picker: &mut MovePicker,
        picked: &PickedMove,
    ) -> bool {
        if !refutes() || self.threat.is_none() {
            return false;
        }
        picker.skips_quiets = false;
        picked.is_quiet() && !self.refutes_threat(picked.m)
    }

    /// Returns true if a move parries the threat of the opponent: it moves the threatened piece,
    /// guards its square against a piece of no less value, or blocks the way without being lost.
    /// (Stockfish 2 to 4.)
    pub(super) fn refutes_threat(&self, m: Move) -> bool {
        let (position, threat) = (self.position, self.threat);
        let values = SeeValues::default();
        let value = |square| match position.role_at(square) {
            Some(Role::King) | None => i32::MAX,
            Some(role) => values.of(role),
        };
        let Some(piece) = position.piece_at(m.from()) else { return false };
        let moved = Bitboard::from(m.from()) | Bitboard::from(threat.from());
        let occupied = (position.occupied() & !moved) | Bitboard::from(m.to());
        let is_guard = || {
            threat.is_capture()
                && value(threat.from()) >= value(threat.to())
                && attacks::attacks(m.to(), piece, occupied).contains(threat.to())
        };
        let is_block = || {
            attacks::between(threat.from(), threat.to()).contains(m.to())
                && position.see_ge(m, 0, &values)
        };
        m.from() == threat.to() || is_guard() || is_block()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// Returns true if a move of this position refutes a threat of the other side.
    fn refutes_threat(fen: &str, m: &str, threat: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let mut passed = position.clone();
        passed.play_null();
        let (m, threat) = (position.parse_uci(m).unwrap(), passed.parse_uci(threat).unwrap());
        let node = Node { threat, ..Node::new(&position, 1, cut_node(3, 0)) };
        node.refutes_threat(m)
    }

    #[test]
    fn a_move_refutes_a_threat_by_flight_guard_or_block() {
        // The rook on a8 threatens the knight on a2.
        let rook = "r5k1/8/8/1B6/8/1P6/N7/4K1B1 w - - 0 1";
        assert!(refutes_threat(rook, "a2c3", "a8a2"), "flight");
        assert!(refutes_threat(rook, "b5a4", "a8a2"), "block");
        assert!(!refutes_threat(rook, "g1d4", "a8a2"), "neither");
        assert!(!refutes_threat(rook, "g1a7", "a8a2"), "a block that loses the bishop");
        let guarded = "r3k3/8/8/8/8/3B4/N7/4K3 w - - 0 1";
        assert!(refutes_threat(guarded, "d3c4", "a8a2"), "guard");
        // A pawn's threat is not parried by a guard.
        let pawn = "4k3/8/8/8/8/1p6/N7/3BK3 w - - 0 1";
        assert!(!refutes_threat(pawn, "d1f3", "b3a2") && !refutes_threat(pawn, "d1e2", "b3a2"));
    }
}
