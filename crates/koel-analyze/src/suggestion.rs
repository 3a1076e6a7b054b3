//! The move that should have been played in place of another, and the lines that begin with it and
//! with the next best ones.

use koel_board::{Move, Position};

use crate::assessment::GameAnalysis;
use crate::engine::AnalysedLine;

/// The extent of the remarks on moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remarks {
    /// The longest variation, in plies.
    pub(crate) variation: usize,
    /// True if the best move is named wherever another one was played.
    pub(crate) best: bool,
}

/// The best move in place of one that was played.
pub(crate) struct Suggestion {
    pub(crate) best: Move,
    /// Lines in place of the move: the best one, and others if several were searched.
    pub(crate) lines: Vec<AnalysedLine>,
}

impl Remarks {
    /// Returns what should have been played in the position after so many plies.
    pub(crate) fn suggestion(
        self,
        analysis: &GameAnalysis,
        ply: usize,
        played: Move,
    ) -> Option<Suggestion> {
        let (assessed, found) = (analysis.move_at(ply)?, analysis.found(ply)?);
        let is_marked = assessed.mark().is_some();
        if !is_marked && (assessed.is_best || !self.best) {
            return None;
        }
        let are_shown = is_marked && self.variation > 0;
        let lines = found.lines().filter(|line| are_shown && line.first != played);
        let shortened = |line: &AnalysedLine| {
            let rest = line.rest.iter().copied().take(self.variation - 1).collect();
            AnalysedLine { rest, ..*line }
        };
        Some(Suggestion { best: found.best.first, lines: lines.map(shortened).collect() })
    }
}

pub(crate) fn sans(position: &Position, line: &AnalysedLine) -> Vec<String> {
    let mut position = position.clone();
    let sans = line.moves().map(|m| {
        let san = position.san(m);
        position.play(m);
        san
    });
    sans.collect()
}
