use koel_board::attacks;

use crate::steps::prelude::*;

declare! { pub(super) null_move_threat_permitted = false; }

impl Search<'_> {
    /// Lets a node fail low if the move that led to it was reduced and allowed the threat of the
    /// refuted null move: that move is searched again at full depth. (Threat move; a reduced move
    /// that allows it, Stockfish 2.)
    pub(crate) fn null_move_threat_permitted(
        &self,
        node: &mut Node<'_>,
        refutation: PathScore,
    ) -> ControlFlow<Score> {
        if null_move_threat_permitted() && self.last_move_allows_threat(node) {
            node.dependence = refutation.dependence.for_bound(Bound::Upper);
            return Break(node.window.beta - 1);
        }
        Continue(())
    }

    /// Returns true if the node is shallow and follows a reduced move that allowed its threat.
    pub(super) fn last_move_allows_threat(&self, node: &Node<'_>) -> bool {
        let before = self.worker.stack.before(node.ply, 1);
        node.depth < Depth(5)
            && before.reduction > 0
            && !node.threat.is_none()
            && node.allows(before.current_move, node.threat)
    }
}

impl Node<'_> {
    /// Returns true if the opponent's last move made another move of the opponent possible or
    /// better: it is the same piece's, goes through the square left by it or to that square, or is
    /// supported by the piece that moved.
    fn allows(&self, last: Move, threat: Move) -> bool {
        let position = self.position;
        let Some(piece) = position.piece_at(last.to()) else { return false };
        let occupied = position.occupied() ^ Bitboard::from(threat.from());
        last.to() == threat.from()
            || last.from() == threat.to()
            || attacks::between(threat.from(), threat.to()).contains(last.from())
            || attacks::attacks(last.to(), piece, occupied).contains(threat.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    /// Returns true if a move of this position allows another move of the same side.
    fn allows(fen: &str, last: &str, threat: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let last = position.parse_uci(last).unwrap();
        let position = position.after(last);
        let mut passed = position.clone();
        passed.play_null();
        let threat = passed.parse_uci(threat).unwrap();
        Node::new(&position, 1, cut_node(3, 0)).allows(last, threat)
    }

    #[test]
    fn a_move_allows_what_it_makes_possible_or_supports() {
        let rook = "r3k1n1/8/8/8/8/8/1B6/6K1 b - - 0 1";
        assert!(allows(rook, "a8a2", "a2b2"), "the same piece");
        assert!(!allows(rook, "g8f6", "a8a2"), "another piece");
        let bishop = "2b1k3/3n4/8/8/8/8/1P6/6K1 b - - 0 1";
        assert!(allows(bishop, "d7f6", "c8h3"), "through the square that was left");
        assert!(!allows(bishop, "d7f6", "c8b7"), "by another line");
        let knights = "1n2k3/8/2n5/8/8/8/8/6K1 b - - 0 1";
        assert!(allows(knights, "b8a6", "c6b8"), "to the square that was left");
        let pair = "3qk3/8/8/8/6n1/8/5P2/6K1 b - - 0 1";
        assert!(allows(pair, "d8b6", "g4f2"), "supported");
        assert!(!allows(pair, "d8a8", "g4f2"), "not supported");
        let battery = "4k3/8/8/1b6/2q5/8/8/5R1K b - - 0 1";
        assert!(allows(battery, "b5a6", "c4f1"), "supported through the piece that moves");
    }
}
