//! The goal of a run, and its progress towards it.

use koel_board::Key;
use serde::{Deserialize, Serialize};

use crate::seen_positions::SeenPositions;
use crate::training_game::TrainingGame;

/// The end of a run, at whichever limit is reached first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfplayGoal {
    /// Different positions that the [`PositionFilter`](crate::PositionFilter) keeps.
    pub positions: u64,
    /// Games.
    pub games: u32,
}

impl SelfplayGoal {
    /// Creates a goal of this many games.
    #[must_use]
    pub fn games(games: u32) -> SelfplayGoal {
        SelfplayGoal { positions: u64::MAX, games }
    }

    /// Creates a goal of this many different positions that the filter keeps.
    #[must_use]
    pub fn positions(positions: u64) -> SelfplayGoal {
        SelfplayGoal { positions, games: u32::MAX }
    }
}

/// The content of a run so far, earlier calls included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SelfplayTotals {
    /// Games written.
    pub games: u32,
    /// Positions from which a move was played.
    pub positions: u64,
    /// Different positions that the default [`PositionFilter`](crate::PositionFilter) keeps.
    pub kept: u64,
}

impl SelfplayTotals {
    /// Counts the next game, given the keys of the positions that the filter keeps.
    pub(super) fn add(&mut self, game: &TrainingGame, keys: &[Key], seen: &mut SeenPositions) {
        self.kept += seen.insert_all(keys) as u64;
        self.positions += game.moves.len() as u64;
        self.games += 1;
    }
}
