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
        self.remember_best_move(node.ply + 1, None);
        let result = self.make_null_move(node, |search, child| {
            -search.search::<NonPv>(Node::new(child, node.ply + 1, args))
        });
        self.leave_if_stopped()?;
        if result.score < beta {
            return self.keep_threat(node, result);
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

    /// Returns true if a switch needs the threats. Tests have them always: a switch is that of all
    /// tests of the process.
    #[inline(always)]
    fn remembers_threats() -> bool {
        cfg!(test)
            || features::null_move_threat()
            || features::null_move_threat_permitted()
            || features::refutes()
    }

    /// Remembers the best move of a node, of the quiescence search too, for the node before it: the
    /// threat where that made a null move.
    #[inline(always)]
    pub(crate) fn remember_best_move(&mut self, ply: usize, best_move: Option<Move>) {
        if Self::remembers_threats() {
            self.worker.stack[ply].best_move = best_move.unwrap_or(Move::NONE);
        }
    }

    /// Keeps the threat of a refuted null move in the node, where no other search of the same ply
    /// replaces it. If the move that led to the node was reduced and allowed the threat the node
    /// fails low, so that this move is searched again at full depth. (Threat move; a reduced move
    /// that allows it, Stockfish 2.)
    #[inline(always)]
    fn keep_threat(&self, node: &mut Node<'_>, refutation: PathScore) -> ControlFlow<Score> {
        if !Self::remembers_threats() {
            return Continue(());
        }
        node.threat = self.worker.stack[node.ply + 1].best_move;
        #[cfg(test)]
        tests::count(node);
        if features::null_move_threat_permitted() && self.last_move_allows_threat(node) {
            node.dependence = refutation.dependence.for_bound(Bound::Upper);
            return Break(node.window.beta - 1);
        }
        Continue(())
    }

    /// Returns true if the node is shallow and follows a reduced move that allowed its threat.
    fn last_move_allows_threat(&self, node: &Node<'_>) -> bool {
        let before = self.worker.stack.before(node.ply, 1);
        node.depth < Depth(5)
            && before.reduction > 0
            && !node.threat.is_none()
            && node.allows(before.current_move, node.threat)
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
}

impl Node<'_> {
    /// Returns true if a move takes the threatened piece away or captures the threatening one,
    /// where the threat is the move that refuted the null move. (Threat move.)
    #[inline]
    pub(super) fn escapes_null_move_threat(&self, m: Move) -> bool {
        features::null_move_threat()
            && !self.threat.is_none()
            && (m.from() == self.threat.to() || m.to() == self.threat.from())
    }

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
    use std::cell::Cell;

    use koel_board::{Game, MoveKind, Square};

    use super::*;
    use crate::path::CycleHead;
    use crate::testing::*;
    use crate::{Limits, Searcher};

    thread_local! {
        /// The refuted null moves below depth 7, and those of them that left a threat.
        static REFUTED: Cell<[u32; 2]> = const { Cell::new([0; 2]) };
    }

    /// Counts the refuted null move of a node.
    pub(super) fn count(node: &Node<'_>) {
        if !node.threat.is_none() {
            let piece = node.position.piece_at(node.threat.from());
            assert!(piece.is_some_and(|piece| piece.color != node.position.turn()));
        }
        let [all, threats] = REFUTED.get();
        if node.depth < Depth(7) {
            REFUTED.set([all + 1, threats + u32::from(!node.threat.is_none())]);
        }
    }

    #[test]
    fn most_refuted_null_moves_leave_a_threat() {
        REFUTED.set([0; 2]);
        for fen in [
            START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            Searcher::new(1, Default::default()).unwrap().search(&game, &Limits::to_depth(11));
        }
        let [all, threats] = REFUTED.get();
        let share = 100 * threats / all;
        println!("{all} refuted null moves below depth 7, {share} % with a threat");
        assert!(all > 500 && share > 50, "{all} {share}");
    }

    #[test]
    fn the_capture_that_refuted_a_null_move_in_quiescence_is_the_threat() {
        // The rook takes the queen.
        let fen = "4k3/8/8/3r4/8/8/3Q1PPP/6K1 w - - 0 1";
        in_a_node(fen, cut_node(4, 0), |search, node| {
            search.worker.stack[0].current_move =
                Move::new(Square::A7, Square::A6, MoveKind::Quiet);
            (node.eval, node.static_eval) = (cp(100), cp(100));
            assert!(search.null_move_pruning(node).is_continue());
            let threat = node.threat;
            assert_eq!([threat.from(), threat.to()], [Square::D5, Square::D2]);
            assert!(node.refutes_threat(move_of(node, "d2d5")));
            // A singular search of the same ply leaves it as it is.
            let args = cut_node(2, 0);
            let _ = search.search::<NonPv>(node.excluding(move_of(node, "d2d5"), args));
            assert!(search.worker.stack[1].best_move != threat && node.threat == threat);
            // The last move of the rook, from d8, was reduced.
            assert!(!search.last_move_allows_threat(node));
            let entry = &mut search.worker.stack[0];
            entry.reduction = 1024;
            entry.current_move = Move::new(Square::D8, Square::D5, MoveKind::Quiet);
            assert!(search.last_move_allows_threat(node));
            node.depth = Depth(5);
            assert!(!search.last_move_allows_threat(node), "too deep");
        });
    }

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
