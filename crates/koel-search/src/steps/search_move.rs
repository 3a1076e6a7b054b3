use super::prelude::*;

declare! {
    /// In PV nodes moves after the first are searched with a null window first.
    null_window_search = true;
    /// Late moves that history takes more than a ply below no reduction are searched a ply deeper.
    late_move_extension = true;
    /// The depth of a re-search depends on the score of the reduced search.
    deeper_or_shallower = true;
    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// A re-search is a ply deeper if the score exceeds the best by this many centipawns.
        deeper_margin = 58 in 10..=200;
        /// A re-search is a ply shallower if the score exceeds the best by fewer centipawns.
        shallower_margin = 13 in 0..=50;
    }
    history {
        /// The continuation history bonus after the re-search of a reduced move, for each ply of
        /// depth.
        second_search = 134 in 0..=400;
    }
}

impl Search<'_> {
    /// Searches a move: in PV nodes the first move with the full window, all others with a null
    /// window first. (Principal variation search, PVS.)
    pub(crate) fn search_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        move_loop: &MoveLoop,
        picked: &PickedMove,
        extension: i32,
    ) -> ControlFlow<Score, PathScore> {
        if NT::ROOT {
            let number = self.root_moves.pv_index + move_loop.move_count + 1;
            self.supervisor.report_root_move(self.iteration, picked.m, number);
        }
        let nodes_before = self.nodes;
        let doubles = self.worker.stack.before(node.ply, 1).double_extensions;
        self.worker.stack[node.ply].double_extensions = doubles + i32::from(extension > 1);
        let result = self.make_move(node, picked.m, |search, child| {
            let _mark = search.mark_as_busy::<NT>(node, picked, child);
            let depth = node.depth - 1 + extension;
            let alpha = node.window.alpha;
            if NT::PV && (move_loop.move_count == 0 || !null_window_search()) {
                return search.full_window_search(node, child, depth);
            }
            let result = search.null_window_search::<NT>(node, move_loop, picked, child, depth);
            if NT::PV && result.score > alpha && !search.is_stopped {
                // The second result replaces the first, and its dependence too.
                return search.full_window_search(node, child, depth);
            }
            result
        });
        self.leave_if_stopped()?;
        if NT::ROOT {
            self.root_moves.add_nodes(picked.m, self.nodes - nodes_before);
        }
        Continue(result)
    }

    /// Searches the child with the full window.
    fn full_window_search(&mut self, node: &Node<'_>, child: &Position, depth: Depth) -> PathScore {
        let args = SearchArgs { window: -node.window, depth, is_cut_node: false };
        -self.search::<Pv>(Node::new(child, node.ply + 1, args))
    }

    /// Searches the child with a null window above alpha: late moves at reduced depth first, and
    /// again at full depth if they raise alpha, a ply more or less by how far they raise it. Each
    /// result replaces the one before, with its dependence.
    fn null_window_search<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        move_loop: &MoveLoop,
        picked: &PickedMove,
        child: &Position,
        mut depth: Depth,
    ) -> PathScore {
        let window = -node.window.null_window_at_alpha();
        let reduction = self.late_move_reduction::<NT>(node, move_loop, picked, child.is_check());
        if late_move_extension() && reduction <= -1024 && depth > Depth(0) {
            depth = depth + 1;
        }
        // At least one ply is left: quiescence search would not see the threats of a quiet move.
        let reduced = Depth((depth.0 - reduction / 1024).min(depth.0).max(1));
        if reduced < depth {
            self.worker.stack[node.ply].reduction = 1024 * (depth.0 - reduced.0);
            let args = SearchArgs { window, depth: reduced, is_cut_node: true };
            let result = -self.search::<NonPv>(Node::new(child, node.ply + 1, args));
            self.worker.stack[node.ply].reduction = 0;
            if result.score <= node.window.alpha || self.is_stopped {
                return result;
            }
            if deeper_or_shallower() {
                let gain = result.score - move_loop.best_score;
                depth = depth + i32::from(gain > late_move_reduction::deeper_margin());
                depth = depth - i32::from(gain < late_move_reduction::shallower_margin());
            }
            if depth <= reduced {
                return result;
            }
        }
        let args = SearchArgs { window, depth, is_cut_node: !node.is_cut_node };
        let result = -self.search::<NonPv>(Node::new(child, node.ply + 1, args));
        if reduced < depth && picked.is_quiet() && !self.is_stopped {
            let sign = if result.score > node.window.alpha { 1 } else { -1 };
            let bonus = sign * history::second_search() * depth.0.min(16);
            let m = self.worker.stack[node.ply].piece_to;
            self.worker.histories.update_continuation_history(&node.context, m, bonus);
        }
        result
    }

    /// Searches a move of a quiescence node.
    pub(crate) fn search_quiescence_move<NT: NodeType>(
        &mut self,
        node: &Node<'_>,
        picked: &PickedMove,
    ) -> ControlFlow<Score, PathScore> {
        let args =
            SearchArgs { window: -node.window, depth: Depth(0), is_cut_node: !node.is_cut_node };
        let result = self.make_move(node, picked.m, |search, child| {
            -search.search::<NT>(Node::new(child, node.ply + 1, args))
        });
        self.leave_if_stopped()?;
        Continue(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn the_score_of_a_move_is_that_of_its_position_negated() {
        in_a_node("k7/8/1K6/8/8/8/8/7R w - - 0 1", cut_node(2, 0), |search, node| {
            node.window = Window::full();
            let picked = picked(node, "h1h8", Stage::Quiet);
            let result = search.search_move::<Pv>(node, &MoveLoop::new(), &picked, 0);
            assert!(matches!(result, Continue(result) if result.score == Score::mate_in(2)));
        });
    }

    #[test]
    fn the_first_move_of_a_pv_node_has_the_full_window() {
        in_a_node(START_FEN, cut_node(4, 0), |search, node| {
            node.window = Window::around(Score::DRAW, 500);
            let picked = picked(node, "e2e4", Stage::Quiet);
            assert!(search.search_move::<Pv>(node, &MoveLoop::new(), &picked, 0).is_continue());
            assert!(!search.worker.stack.pv(2).is_empty(), "a line");
            let move_loop = moves_tried(1, 0);
            node.window.alpha = cp(499);
            search.worker.stack.pv(2).clear();
            assert!(search.search_move::<Pv>(node, &move_loop, &picked, 0).is_continue());
            assert!(search.worker.stack.pv(2).is_empty(), "a null window has no line");
        });
    }
}
