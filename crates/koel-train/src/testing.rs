//! Helpers of tests.

use std::fs;
use std::path::PathBuf;

use koel_eval::Evaluation;

use crate::opening::OpeningGenerator;
use crate::play_game::play_game;
use crate::player::Player;
use crate::selfplay_settings::SelfplaySettings;
use crate::training_game::TrainingGame;

/// A temporary folder of a test, removed when dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("koel-train-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        Scratch(path)
    }

    /// Writes a file in the folder and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        fs::create_dir_all(&self.0).unwrap();
        fs::write(self.0.join(name), bytes).unwrap();
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Plays the games with these numbers in a run, with the built-in network.
pub(crate) fn play_games(
    settings: &SelfplaySettings,
    numbers: impl IntoIterator<Item = u64>,
) -> Vec<TrainingGame> {
    let mut player = Player::new(1, Evaluation::default()).unwrap();
    let mut openings = OpeningGenerator::default();
    let play = |number| play_game(&mut player, &mut openings, settings, number);
    numbers.into_iter().map(play).collect()
}
