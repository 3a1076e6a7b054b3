//! The threads of a run.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

use crossbeam::channel::{Sender, bounded};
use koel_eval::Evaluation;
use koel_search::STACK_BYTES;

use super::error::SelfplayError;
use super::folder::{GAMES_FILE, RunFolder};
use super::settings::SelfplaySettings;
use super::totals::{SelfplayGoal, SelfplayTotals};
use super::writer::{FinishedGame, GameWriter};
use crate::filter::PositionFilter;
use crate::opening::OpeningGenerator;
use crate::play_game::play_game;
use crate::player::Player;
use crate::seen_positions::{SeenPositions, kept_keys};

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
/// See [`SelfplayError`]. The games written before an error stay, and the run can be continued.
pub fn selfplay(
    folder: &Path,
    settings: &SelfplaySettings,
    evaluation: &Evaluation,
    goal: SelfplayGoal,
    threads: usize,
    report: &mut dyn FnMut(&str),
) -> Result<SelfplayTotals, SelfplayError> {
    let mut seen = SeenPositions::new();
    let (file, totals) = RunFolder(folder).open(settings, &mut seen)?;
    let state = RunState {
        settings,
        next_game: AtomicU32::new(totals.games),
        is_over: AtomicBool::new(false),
    };
    let player = |_| Player::new(settings.hash_mebibytes, evaluation.clone());
    let players = (0..threads.max(1)).map(player);
    let players = players.collect::<Result<Vec<_>, _>>()?;
    // Short, so that no thread runs far ahead of the file.
    let (sender, receiver) = bounded(4 * players.len());
    thread::scope(|scope| {
        for player in players {
            let (state, sender) = (&state, sender.clone());
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play_games(player, state, &sender))
                .map_err(SelfplayError::Thread)?;
        }
        drop(sender);
        let mut writer = GameWriter::new(file, totals, goal, seen);
        let written = writer.write_all(&receiver, report);
        state.is_over.store(true, Relaxed);
        // Releases threads that wait to send a game.
        drop(receiver);
        written.map_err(|source| RunFolder(folder).file_error(GAMES_FILE, source))?;
        Ok(writer.totals())
    })
}

/// Plays one game after another in a thread until the run is over.
fn play_games(mut player: Player, state: &RunState<'_>, sender: &Sender<FinishedGame>) {
    let settings = state.settings.game_settings();
    let mut openings = OpeningGenerator::default();
    while !state.is_over.load(Relaxed) {
        let number = state.next_game.fetch_add(1, Relaxed);
        let run = state.settings.run;
        let game = play_game(&mut player, &mut openings, &settings, run, u64::from(number));
        let keys = kept_keys(&game, &PositionFilter::default()).expect("moves played are legal");
        if sender.send(FinishedGame { number, game, keys }).is_err() {
            return;
        }
    }
}
