use super::null_move_threat_permitted::null_move_threat_permitted;
use super::refutes::refutes;
use crate::steps::prelude::*;

declare! {
    null_move_threat = false;
    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// Less for a move that escapes the threat of the refuted null move.
        escapes_threat = 993 in 0..=2048;
    }
}

impl Search<'_> {
    /// Returns true if a switch needs the threats.
    fn remembers_threats() -> bool {
        null_move_threat() || null_move_threat_permitted() || refutes()
    }

    /// Remembers the best move of a node, of the quiescence search too, for the node before it: the
    /// threat where that made a null move.
    pub(crate) fn remember_best_move(&mut self, ply: usize, best_move: Option<Move>) {
        if Self::remembers_threats() {
            self.worker.stack[ply].best_move = best_move.unwrap_or(Move::NONE);
        }
    }

    /// Keeps the threat of a refuted null move in the node, where no other search of the same ply
    /// replaces it. (Threat move.)
    pub(crate) fn keep_threat(&self, node: &mut Node<'_>) {
        if Self::remembers_threats() {
            node.threat = self.worker.stack[node.ply + 1].best_move;
            #[cfg(test)]
            tests::count(node);
        }
    }
}

impl Node<'_> {
    /// Returns what the reduction of a move loses if it takes the threatened piece away or captures
    /// the threatening one.
    pub(crate) fn threat_reduction(&self, m: Move) -> i32 {
        let is_escape = null_move_threat()
            && !self.threat.is_none()
            && (m.from() == self.threat.to() || m.to() == self.threat.from());
        i32::from(is_escape) * late_move_reduction::escapes_threat()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use koel_board::{Game, MoveKind, Square};

    use super::*;
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
        turn("null_move_threat", true);
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
        turn("refutes", true);
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
}
