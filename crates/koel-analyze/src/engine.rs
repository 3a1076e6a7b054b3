//! The interface to the engine that evaluates the positions.

use std::time::Duration;

use koel_board::{Game, Move};
use koel_uci::{MoveText, Score};

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
    /// The best move.
    pub best: Move,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// The expected score of the side to move, from 0 (a certain loss) to 1.
    pub expected: f64,
    /// The depth in plies.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The principal variation, in UCI notation.
    pub line: Vec<MoveText>,
    /// The next best moves, if more than one is searched.
    pub others: Vec<OtherLine>,
    /// The moment from which on the best move was this one, if the engine knows it.
    pub since: Option<Moment>,
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

/// A line that begins with another move than the best.
#[derive(Clone, PartialEq, Debug)]
pub struct OtherLine {
    /// The score from the side to move's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
    /// The moves, in UCI notation.
    pub line: Vec<MoveText>,
}
