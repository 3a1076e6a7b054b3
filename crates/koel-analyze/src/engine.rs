//! The interface to the engine that evaluates the positions.

use std::time::Duration;

use koel_board::{Game, Move};
use koel_uci::Score;

use crate::error::EngineFailure;

/// An engine that evaluates positions one after the other.
pub trait AnalysisEngine {
    /// Prepares for the first position of a game. Nothing learned from earlier games may change its
    /// analysis.
    ///
    /// # Errors
    /// The engine failed.
    fn new_game(&mut self) -> Result<(), EngineFailure>;

    /// Analyses the position of a game after this many plies; `None` if the game is over there.
    ///
    /// # Errors
    /// The engine failed.
    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure>;
}

/// The analysis of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    /// The line that begins with the best move.
    pub best: AnalysedLine,
    /// Lines that begin with the next best moves, if more than one is searched.
    pub others: Vec<AnalysedLine>,
    /// The expected score of the side to move, from 0 (a certain loss) to 1.
    pub expected: f64,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The moment from which on the best move was this one, if the engine knows it.
    pub since: Option<Moment>,
}

impl PositionAnalysis {
    /// Returns the analysis of an engine that looks at a single move: `expected` is as in the field
    /// of that name.
    #[must_use]
    pub fn new(best: Move, score: Score, expected: f64) -> PositionAnalysis {
        let best = AnalysedLine { first: best, rest: Vec::new(), score, depth: 1 };
        PositionAnalysis { best, others: Vec::new(), expected, nodes: 1, since: None }
    }

    /// Returns all lines, the best first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &AnalysedLine> {
        std::iter::once(&self.best).chain(&self.others)
    }
}

/// A line with its score.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedLine {
    /// The first move.
    pub first: Move,
    /// The moves expected after it, as far as they are known.
    pub rest: Vec<Move>,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
}

impl AnalysedLine {
    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
}

/// A moment of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The time since the start.
    pub time: Duration,
    /// The nodes searched.
    pub nodes: u64,
    /// The depth in plies.
    pub depth: u32,
}
