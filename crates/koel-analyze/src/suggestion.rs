//! The move that should have been played in place of another, and the lines that begin with it and
//! with the next best ones.

use koel_board::{Move, Position};
use koel_uci::{MoveText, Score};

use crate::assessment::GameAnalysis;

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
    pub(crate) lines: Vec<SuggestedLine>,
}

pub(crate) struct SuggestedLine {
    pub(crate) score: Score,
    pub(crate) depth: u32,
    /// At least one move.
    pub(crate) moves: Vec<Move>,
}

impl Remarks {
    /// Returns what should have been played in a position, which stands after so many plies.
    pub(crate) fn suggestion(
        self,
        analysis: &GameAnalysis,
        ply: usize,
        position: &Position,
        played: Move,
    ) -> Option<Suggestion> {
        let (assessed, found) = (analysis.move_at(ply)?, analysis.found(ply)?);
        let is_marked = assessed.mark().is_some();
        if !is_marked && (assessed.is_best || !self.best) {
            return None;
        }
        let best = (found.score, found.depth, &found.line);
        let others = found.others.iter().map(|other| (other.score, other.depth, &other.line));
        let lines = [best].into_iter().chain(others).filter(|_| is_marked);
        let lines = lines.map(|(score, depth, line)| {
            let moves = legal_moves(position, line).into_iter().take(self.variation).collect();
            SuggestedLine { score, depth, moves }
        });
        let is_other = |line: &SuggestedLine| line.moves.first().is_some_and(|&m| m != played);
        Some(Suggestion { best: found.best, lines: lines.filter(is_other).collect() })
    }
}

/// Returns the moves of a line, as far as they are legal.
pub(crate) fn legal_moves(position: &Position, line: &[MoveText]) -> Vec<Move> {
    let mut position = position.clone();
    let legal = line.iter().map_while(|text| {
        let m = position.parse_uci(text.as_str()).ok()?;
        position.play(m);
        Some(m)
    });
    legal.collect()
}

/// Returns the moves of a line in SAN.
pub(crate) fn sans(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let sans = moves.iter().map(|&m| {
        let san = position.san(m);
        position.play(m);
        san
    });
    sans.collect()
}
