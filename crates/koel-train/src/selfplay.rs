//! Many games by many threads into one file, the same file whatever the threads do.
//!
//! Every game follows from the number of the run and its own, and games are written in the order
//! of their numbers. So a run that was broken off goes on where it ended, and the same commit,
//! settings and run give the same bytes.

mod folder;
mod progress;
mod writer;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

use crossbeam::channel::{Sender, bounded};
use koel_board::Key;
use koel_eval::{BUILT_IN, Evaluation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::distinct::{Distinct, kept_keys};
use crate::filter::Filter;
use crate::player::{Budget, Player, STACK_BYTES};
use crate::record::GameRecord;
use crate::self_game::{Terms, play_game};
use crate::viriformat::ViriformatError;
use folder::Folder;
use writer::Writer;

pub use folder::{GAMES_FILE, SETTINGS_FILE};

/// All that decides which games are played. Two runs with the same settings give the same bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The seed of the run.
    pub run: u64,
    /// The commit that the games are played with, for whoever reads the file.
    pub commit: String,
    /// What evaluates: `material` for material and piece-square tables, or the name of a network.
    /// See [`judge`](crate::judge).
    pub evaluation: String,
    /// No iteration of a search begins after so many nodes.
    pub soft_nodes: u64,
    /// No search has more nodes than this.
    pub hard_nodes: u64,
    /// The size of the table in MiB. It is emptied before each game: keep it small.
    pub hash_mebibytes: usize,
    /// The share of games that begin as Chess960.
    pub chess960_share: f64,
    /// An opening is played if neither side is ahead by more than this many centipawns...
    pub sane_score: i32,
    /// ...in a search of this many nodes.
    pub sane_nodes: u64,
    /// The share of games, from 0 to 1, whose opening may be as uneven as
    /// [`wide_score`](Self::wide_score).
    #[serde(default)]
    pub wide_share: f64,
    /// The bound in centipawns for the openings of those games.
    #[serde(default = "earlier::wide_score")]
    pub wide_score: i32,
    /// A game ends when a side is ahead by this many centipawns for four plies.
    #[serde(default = "earlier::win_score")]
    pub win_score: i32,
}

/// Values of settings that runs made before they could be set were played with.
mod earlier {
    pub(super) fn wide_score() -> i32 {
        600
    }

    pub(super) fn win_score() -> i32 {
        2_000
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            run: 1,
            commit: "unknown".to_owned(),
            evaluation: BUILT_IN.to_owned(),
            soft_nodes: 100,
            hard_nodes: 2_000,
            hash_mebibytes: 4,
            chess960_share: 0.1,
            sane_score: 200,
            sane_nodes: 1_000,
            wide_share: 0.2,
            wide_score: 600,
            win_score: 800,
        }
    }
}

impl Settings {
    /// The settings as a game wants them.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            budget: Budget { soft_nodes: self.soft_nodes, hard_nodes: self.hard_nodes },
            chess960_share: self.chess960_share,
            sane_score: self.sane_score,
            sane_nodes: self.sane_nodes,
            wide_share: self.wide_share,
            wide_score: self.wide_score,
            adjudication: Adjudication { win_score: self.win_score, ..Adjudication::default() },
        }
    }
}

/// When a run ends, whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    /// So many different positions kept by the [`Filter`].
    pub positions: u64,
    /// So many games.
    pub games: u32,
}

/// What a run has made so far, earlier calls included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games written.
    pub games: u32,
    /// Positions from which a move was played.
    pub positions: u64,
    /// Those that the default [`Filter`] keeps, each counted once.
    pub kept: u64,
}

/// Why a run fails.
#[derive(Debug, Error)]
pub enum SelfplayError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// What is there was made otherwise.
    #[error("{0}: there are games of another run; choose another folder, or its settings")]
    OtherRun(String),
    /// The settings of the run that is there cannot be read.
    #[error("{0}")]
    Settings(String),
    /// The games that are there are damaged.
    #[error("{0}: {1}")]
    Games(String, ViriformatError),
    /// There is no memory for the tables.
    #[error("no memory for the tables")]
    OutOfMemory(#[from] koel_search::OutOfMemory),
    /// A thread could not be started.
    #[error("no thread: {0}")]
    Thread(std::io::Error),
}

/// A game on its way to the file.
struct Played {
    number: u32,
    game: GameRecord,
    /// The positions that the filter keeps.
    keys: Vec<Key>,
}

/// What the threads of a run share.
struct Hall<'a> {
    settings: &'a Settings,
    distinct: &'a Distinct,
    next_game: AtomicU32,
    is_over: AtomicBool,
}

/// Plays games into a folder until the goal is reached, and goes on with what is there if it was
/// made with the same settings; `evaluation` is what they name. `tell` gets a line of text now and
/// then.
///
/// # Errors
/// See [`SelfplayError`]. What was written before it stays, and can be gone on with.
pub fn selfplay(
    folder: &std::path::Path,
    settings: &Settings,
    evaluation: &Evaluation,
    goal: Goal,
    threads: usize,
    tell: &mut dyn FnMut(&str),
) -> Result<Tally, SelfplayError> {
    let distinct = Distinct::new();
    let (file, tally) = Folder(folder).open(settings, &distinct)?;
    let hall = Hall {
        settings,
        distinct: &distinct,
        next_game: AtomicU32::new(tally.games),
        is_over: AtomicBool::new(false),
    };
    let player = |_| Player::new(settings.hash_mebibytes, evaluation.clone());
    let players = (0..threads.max(1)).map(player);
    let players = players.collect::<Result<Vec<_>, _>>()?;
    // So short that no thread runs far ahead of the file.
    let (sender, receiver) = bounded(4 * players.len());
    thread::scope(|scope| {
        for player in players {
            let (hall, sender) = (&hall, sender.clone());
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play_on(player, hall, &sender))
                .map_err(SelfplayError::Thread)?;
        }
        drop(sender);
        let mut writer = Writer::new(file, tally, goal, &distinct);
        let written = writer.write_all(&receiver, tell);
        hall.is_over.store(true, Relaxed);
        // Threads that wait to hand over a game are let go.
        drop(receiver);
        written.map_err(|source| Folder(folder).file_error(GAMES_FILE, source))?;
        Ok(writer.tally())
    })
}

/// One thread: game after game until the run is over.
fn play_on(mut player: Player, hall: &Hall<'_>, sender: &Sender<Played>) {
    let terms = hall.settings.terms();
    while !hall.is_over.load(Relaxed) {
        let number = hall.next_game.fetch_add(1, Relaxed);
        let game = play_game(&mut player, &terms, hall.settings.run, u64::from(number));
        let keys = kept_keys(&game, &Filter::default()).expect("moves played are legal");
        hall.distinct.file(&keys, number);
        if sender.send(Played { number, game, keys }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
