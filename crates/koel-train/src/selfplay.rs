//! Self-play: games by several threads into one file, whose bytes do not depend on the threads.
//!
//! Each game is determined by the seed of the run and its own number, and games are written in the
//! order of their numbers. So an interrupted run continues where it ended, and the same commit,
//! settings and seed give the same bytes.

mod error;
mod folder;
mod progress;
mod run;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
mod totals;
mod writer;

pub use error::SelfplayError;
pub(crate) use folder::RunFolder;
pub use folder::{GAMES_FILE, SETTINGS_FILE};
pub use run::selfplay;
pub use settings::SelfplaySettings;
pub use totals::{SelfplayGoal, SelfplayTotals};
