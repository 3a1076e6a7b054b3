//! The moves of the root, and what is known of them.

use arrayvec::ArrayVec;
use koel_board::{Game, MAX_MOVES, Move};

use crate::frame::Line;
use crate::history::QuietHistory;
use crate::limits::Limits;
use crate::picker::Picker;
use crate::score::Score;
use crate::shared::Shared;

/// The root moves, the best one first.
pub(crate) struct Root {
    moves: ArrayVec<Move, MAX_MOVES>,
    is_restricted: bool,
    /// What the best move is worth, as far as the search has come.
    pub(crate) score: Score,
    /// The line that begins with the best move; empty only if there are no moves.
    pub(crate) line: Line,
}

impl Root {
    /// The moves that may be played, in the order in which an inner node would try them.
    pub(crate) fn new(
        game: &Game,
        limits: &Limits,
        shared: &Shared,
        history: &QuietHistory,
    ) -> Root {
        let position = game.position();
        let table_move = shared.table.probe(position.key().0).and_then(|record| record.best_move);
        let table_move = table_move.filter(|&m| position.is_legal(m));
        let mut picker = Picker::new(table_move, [Move::NONE; 2]);
        let mut all = ArrayVec::<Move, MAX_MOVES>::new();
        while let Some(pick) = picker.next(position, history) {
            all.push(pick.m);
        }
        let wanted = |m: &Move| limits.root_moves.contains(m);
        let chosen: ArrayVec<_, MAX_MOVES> = all.iter().copied().filter(wanted).collect();
        let is_restricted = !chosen.is_empty();
        let moves = if is_restricted { chosen } else { all };
        let line = moves.first().copied().into_iter().collect();
        Root { moves, is_restricted, score: Score::DRAW, line }
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().copied()
    }

    /// The move to play if the search ended now.
    pub(crate) fn best_move(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    /// Whether some legal moves are left out.
    pub(crate) fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// A move is better than those before: it goes to the front, and they keep their order.
    pub(crate) fn raise(&mut self, m: Move, score: Score, line: &Line) {
        if let Some(index) = self.moves.iter().position(|&other| other == m) {
            self.moves[..=index].rotate_right(1);
        }
        self.score = score;
        self.line.clone_from(line);
    }
}
