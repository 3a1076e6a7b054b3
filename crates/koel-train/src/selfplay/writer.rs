//! The writer of a run, which puts the games of all threads in order and ends the run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError};
use koel_board::Key;

use super::progress::Progress;
use super::totals::{SelfplayGoal, SelfplayTotals};
use crate::seen_positions::SeenPositions;
use crate::training_game::TrainingGame;
use crate::viriformat::write_game;

/// The interval at which the file is flushed and a progress line is reported.
const INTERVAL: Duration = Duration::from_secs(10);

/// A game on its way to the file.
pub(super) struct FinishedGame {
    pub(super) number: u32,
    pub(super) game: TrainingGame,
    /// The keys of the positions that the filter keeps.
    pub(super) keys: Vec<Key>,
}

pub(super) struct GameWriter {
    file: BufWriter<File>,
    totals: SelfplayTotals,
    goal: SelfplayGoal,
    seen: SeenPositions,
    /// Games that wait for one with a lower number.
    waiting: BTreeMap<u32, FinishedGame>,
}

impl GameWriter {
    pub(super) fn new(
        file: File,
        totals: SelfplayTotals,
        goal: SelfplayGoal,
        seen: SeenPositions,
    ) -> GameWriter {
        GameWriter { file: BufWriter::new(file), totals, goal, seen, waiting: BTreeMap::new() }
    }

    pub(super) fn totals(&self) -> SelfplayTotals {
        self.totals
    }

    /// Writes the games received until the goal is reached.
    pub(super) fn write_all(
        &mut self,
        games: &Receiver<FinishedGame>,
        report: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let mut progress = Progress::new(self.totals, INTERVAL);
        while !self.is_done() {
            match games.recv_timeout(INTERVAL) {
                Ok(finished) => drop(self.waiting.insert(finished.number, finished)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.write_ready()?;
            if progress.is_due() {
                self.file.flush()?;
                report(&progress.line(self.totals, self.goal));
            }
        }
        self.file.flush()
    }

    fn is_done(&self) -> bool {
        self.totals.kept >= self.goal.positions || self.totals.games >= self.goal.games
    }

    fn write_ready(&mut self) -> io::Result<()> {
        while !self.is_done() {
            let Some(next) = self.waiting.remove(&self.totals.games) else { break };
            write_game(&next.game, &mut self.file)?;
            self.totals.add(&next.game, &next.keys, &mut self.seen);
        }
        Ok(())
    }
}
