#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod commands;
mod hash;
mod judge;
mod kept_positions;
mod label_source;
mod load_evaluation;
mod loss_comparison;
mod manifest;
mod node_limits;
mod number_arguments;
mod opening;
mod pgn_import;
mod phase_values;
mod pipeline;
mod play_game;
mod priority;
mod reproduce;
mod selfplay;
mod selfplay_settings;
mod store;
#[cfg(test)]
mod testing;
mod toml_file;
mod train;
mod training_game;
mod viriformat;
mod wdl;

pub use commands::run_command_line;
pub use training_game::{GameResult, ScoredMove, TrainingGame};
pub use viriformat::{GameReader, ViriformatError, write_game};
