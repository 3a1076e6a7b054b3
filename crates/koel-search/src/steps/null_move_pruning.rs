use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::{Bitboard, Move, Role, SeeValues, attacks};
use koel_tt::Bound;

use crate::features;
use crate::node::{Node, SearchArgs};
use crate::params::null_move;
use crate::path::PathScore;
use crate::score::{Depth, Score};
use crate::search::{NonPv, Search};

impl Search<'_> {
    /// Cuts the node if a shallower search after a null move reaches beta: some move will, too. It
    /// saves whole subtrees of winning positions and fails in zugzwang, hence the need for pieces
    /// and, at high depth, for a verification search. (Null move pruning; verified null move
    /// pruning.)
    pub(crate) fn null_move_pruning(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if !features::null_move() || !self.null_move_is_allowed(node) {
            return Continue(());
        }
        let beta = node.window.beta;
        let gain = (node.eval - beta) / null_move::eval_divisor();
        let reduction = null_move::base()
            + node.depth.0 / null_move::depth_divisor()
            + gain.min(null_move::max_eval_reduction());
        let depth = node.depth - reduction;
        let args =
            SearchArgs { window: -node.window.null_window_at_beta(), depth, is_cut_node: false };
        if Self::remembers_threats() {
            self.worker.stack[node.ply + 1].threat_move = Move::NONE;
        }
        let result = self.make_null_move(node, |search, child| {
            -search.search::<NonPv>(Node::new(child, node.ply + 1, args))
        });
        self.leave_if_stopped()?;
        if result.score < beta {
            return self.remember_threat(node, result);
        }
        // A mate after a null move proves no more than that beta is reached.
        let score = if result.score.is_decided() { beta } else { result.score };
        let result = PathScore { score, ..result };
        let needs_verification =
            node.depth >= Depth(null_move::verification_min_depth()) || node.may_be_in_zugzwang();
        if !features::null_move_verification() || !needs_verification {
            node.dependence = result.dependence.for_bound(Bound::Lower);
            return Break(score);
        }
        self.verify_null_move(node, depth, result)
    }

    #[inline]
    fn null_move_is_allowed(&self, node: &Node<'_>) -> bool {
        let slack = null_move::static_slope() * node.depth.0 - null_move::static_base();
        node.is_cut_node
            && node.depth >= Depth(null_move::min_depth())
            && node.eval >= node.window.beta
            && node.static_eval + slack >= node.window.beta
            && node.ply >= self.null_move_min_ply
            && !self.worker.stack.before(node.ply, 1).current_move.is_none()
            && node.position.has_pieces(node.position.turn())
    }

    /// Returns true if some feature uses the move that refuted a null move.
    #[inline(always)]
    pub(crate) fn remembers_threats() -> bool {
        features::null_move_threat()
            || features::null_move_threat_permitted()
            || features::refutes()
    }

    /// Remembers the threat of a refuted null move. If the move that led to the node was reduced
    /// and permitted the threat the node fails low, so that this move is searched again at full
    /// depth. (Threat move; a reduced move that allows it, Stockfish 2.)
    fn remember_threat(
        &mut self,
        node: &mut Node<'_>,
        refutation: PathScore,
    ) -> ControlFlow<Score> {
        if !Self::remembers_threats() {
            return Continue(());
        }
        let threat = self.worker.stack[node.ply + 1].threat_move;
        self.worker.stack[node.ply].threat_move = threat;
        let before = self.worker.stack.before(node.ply, 1);
        if !features::null_move_threat_permitted()
            || node.depth >= Depth(5)
            || before.reduction == 0
            || threat.is_none()
            || !node.permits(before.current_move, threat)
        {
            return Continue(());
        }
        node.dependence = refutation.dependence.for_bound(Bound::Upper);
        Break(node.window.beta - 1)
    }

    /// Searches the node at the depth of the null move search, without null moves for most of that
    /// depth, and cuts if beta is reached again. The cutoff depends on the path as both searches
    /// do.
    fn verify_null_move(
        &mut self,
        node: &mut Node<'_>,
        depth: Depth,
        result: PathScore,
    ) -> ControlFlow<Score> {
        let outer = self.null_move_min_ply;
        self.null_move_min_ply = node.ply + (3 * depth.0.max(0) / 4) as usize + 1;
        let window = node.window.null_window_at_beta();
        let args = SearchArgs { window, depth, is_cut_node: false };
        let verified = self.search::<NonPv>(Node::new(node.position, node.ply, args));
        self.null_move_min_ply = outer;
        self.leave_if_stopped()?;
        if verified.score < node.window.beta {
            return Continue(());
        }
        let lower = verified.dependence.lower().min(result.dependence.lower());
        node.dependence = node.dependence.with_lower(lower);
        Break(result.score)
    }

    /// Returns true if a move takes the threatened piece away or captures the threatening one,
    /// where the threat is the move that refuted the null move. (Threat move.)
    #[inline]
    pub(crate) fn escapes_threat(&self, node: &Node<'_>, m: Move) -> bool {
        let threat = self.worker.stack[node.ply].threat_move;
        features::null_move_threat()
            && !threat.is_none()
            && (m.from() == threat.to() || m.to() == threat.from())
    }
}

