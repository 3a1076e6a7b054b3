//! Helpers of tests.

use std::fs;
use std::path::{Path, PathBuf};

use koel_eval::Evaluation;
use koel_search::Searcher;

use crate::load_evaluation::load_evaluation;
use crate::opening::OpeningGenerator;
use crate::play_game::play_game;
use crate::selfplay::{SelfplayGoal, SelfplayTotals, selfplay};
use crate::selfplay_settings::SelfplaySettings;
use crate::training_game::TrainingGame;

/// Writes a file in a folder and returns its path.
pub(crate) fn write_file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Plays a run, with two threads, until it has this many games.
pub(crate) fn play_run(folder: &Path, settings: &SelfplaySettings, games: u32) -> SelfplayTotals {
    let evaluation = load_evaluation(&settings.evaluation, folder).unwrap();
    selfplay(folder, settings, &evaluation, SelfplayGoal::games(games), 2, &mut |_| ()).unwrap()
}

/// Plays the games with these numbers in a run, with the built-in network.
pub(crate) fn play_games(
    settings: &SelfplaySettings,
    numbers: impl IntoIterator<Item = u64>,
) -> Vec<TrainingGame> {
    let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
    let mut openings = OpeningGenerator::default();
    let play = |number| play_game(&mut searcher, &mut openings, settings, number);
    numbers.into_iter().map(play).collect()
}
