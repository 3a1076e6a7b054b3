#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod adjudication;
mod filter;
mod from_toml;
mod hash;
mod load_evaluation;
mod loss_comparison;
mod manifest;
mod match_openings;
mod opening;
mod pgn_import;
mod pipeline;
mod placement;
mod play_game;
mod player;
mod reproduce;
mod seen_positions;
mod selfplay;
mod stats;
mod store;
#[cfg(test)]
mod testing;
mod train;
mod training_game;
mod viriformat;
mod wdl;

pub use filter::PositionFilter;
pub use load_evaluation::{LoadEvaluationError, MATERIAL, load_evaluation};
pub use loss_comparison::LossComparison;
pub use manifest::{Manifest, SelfplayRun};
pub use match_openings::match_openings;
pub use pgn_import::{ImportTotals, import_pgn};
pub use pipeline::{
    ENGINE_SHAPE, SHAPES, TrainedNetwork, TrainingError, TrainingJob, train_network,
};
pub use reproduce::{ReproduceError, reproduce};
pub use seen_positions::SeenPositions;
pub use selfplay::{
    GAMES_FILE, SETTINGS_FILE, SelfplayError, SelfplayGoal, SelfplaySettings, SelfplayTotals,
    selfplay,
};
pub use stats::DatasetStats;
pub use store::{INDEX_FILE, RunStore, STORE_VARIABLE, StoredRun};
pub use train::{
    CheckpointError, ComputeOptions, DatasetError, LossExponent, QuantisationError, TrainingPlan,
    TrainingStateError,
};
pub use training_game::{GameResult, IllegalPly, ScoredMove, TrainingGame};
pub use viriformat::{GameReader, ViriformatError, write_game};
pub use wdl::{WdlCounts, WdlModel};