impl Node<'_> {
    /// Returns true if the opponent's last move made another move of the opponent possible or
    /// better: it is the same piece's, goes through the square left by it or to that square, or is
    /// supported by the piece that moved.
    fn permits(&self, last: Move, threat: Move) -> bool {
        let position = self.position;
        let Some(piece) = position.piece_at(last.to()) else { return false };
        let occupied = position.occupied() ^ Bitboard::from(threat.from());
        last.to() == threat.from()
            || last.from() == threat.to()
            || attacks::between(threat.from(), threat.to()).contains(last.from())
            || attacks::attacks(last.to(), piece, occupied).contains(threat.to())
    }

    /// Returns true if a move parries a threat of the opponent: it moves the threatened piece,
    /// guards its square against a piece of no less value, or blocks the way without being lost.
    /// (Stockfish 2 to 4.)
    pub(super) fn refutes(&self, m: Move, threat: Move) -> bool {
        let position = self.position;
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
    use koel_board::Game;

    use super::*;
    use crate::path::CycleHead;
    use crate::testing::*;

    /// Prunes the node after the last of these moves by a verified null move. Returns the head of
    /// the cutoff's dependence, and the position three plies before the node.
    fn verified_null_move(fen: &str, moves: &str) -> (CycleHead, Option<CycleHead>) {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        let mut moves: Vec<&str> = moves.split_whitespace().collect();
        let last = moves.pop().unwrap();
        for text in moves {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let args = cut_node(8, -500);
        let root = Node::new(game.position(), 0, args);
        in_a_game(&game, |search| {
            search.make_move(&root, move_of(&root, last), |search, child| {
                let mut node = Node::new(child, 1, args);
                // With a single rook the null move is verified.
                assert!(node.may_be_in_zugzwang());
                assert!(search.null_move_pruning(&mut node).is_break());
                assert!(!node.dependence.upper().is_some());
                let plies = search.worker.repetitions.keys().plies();
                (node.dependence.lower(), plies.checked_sub(3).map(CycleHead::at))
            })
        })
    }

    #[test]
    fn a_cutoff_depends_on_the_path_as_its_verification_does() {
        // Black can repeat the first position for the third time: that is what verifies.
        let shuffle = "b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1";
        let (head, repeated) = verified_null_move("7k/r7/8/8/8/8/8/1R4K1 w - - 0 1", shuffle);
        assert_eq!(Some(head), repeated);
        let (head, _) = verified_null_move("6k1/r7/8/8/8/8/8/2R3K1 w - - 0 1", "c1b1");
        assert_eq!(head, CycleHead::NONE);
    }

    /// Returns true if a move of this position permits another move of the same side.
    fn permits(fen: &str, last: &str, threat: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let last = position.parse_uci(last).unwrap();
        let position = position.after(last);
        let mut passed = position.clone();
        passed.play_null();
        let threat = passed.parse_uci(threat).unwrap();
        Node::new(&position, 1, cut_node(3, 0)).permits(last, threat)
    }

    /// Returns true if a move of this position refutes a threat of the other side.
    fn refutes(fen: &str, m: &str, threat: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let mut passed = position.clone();
        passed.play_null();
        let (m, threat) = (position.parse_uci(m).unwrap(), passed.parse_uci(threat).unwrap());
        Node::new(&position, 1, cut_node(3, 0)).refutes(m, threat)
    }

    #[test]
    fn a_move_refutes_a_threat_by_flight_guard_or_block() {
        // The rook on a8 threatens the knight on a2.
        let rook = "r5k1/8/8/1B6/8/1P6/N7/4K1B1 w - - 0 1";
        assert!(refutes(rook, "a2c3", "a8a2"), "flight");
        assert!(refutes(rook, "b5a4", "a8a2"), "block");
        assert!(!refutes(rook, "g1d4", "a8a2"), "neither");
        assert!(!refutes(rook, "g1a7", "a8a2"), "a block that loses the bishop");
        let guarded = "r3k3/8/8/8/8/3B4/N7/4K3 w - - 0 1";
        assert!(refutes(guarded, "d3c4", "a8a2"), "guard");
        // A pawn's threat is not parried by a guard.
        let pawn = "4k3/8/8/8/8/1p6/N7/3BK3 w - - 0 1";
        assert!(!refutes(pawn, "d1f3", "b3a2") && !refutes(pawn, "d1e2", "b3a2"));
    }

    #[test]
    fn a_move_permits_what_it_makes_possible_or_supports() {
        let rook = "r3k1n1/8/8/8/8/8/1B6/6K1 b - - 0 1";
        assert!(permits(rook, "a8a2", "a2b2"), "the same piece");
        assert!(!permits(rook, "g8f6", "a8a2"), "another piece");
        let bishop = "2b1k3/3n4/8/8/8/8/1P6/6K1 b - - 0 1";
        assert!(permits(bishop, "d7f6", "c8h3"), "through the square that was left");
        assert!(!permits(bishop, "d7f6", "c8b7"), "by another line");
        let knights = "1n2k3/8/2n5/8/8/8/8/6K1 b - - 0 1";
        assert!(permits(knights, "b8a6", "c6b8"), "to the square that was left");
        let pair = "3qk3/8/8/8/6n1/8/5P2/6K1 b - - 0 1";
        assert!(permits(pair, "d8b6", "g4f2"), "supported");
        assert!(!permits(pair, "d8a8", "g4f2"), "not supported");
        let battery = "4k3/8/8/1b6/2q5/8/8/5R1K b - - 0 1";
        assert!(permits(battery, "b5a6", "c4f1"), "supported through the piece that moves");
    }
}
