//! One search: its state, the node types, and the entry into a node.

use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::{Move, Position};

use crate::history::HistoryContext;
use crate::move_picker::{MovePicker, PickedMove};
use crate::node::Node;
use crate::path::{PathRules, PathScore};
use crate::root_moves::RootMoves;
use crate::score::{Depth, MAX_PLY, Score};
use crate::shared::Shared;
use crate::supervisor::Supervisor;
use crate::tablebase::Tablebases;
use crate::worker::Worker;

declare! { draw_variation = true; }

/// The state of one search by one worker.
pub(crate) struct Search<'a> {
    pub(crate) worker: &'a mut Worker,
    pub(crate) shared: &'a Shared,
    pub(crate) supervisor: &'a mut dyn Supervisor,
    pub(crate) root_moves: RootMoves,
    /// The endgame tables to probe at inner nodes, if any.
    pub(crate) tablebases: Option<&'a Tablebases>,
    /// Centipawns subtracted from a draw score at even plies and at odd plies.
    pub(crate) contempt: [i32; 2],
    pub(crate) nodes: u64,
    /// The node count at which the supervisor is called next.
    pub(crate) next_check: u64,
    pub(crate) is_stopped: bool,
    /// The iteration in progress.
    pub(crate) iteration: Depth,
    /// The last complete iteration.
    pub(crate) completed: Depth,
    /// The first ply at which null moves are allowed.
    pub(crate) null_move_min_ply: usize,
    /// The least depth at which a table move may be deferred; beyond every depth with one worker.
    pub(crate) deferral_min_depth: Depth,
    /// The longest line of this iteration's principal variations, in plies.
    pub(crate) selective_depth: usize,
    pub(crate) rules: PathRules,
    /// XORed into the table keys of positions that no irreversible move separates from the root;
    /// 0 unless a position of the game has occurred twice.
    pub(crate) salt: u64,
    /// Nodes searched below positions whose table score was refused; those below two of them count
    /// twice.
    pub(crate) refused_nodes: u64,
}

/// The type of a node, known at compile time.
pub(crate) trait NodeType {
    /// True for the root.
    const ROOT: bool = false;
    /// True for PV nodes: their window is open.
    const PV: bool = false;
}

/// The root node.
pub(crate) struct Root;
/// A node on the principal variation.
pub(crate) struct Pv;
/// A node with a null window.
pub(crate) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeType for Pv {
    const PV: bool = true;
}
impl NodeType for NonPv {}

