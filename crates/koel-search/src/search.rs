//! One search: a worker at work, and the way into a node.

use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::Move;

use crate::features;
use crate::history::Context;
use crate::node::{Node, Place};
use crate::path::{Dependence, PathRules};
use crate::picker::Picker;
use crate::root::Root;
use crate::score::{Depth, MAX_PLY, Score};
use crate::shared::Shared;
use crate::supervisor::Supervisor;
use crate::tablebase::Tablebases;
use crate::worker::Worker;

/// What a search owns while it lasts.
pub(crate) struct Search<'a> {
    pub(crate) worker: &'a mut Worker,
    pub(crate) shared: &'a Shared,
    pub(crate) supervisor: &'a mut dyn Supervisor,
    pub(crate) root: Root,
    /// What few pieces are looked up in.
    pub(crate) tablebases: Option<&'a Tablebases>,
    /// How much less a draw is worth to the side to move at even plies and at odd ones.
    pub(crate) contempt: [i32; 2],
    pub(crate) nodes: u64,
    /// At this number of nodes the supervisor is asked.
    pub(crate) next_check: u64,
    pub(crate) is_stopped: bool,
    /// The iteration that is being searched.
    pub(crate) iteration: Depth,
    /// The last complete iteration.
    pub(crate) completed: Depth,
    /// No null move is tried before this ply.
    pub(crate) null_move_from: usize,
    /// From this depth on moves are put off that other threads are searching: at none if alone.
    pub(crate) defers_from: Depth,
    /// From this depth on other threads see that this one is in a node: at none if alone.
    pub(crate) breadcrumbs_from: Depth,
    /// The longest principal variation of this iteration, in plies.
    pub(crate) selective_depth: usize,
    pub(crate) rules: PathRules,
    /// What distinguishes this game from others in the table, until an irreversible move.
    pub(crate) salt: u64,
    /// Nodes behind positions for which the table's word was refused.
    pub(crate) refused_nodes: u64,
    /// What the score that came last from [`enter`](Search::enter) rests on.
    pub(crate) dependence: Dependence,
}

/// What sort of node this is, known when the code is compiled.
pub(crate) trait Kind {
    /// Whether the node is where the search begins.
    const ROOT: bool = false;
    /// Whether the node's exact score may matter: its window is open.
    const PV: bool = false;
    /// Whether threads beside this one are minded; where not, the stages that do are not there.
    const CROWDED: bool;
    /// Children on the principal variation.
    type Principal: Kind;
    /// Children beside it.
    type Scout: Kind;
}

/// The position to move in.
pub(crate) struct AtRoot<const CROWDED: bool>;
/// On the principal variation, as far as is known.
pub(crate) struct Principal<const CROWDED: bool>;
/// Beside it: only the question is asked whether a score is reached.
pub(crate) struct Scout<const CROWDED: bool>;

impl<const CROWDED: bool> Kind for AtRoot<CROWDED> {
    const ROOT: bool = true;
    const PV: bool = true;
    const CROWDED: bool = CROWDED;
    type Principal = Principal<CROWDED>;
    type Scout = Scout<CROWDED>;
}
impl<const CROWDED: bool> Kind for Principal<CROWDED> {
    const PV: bool = true;
    const CROWDED: bool = CROWDED;
    type Principal = Principal<CROWDED>;
    type Scout = Scout<CROWDED>;
}
impl<const CROWDED: bool> Kind for Scout<CROWDED> {
    const CROWDED: bool = CROWDED;
    type Principal = Principal<CROWDED>;
    type Scout = Scout<CROWDED>;
}

