//! The moves of the root, and what is known of them.

use std::cmp::Reverse;

use koel_board::{Game, Move};
use koel_tt::Bound;

use crate::history::{Histories, HistoryContext};
use crate::limits::Limits;
use crate::move_picker::MovePicker;
use crate::root_ranking::RankedMove;
use crate::score::Score;
use crate::stack::PvLine;

/// A move of the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// What it is worth, as far as the search has come.
    pub(crate) score: Score,
    /// How that relates to the truth.
    pub(crate) bound: Bound,
    /// The line that begins with it.
    pub(crate) pv: PvLine,
    /// What was searched behind it.
    pub(crate) nodes: u64,
    /// The longest principal variation when its score was found, in plies.
    pub(crate) selective_depth: usize,
    /// What the endgame tables say of it: moves of the highest rank are searched before others are.
    ranked: Option<RankedMove>,
}

/// The root moves, the best ones first. With several principal variations, those of the lines
/// before the present one are left out.
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// How many principal variations are wanted, at most as many as there are moves.
    multi_pv: usize,
    /// The principal variation that is being searched, from 0.
    pub(crate) pv_index: usize,
    /// All of them as the last complete iteration left them, where there are several.
    complete: Vec<RootMove>,
    is_restricted: bool,
}

impl RootMoves {
    /// The moves that may be played, in the order in which an inner node would try them.
    pub(crate) fn new(
        game: &Game,
        limits: &Limits,
        tt_move: Option<Move>,
        histories: &Histories,
    ) -> RootMoves {
        let position = game.position();
        let tt_move = tt_move.filter(|&m| position.is_legal(m));
        let mut picker = MovePicker::new(tt_move, [Move::NONE; 2]);
        let mut all = Vec::new();
        while let Some(picked) = picker.next(position, &HistoryContext::NONE, histories) {
            all.push(RootMove::new(picked.m));
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

    /// The moves that the present principal variation may begin with: of those that the endgame
    /// tables rank, the best only.
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        let left = &self.moves[self.pv_index..];
        let rank = left.first().map(RootMove::rank);
        let best = left.iter().take_while(move |root_move| Some(root_move.rank()) == rank);
        best.map(|root_move| root_move.m)
    }

    /// The best move of the present principal variation as it is known, if there are any moves.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.moves.get(self.pv_index)
    }

    /// The first move of each principal variation, the best first.
    pub(crate) fn pv_moves(&self) -> &[RootMove] {
        &self.moves[..self.multi_pv.min(self.moves.len())]
    }

    /// How many principal variations there are to search.
    pub(crate) fn multi_pv(&self) -> usize {
        self.multi_pv
    }

    /// Whether some legal moves are left out.
    pub(crate) fn is_restricted(&self) -> bool {
        self.is_restricted || self.pv_index > 0
    }

    /// A move is better than those before: it goes to the front, and they keep their order.
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

    /// The present principal variation is complete: the lines so far are put in order.
    pub(crate) fn finish_pv(&mut self, selective_depth: usize) {
        if let Some(best) = self.moves.get_mut(self.pv_index) {
            best.selective_depth = selective_depth;
            let key = |root_move: &RootMove| Reverse((root_move.rank(), root_move.score));
            self.moves[..=self.pv_index].sort_by_key(key);
        }
    }

    /// An iteration is complete. Several lines are kept as they are now: if the next iteration is
    /// broken off, some would be of one depth and some of the other, and not to be compared.
    pub(crate) fn save_iteration(&mut self) {
        if self.multi_pv > 1 {
            self.complete.clear();
            self.complete.extend_from_slice(&self.moves[..self.multi_pv]);
        }
    }

    /// An iteration is broken off.
    pub(crate) fn restore_iteration(&mut self) {
        self.pv_index = 0;
        for (place, kept) in self.complete.drain(..).enumerate() {
            if let Some(now) = self.moves.iter().position(|other| other.m == kept.m) {
                self.moves.swap(place, now);
                self.moves[place] = kept;
            }
        }
    }

    /// Adds to what was searched behind a move.
    pub(crate) fn add_nodes(&mut self, m: Move, nodes: u64) {
        if let Some(root_move) = self.moves.iter_mut().find(|other| other.m == m) {
            root_move.nodes += nodes;
        }
    }
}

impl RootMove {
    fn new(m: Move) -> RootMove {
        let mut pv = PvLine::new();
        pv.push(m);
        let (score, bound) = (Score::DRAW, Bound::Exact);
        RootMove { m, score, bound, pv, nodes: 0, selective_depth: 0, ranked: None }
    }

    fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    /// Whether the endgame tables know it.
    pub(crate) fn is_tablebase_ranked(&self) -> bool {
        self.ranked.is_some()
    }

    /// The score to tell, and how it relates to the truth: the endgame tables know better, unless
    /// a mate is found.
    pub(crate) fn reported_score(&self) -> (Score, Bound) {
        match self.ranked {
            Some(ranked) if !self.score.is_mate() => (ranked.score, Bound::Exact),
            _ => (self.score, self.bound),
        }
    }
}