impl Search<'_> {
    /// Searches a node: all moves if depth is left, otherwise a quiescence search. The result is
    /// from the view of the side to move there; the parent negates it.
    ///
    /// After a stop the score means nothing: call [`leave_if_stopped`](Self::leave_if_stopped)
    /// before using it.
    pub(crate) fn search<NT: NodeType>(&mut self, mut node: Node<'_>) -> PathScore {
        let score = self.search_or_quiesce::<NT>(&mut node);
        if node.tt_refused_at != 0 {
            self.refused_nodes += self.nodes - node.tt_refused_at;
        }
        PathScore { score, dependence: self.parent_dependence(&node) }
    }

    /// Searches a node and leaves the path dependence of the score in it.
    #[inline(always)]
    pub(crate) fn search_or_quiesce<NT: NodeType>(&mut self, node: &mut Node<'_>) -> Score {
        if NT::PV {
            self.worker.stack.pv(node.ply).clear();
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        let end = if node.ply >= MAX_PLY {
            Break(self.evaluate(node))
        } else if NT::ROOT || node.depth > Depth(0) {
            self.search_node::<NT>(node)
        } else {
            self.quiesce::<NT>(node)
        };
        match end {
            Break(score) | Continue(score) => score,
        }
    }

    /// Prefetches the table bucket of the position after a move, but for the few moves of which
    /// [`tt_key_after`](Self::tt_key_after) does not know the key.
    #[inline]
    pub(crate) fn prefetch_child(&self, node: &Node<'_>, m: Move) {
        self.shared.tt.prefetch(self.tt_key_after(node, m));
    }

    /// Prefetches the table bucket of the move that will probably be picked after this one. A
    /// prefetch when the move is made would come too late for the child's probe.
    #[inline]
    pub(crate) fn prefetch_next(&self, node: &Node<'_>, picker: &MovePicker) {
        if let Some(m) = picker.peek() {
            self.prefetch_child(node, m);
        }
    }

    /// Picks the next move of a node.
    #[inline(always)]
    pub(crate) fn next_move(&self, node: &Node<'_>, picker: &mut MovePicker) -> Option<PickedMove> {
        let histories = &self.worker.histories;
        picker.next(node.position, &node.context, histories, |m| self.prefetch_child(node, m))
    }

    /// Makes a move, runs a search of the position after it, and unmakes the move.
    #[inline]
    pub(crate) fn make_move<T>(
        &mut self,
        node: &Node<'_>,
        m: Move,
        search: impl FnOnce(&mut Self, &Position) -> T,
    ) -> T {
        // First of all, as the child's probe waits for it.
        self.prefetch_child(node, m);
        // Changed in place: a position returned by value would be copied twice.
        let mut position = node.position.clone();
        self.worker.evaluator.play(&mut position, m);
        self.worker.repetitions.push(&position);
        self.worker.stack.entry_for_move(node.ply).set_move(node.position, &node.context, m);
        self.worker.histories.correction.prefetch(&position, self.last_moves(node.ply + 1));
        let result = search(self, &position);
        self.worker.repetitions.pop();
        self.worker.evaluator.pop();
        result
    }

    /// Makes a null move, runs a search of the position after it, and unmakes the null move.
    pub(crate) fn make_null_move<T>(
        &mut self,
        node: &Node<'_>,
        search: impl FnOnce(&mut Self, &Position) -> T,
    ) -> T {
        let mut position = node.position.clone();
        position.play_null();
        self.shared.tt.prefetch(self.tt_key(&position, node.ply + 1));
        self.worker.repetitions.push_null(&position);
        self.worker.stack.entry_for_move(node.ply).set_null_move();
        let result = search(self, &position);
        self.worker.repetitions.pop();
        result
    }

    /// The move picker of a node.
    pub(crate) fn move_picker<NT: NodeType>(&mut self, node: &mut Node<'_>) -> MovePicker {
        node.context = self.history_context(node);
        let grandchild = &mut self.worker.stack[node.ply + 2];
        grandchild.cutoff_count = 0;
        if NT::ROOT {
            return MovePicker::of_list(self.root_moves.moves());
        }
        // The killers there belong to another subtree.
        grandchild.killers = [Move::NONE; 2];
        MovePicker::new(node.tt_move, self.worker.stack[node.ply].killers)
    }

    /// The move picker of a quiescence node: captures that lose no material, in check all moves.
    pub(crate) fn quiescence_picker(&mut self, node: &mut Node<'_>) -> MovePicker {
        if !node.in_check {
            return MovePicker::of_noisy(node.tt_move, 0);
        }
        node.context = self.history_context(node);
        MovePicker::new(node.tt_move, self.worker.stack[node.ply].killers)
    }

    /// The raw evaluation of the position, from the view of the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, node: &Node<'_>) -> Score {
        Score::from_centipawns(self.worker.evaluator.evaluate(node.position).0)
    }

    /// The context of the quiet histories at a node.
    #[inline]
    pub(crate) fn history_context(&self, node: &Node<'_>) -> HistoryContext {
        let stack = &self.worker.stack;
        let earlier = [1, 2, 4, 6].map(|plies| stack.before(node.ply, plies).piece_to);
        HistoryContext { threats: node.position.threats(), earlier }
    }

    /// The score of a draw at this ply, varied by ±1 with the node count: among draws that all
    /// score the same the search would not see that it may avoid one.
    #[inline]
    pub(crate) fn draw_score(&self, ply: usize) -> Score {
        match draw_variation() {
            true => self.stalemate_score(ply) + (self.nodes & 2) as i32 - 1,
            false => self.stalemate_score(ply),
        }
    }

    /// The score of a draw at this ply without variation: 0, less the contempt of the side to move
    /// at the root. (Contempt factor.)
    #[inline]
    pub(crate) fn stalemate_score(&self, ply: usize) -> Score {
        Score::DRAW - self.contempt[ply % 2]
    }

    /// Breaks if the search has been stopped: the score of the child just searched is meaningless.
    #[inline]
    pub(crate) fn leave_if_stopped(&self) -> ControlFlow<Score> {
        if self.is_stopped { Break(Score::DRAW) } else { Continue(()) }
    }
}
