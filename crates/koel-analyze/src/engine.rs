//! The interface to the engine that evaluates the positions.

use koel_board::{Game, Move};
use koel_uci::{MoveText, UciScore};

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
    pub score: UciScore,
    /// The expected score of the side to move, from 0 (a certain loss) to 1.
    pub expected: f64,
    /// The depth in plies.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The principal variation, in UCI notation.
    pub line: Vec<MoveText>,
}
