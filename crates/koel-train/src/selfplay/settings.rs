//! The settings that determine the games of a run.

use koel_eval::BUILT_IN;
use serde::{Deserialize, Serialize};

use crate::adjudication::SelfplayAdjudication;
use crate::play_game::GameSettings;
use crate::player::NodeLimits;

/// The settings of a run. Two runs with the same settings give the same bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SelfplaySettings {
    /// The seed of the run.
    pub run: u64,
    /// The commit that plays the games; it documents the run and changes nothing.
    pub commit: String,
    /// The evaluation: `material` for material and piece-square tables, or the name of a network.
    /// See [`load_evaluation`](crate::load_evaluation).
    pub evaluation: String,
    /// The soft node limit of a full search, whose score is kept: no iteration begins after this
    /// many nodes.
    pub soft_nodes: u64,
    /// The hard node limit of a full search.
    pub hard_nodes: u64,
    /// The probability of a full search, from 0 to 1; the other moves are chosen by a fast search
    /// without a score.
    pub full_search_share: f64,
    /// The soft node limit of a fast search. Its hard limit is 20 times that.
    pub fast_soft_nodes: u64,
    /// The factor for all node limits with at most 12 pieces on the board.
    pub endgame_factor: u64,
    /// The share of games, from 0 to 1, whose opening is two to four good moves...
    pub natural_opening_share: f64,
    /// ...and of those whose opening is six or seven random moves; the rest is eight or nine.
    pub short_opening_share: f64,
    /// The size of the transposition table in MiB. It is cleared before each game, so a small one
    /// is faster.
    pub hash_mebibytes: usize,
    /// The share of games that begin from a Chess960 position, from 0 to 1.
    pub chess960_share: f64,
    /// The largest absolute score of an opening, in centipawns...
    pub opening_score_bound: i32,
    /// ...by a search with this soft node limit.
    pub opening_nodes: u64,
    /// The share of games, from 0 to 1, whose opening bound is
    /// [`wide_opening_score_bound`](Self::wide_opening_score_bound) instead.
    pub wide_opening_share: f64,
    /// The wider bound for openings, in centipawns.
    pub wide_opening_score_bound: i32,
    /// A game ends when one side is ahead by this many centipawns for four plies.
    pub win_score: i32,
}

impl Default for SelfplaySettings {
    fn default() -> SelfplaySettings {
        SelfplaySettings {
            run: 1,
            commit: "unknown".to_owned(),
            evaluation: BUILT_IN.to_owned(),
            soft_nodes: 600,
            hard_nodes: 12_000,
            full_search_share: 0.2,
            fast_soft_nodes: 60,
            endgame_factor: 2,
            natural_opening_share: 1.0 / 3.0,
            short_opening_share: 1.0 / 3.0,
            hash_mebibytes: 1,
            chess960_share: 0.1,
            opening_score_bound: 200,
            opening_nodes: 200,
            wide_opening_share: 0.2,
            wide_opening_score_bound: 600,
            win_score: 800,
        }
    }
}

impl SelfplaySettings {
    /// Returns the part of the settings that concerns a single game.
    #[must_use]
    pub(crate) fn game_settings(&self) -> GameSettings {
        let win_score = self.win_score;
        GameSettings {
            full_limits: NodeLimits { soft_nodes: self.soft_nodes, hard_nodes: self.hard_nodes },
            fast_limits: NodeLimits::with_soft(self.fast_soft_nodes),
            full_search_share: self.full_search_share,
            endgame_factor: self.endgame_factor,
            opening_shares: [self.natural_opening_share, self.short_opening_share],
            chess960_share: self.chess960_share,
            opening_score_bound: self.opening_score_bound,
            opening_nodes: self.opening_nodes,
            wide_opening_share: self.wide_opening_share,
            wide_opening_score_bound: self.wide_opening_score_bound,
            adjudication: SelfplayAdjudication { win_score, ..SelfplayAdjudication::default() },
        }
    }
}
