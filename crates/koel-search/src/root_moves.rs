//! The moves of the root.

use std::cmp::Reverse;

use koel_board::{Game, Move};
use koel_tt::Bound;

use crate::history::{Histories, HistoryContext};
use crate::limits::Limits;
use crate::move_picker::MovePicker;
use crate::root_ranking::RankedMove;
use crate::score::Score;
use crate::stack::PvLine;

/// A root move and the results of its search.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// The score of the last search that raised alpha; before that, the static evaluation.
    pub(crate) score: Score,
    /// The bound of that score.
    pub(crate) bound: Bound,
    /// The principal variation that begins with the move.
    pub(crate) pv: PvLine,
    /// The nodes searched below the move.
    pub(crate) nodes: u64,
    /// The longest principal variation when its score was found, in plies.
    pub(crate) selective_depth: usize,
    /// The rank by the endgame tables, if they know the position: moves of a lower rank are
    /// searched only for further principal variations.
    ranked: Option<RankedMove>,
}

/// The root moves, the best first. With several principal variations, a search leaves out the
/// first moves of those before it.
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of principal variations to search, at most the number of moves.
    multi_pv: usize,
    /// The index of the principal variation being searched, from 0.
    pub(crate) pv_index: usize,
    /// The principal variations of the last complete iteration, if there are several.
    complete: Vec<RootMove>,
    is_restricted: bool,
}

impl RootMoves {
    /// The moves to search, in the order of a move picker, with the static evaluation as their
    /// scores.
    pub(crate) fn new(
        game: &Game,
        limits: &Limits,
        tt_move: Option<Move>,
        histories: &Histories,
        static_eval: Score,
    ) -> RootMoves {
        let position = game.position();
        let tt_move = tt_move.filter(|&m| position.is_legal(m));
        let mut picker = MovePicker::new(tt_move, [Move::NONE; 2]);
        let mut all = Vec::new();
        while let Some(picked) = picker.next(position, &HistoryContext::NONE, histories, |_| ()) {
            all.push(RootMove::new(picked.m, static_eval));
        }
        let is_wanted = |m: &RootMove| limits.root_moves.contains(&m.m);
        let mut is_restricted = all.iter().any(is_wanted);
        if is_restricted {
            all.retain(is_wanted);
        }
        if let Some(ranking) = &limits.ranking {
            for root_move in &mut all {
                root_move.ranked =
                    ranking.moves.iter().find(|ranked| ranked.m == root_move.m).copied();
            }
            all.sort_by_key(|root_move| Reverse(root_move.rank()));
            is_restricted |= all.iter().any(|root_move| root_move.rank() != all[0].rank());
        }
        let multi_pv = limits.multi_pv.clamp(1, all.len().max(1));
        RootMoves { moves: all, multi_pv, pv_index: 0, complete: Vec::new(), is_restricted }
    }

    /// The moves with which the current principal variation may begin: those of the best
    /// remaining tablebase rank.
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        let left = &self.moves[self.pv_index..];
        let rank = left.first().map(RootMove::rank);
        let best = left.iter().take_while(move |root_move| Some(root_move.rank()) == rank);
        best.map(|root_move| root_move.m)
    }

    /// The best move of the current principal variation so far, if there are any moves.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.moves.get(self.pv_index)
    }

    /// The first move of each principal variation, the best first.
    pub(crate) fn pv_moves(&self) -> &[RootMove] {
        &self.moves[..self.multi_pv.min(self.moves.len())]
    }

    /// The number of principal variations to search.
    pub(crate) fn multi_pv(&self) -> usize {
        self.multi_pv
    }

    /// Returns true if some legal moves are left out of the search.
    pub(crate) fn is_restricted(&self) -> bool {
        self.is_restricted || self.pv_index > 0
    }

    /// Sets a move as the best of the current principal variation: it moves to the front, and
    /// the others keep their order.
    pub(crate) fn set_best(&mut self, m: Move, score: Score, bound: Bound, pv: &PvLine) {
        let moves = &mut self.moves[self.pv_index..];
        if let Some(index) = moves.iter().position(|other| other.m == m) {
            moves[..=index].rotate_right(1);
            let best = &mut moves[0];
            best.score = score;
            best.bound = bound;
            best.pv.clone_from(pv);
        }
    }

    /// Completes the current principal variation: those searched so far are sorted.
    pub(crate) fn finish_pv(&mut self, selective_depth: usize) {
        if let Some(best) = self.moves.get_mut(self.pv_index) {
            best.selective_depth = selective_depth;
            let key = |root_move: &RootMove| Reverse((root_move.rank(), root_move.score));
            self.moves[..=self.pv_index].sort_by_key(key);
        }
    }

    /// Saves the principal variations of a complete iteration, if there are several. When the
    /// next iteration is aborted, its lines and those before it could not be compared.
    pub(crate) fn save_iteration(&mut self) {
        if self.multi_pv > 1 {
            self.complete.clear();
            self.complete.extend_from_slice(&self.moves[..self.multi_pv]);
        }
    }

    /// Restores the principal variations of the last complete iteration after an aborted one.
    pub(crate) fn restore_iteration(&mut self) {
        self.pv_index = 0;
        for (index, kept) in self.complete.drain(..).enumerate() {
            if let Some(now) = self.moves.iter().position(|other| other.m == kept.m) {
                self.moves.swap(index, now);
                self.moves[index] = kept;
            }
        }
    }

    /// Adds nodes searched below a move.
    pub(crate) fn add_nodes(&mut self, m: Move, nodes: u64) {
        if let Some(root_move) = self.moves.iter_mut().find(|other| other.m == m) {
            root_move.nodes += nodes;
        }
    }
}

impl RootMove {
    fn new(m: Move, score: Score) -> RootMove {
        let mut pv = PvLine::new();
        pv.push(m);
        let bound = Bound::Exact;
        RootMove { m, score, bound, pv, nodes: 0, selective_depth: 0, ranked: None }
    }

    fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    /// Returns true if the endgame tables rank the move.
    pub(crate) fn is_tablebase_ranked(&self) -> bool {
        self.ranked.is_some()
    }

    /// The score to report and its bound: that of the endgame tables, unless a mate was found.
    pub(crate) fn reported_score(&self) -> (Score, Bound) {
        match self.ranked {
            Some(ranked) if !self.score.is_mate() => (ranked.score, Bound::Exact),
            _ => (self.score, self.bound),
        }
    }
}