impl Search<'_> {
    /// Searches a node: with its moves, or with captures alone when no depth is left.
    ///
    /// After a stop the score means nothing; [`leave_if_stopped`](Self::leave_if_stopped) is to be
    /// called before it is used.
    pub(crate) fn enter<K: Kind>(&mut self, mut node: Node<'_>) -> Score {
        let score = self.search::<K>(&mut node);
        self.dependence = self.outside(&node);
        if node.refused_at != 0 {
            self.refused_nodes += self.nodes - node.refused_at;
        }
        score
    }

    #[inline(always)]
    pub(crate) fn search<K: Kind>(&mut self, node: &mut Node<'_>) -> Score {
        if K::PV {
            self.worker.stack[node.ply].line.clear();
            self.selective_depth = self.selective_depth.max(node.ply);
        }
        let end = if node.ply >= MAX_PLY {
            Break(self.evaluate(node))
        } else if K::ROOT || node.depth > Depth(0) {
            self.visit::<K>(node)
        } else {
            self.quiesce::<K>(node)
        };
        match end {
            Break(score) | Continue(score) => score,
        }
    }

    /// Has the table fetched for the move that probably comes after this one: by the time it is
    /// played that is done, unless many nodes lie between. What is fetched when a
    /// move is played comes too late to be there when the child asks.
    #[inline]
    pub(crate) fn fetch_ahead(&self, node: &Node<'_>, picker: &Picker) {
        if let Some(m) = picker.ahead() {
            self.shared.table.prefetch(self.key_after(node, m));
        }
    }

    /// Plays a move, and takes it back after what is to be searched there.
    #[inline]
    pub(crate) fn descend<T>(
        &mut self,
        node: &Node<'_>,
        m: Move,
        search: impl FnOnce(&mut Self, &Place<'_>) -> T,
    ) -> T {
        // Built in place: a child returned by value would be copied twice.
        let mut position = node.position.clone();
        self.worker.evaluator.play(&mut position, m);
        self.shared.table.prefetch(self.key(&position, node.ply + 1));
        self.worker.timeline.push(&position);
        self.worker.stack.leave(node.ply).play(node.position, &node.context, m);
        let result = search(self, &Place { position: &position, ply: node.ply + 1 });
        self.worker.timeline.pop();
        self.worker.evaluator.pop();
        result
    }

    /// The same for a null move.
    pub(crate) fn pass<T>(
        &mut self,
        node: &Node<'_>,
        search: impl FnOnce(&mut Self, &Place<'_>) -> T,
    ) -> T {
        let mut position = node.position.clone();
        position.play_null();
        self.shared.table.prefetch(self.key(&position, node.ply + 1));
        self.worker.timeline.push_null(&position);
        self.worker.stack.leave(node.ply).pass();
        let result = search(self, &Place { position: &position, ply: node.ply + 1 });
        self.worker.timeline.pop();
        result
    }

    /// The moves of a node, in the order in which they are to be searched.
    pub(crate) fn picker<K: Kind>(&mut self, node: &mut Node<'_>) -> Picker {
        node.context = self.context(node);
        let grandchild = &mut self.worker.stack[node.ply + 2];
        grandchild.cutoffs = 0;
        if K::ROOT {
            return Picker::of_list(self.root.moves());
        }
        // Killers of nephews are stale once their uncle's line is left.
        grandchild.killers = [Move::NONE; 2];
        Picker::new(node.table_move, self.worker.stack[node.ply].killers)
    }

    /// The moves of quiescence: captures that lose nothing, and in check all.
    pub(crate) fn capture_picker(&mut self, node: &mut Node<'_>) -> Picker {
        if !node.in_check {
            return Picker::of_noisy(node.table_move, 0);
        }
        node.context = self.context(node);
        Picker::new(node.table_move, self.worker.stack[node.ply].killers)
    }

    /// The evaluation of the position itself, from the view of the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, node: &Node<'_>) -> Score {
        Score::from_centipawns(self.worker.evaluator.evaluate(node.position).0)
    }

    /// What quiet moves are judged by.
    #[inline]
    pub(crate) fn context(&self, node: &Node<'_>) -> Context {
        let stack = &self.worker.stack;
        let earlier = [1, 2, 4, 6].map(|plies| stack.before(node.ply, plies).piece_to);
        Context { threats: node.position.threats(), earlier }
    }

    /// What a draw at this ply is worth: a little more or less by turns, so that the search does
    /// not go blind among many draws that all look alike.
    #[inline]
    pub(crate) fn draw_score(&self, ply: usize) -> Score {
        match features::draw_variation() {
            true => self.stalemate_score(ply) + (self.nodes & 2) as i32 - 1,
            false => self.stalemate_score(ply),
        }
    }

    /// The same of a draw that nothing varies: less than nothing to the side to move at the root
    /// that holds the other one in contempt. (Contempt factor.)
    #[inline]
    pub(crate) fn stalemate_score(&self, ply: usize) -> Score {
        Score::DRAW - self.contempt[ply % 2]
    }

    /// Leaves a node whose child was broken off.
    #[inline]
    pub(crate) fn leave_if_stopped(&self) -> ControlFlow<Score> {
        if self.is_stopped { Break(Score::DRAW) } else { Continue(()) }
    }
}
