//! Self-play: games by several threads into one file, whose bytes do not depend on the threads.
//!
//! Each game is determined by the seed of the run and its own number, and games are written in the
//! order of their numbers. So an interrupted run continues where it ended, and the same commit,
//! settings and seed give the same bytes.

mod run_folder;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use crossbeam::channel::{Sender, bounded};
use koel_board::Key;
use koel_eval::Evaluation;
use koel_search::{STACK_BYTES, Searcher};

use crate::kept_positions::{SeenPositions, kept_keys};
use crate::opening::OpeningGenerator;
use crate::play_game::play_game;
use crate::selfplay_settings::SelfplaySettings;
use crate::training_game::TrainingGame;
use writer::{FinishedGame, GameWriter};

pub(crate) use run_folder::{GAMES_FILE, RunFolder, SETTINGS_FILE};

/// The end of a run, at whichever limit is reached first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Args)]
pub(crate) struct SelfplayGoal {
    /// End the run after this many different kept positions
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) positions: u64,
    /// End the run after this many games
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    pub(crate) games: u32,
}

impl SelfplayGoal {
    /// Creates a goal of this many games.
    pub(crate) fn games(games: u32) -> SelfplayGoal {
        SelfplayGoal { positions: u64::MAX, games }
    }
}

/// The content of a run so far, earlier calls included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SelfplayTotals {
    /// Games written.
    pub(crate) games: u32,
    /// Positions from which a move was played.
    pub(crate) positions: u64,
    /// Different positions that are kept for the training, those of search trees included.
    pub(crate) kept: u64,
}

impl SelfplayTotals {
    /// Counts the next game, given the keys of the positions that the filter keeps.
    fn add(&mut self, game: &TrainingGame, keys: &[Key], seen: &mut SeenPositions) {
        self.kept += keys.iter().filter(|&&key| seen.insert(key)).count() as u64;
        self.positions += game.moves.len() as u64;
        self.games += 1;
    }
}

/// State shared by the threads of a run.
struct RunState<'a> {
    settings: &'a SelfplaySettings,
    next_game: AtomicU32,
    is_over: AtomicBool,
}

/// Plays games into a folder until the goal is reached, and continues a run there if it has the
/// same settings. `evaluation` is the one that they name. `report` receives a line of text every
/// ten seconds.
///
/// # Errors
/// The folder holds another run or damaged games, another process plays games into it, a file
/// cannot be read or written, or the system refuses memory or a thread. The games written before an
/// error stay, and the run can be continued.
pub(crate) fn selfplay(
    folder: &Path,
    settings: &SelfplaySettings,
    evaluation: &Evaluation,
    goal: SelfplayGoal,
    threads: usize,
    report: &mut dyn FnMut(&str),
) -> Result<SelfplayTotals> {
    let mut seen = SeenPositions::default();
    let run_folder = RunFolder(folder);
    let _lock = run_folder.lock()?;
    let (file, totals) = run_folder.open(settings, &mut seen)?;
    let file = BufWriter::new(file);
    let state = RunState {
        settings,
        next_game: AtomicU32::new(totals.games),
        is_over: AtomicBool::new(false),
    };
    let searcher = |_| Searcher::new(settings.hash_mebibytes, evaluation.clone());
    let searchers = (0..threads.max(1)).map(searcher);
    let searchers = searchers.collect::<Result<Vec<_>, _>>()?;
    // Short, so that no thread runs far ahead of the file.
    let (sender, receiver) = bounded(4 * searchers.len());
    thread::scope(|scope| {
        for searcher in searchers {
            let (state, sender) = (&state, sender.clone());
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play_games(searcher, state, &sender))?;
        }
        drop(sender);
        let writer = GameWriter { file, totals, goal, seen, waiting: BTreeMap::new() };
        let written = writer.write_all(&receiver, report);
        state.is_over.store(true, Relaxed);
        // Releases threads that wait to send a game.
        drop(receiver);
        written.with_context(|| folder.join(GAMES_FILE).display().to_string())
    })
}

/// Plays one game after another in a thread until the run is over.
fn play_games(mut searcher: Searcher, state: &RunState<'_>, sender: &Sender<FinishedGame>) {
    let mut openings = OpeningGenerator::default();
    while !state.is_over.load(Relaxed) {
        let number = state.next_game.fetch_add(1, Relaxed);
        let game = play_game(&mut searcher, &mut openings, state.settings, number.into());
        let keys = kept_keys(&game);
        if sender.send(FinishedGame { number, game, keys }).is_err() {
            return;
        }
    }
}
