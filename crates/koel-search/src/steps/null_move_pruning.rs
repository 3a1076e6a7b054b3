use super::prelude::*;

declare! {
    null_move = true;
    null_move {
        /// The least depth.
        min_depth = 3 in 1..=8;
        /// The base reduction in plies.
        base = 4 in 1..=7;
        /// Plies of depth for one ply of reduction.
        depth_divisor = 3 in 2..=8;
        /// Centipawns above beta for one ply of reduction.
        eval_divisor = 193 in 50..=400;
        /// The largest reduction by evaluation, in plies.
        max_eval_reduction = 3 in 1..=8;
        /// The static evaluation must reach beta - `static_slope` * depth + `static_base`.
        static_slope = 8 in 0..=40;
        /// See `static_slope`.
        static_base = 72 in 0..=300;
        /// The least depth at which a cutoff is verified.
        verification_min_depth = 14 in 8..=30;
    }
    /// Deep null move cutoffs are verified by a search without null moves.
    null_move_verification = true;
}

impl Search<'_> {
    /// Cuts the node if a shallower search after a null move reaches beta: some move will, too. It
    /// saves whole subtrees of winning positions and fails in zugzwang, hence the need for pieces
    /// and, at high depth, for a verification search. (Null move pruning; verified null move
    /// pruning.)
    pub(crate) fn null_move_pruning(&mut self, node: &mut Node<'_>) -> ControlFlow<Score> {
        if !null_move() || !self.null_move_is_allowed(node) {
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
        classic!(self.remember_best_move(node.ply + 1, None));
        let result = self.make_null_move(node, |search, child| {
            -search.search::<NonPv>(Node::new(child, node.ply + 1, args))
        });
        self.leave_if_stopped()?;
        if result.score < beta {
            classic!(self.keep_threat(node));
            classic!(self.null_move_threat_permitted(node, result)?);
            return Continue(());
        }
        // A mate after a null move proves no more than that beta is reached.
        let score = if result.score.is_decided() { beta } else { result.score };
        let result = PathScore { score, ..result };
        let needs_verification =
            node.depth >= Depth(null_move::verification_min_depth()) || node.may_be_in_zugzwang();
        if !null_move_verification() || !needs_verification {
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
}
