//! The only thread that writes: games in order, and the end of the run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError};

use super::progress::Progress;
use super::{Goal, Played, Tally};
use crate::distinct::Distinct;
use crate::viriformat::write_game;

/// How often the file is brought up to date and a line is told.
const INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Writer<'a> {
    file: BufWriter<File>,
    tally: Tally,
    goal: Goal,
    distinct: &'a Distinct,
    /// Games that came before their turn.
    early: BTreeMap<u32, Played>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(file: File, tally: Tally, goal: Goal, distinct: &'a Distinct) -> Writer<'a> {
        Writer { file: BufWriter::new(file), tally, goal, distinct, early: BTreeMap::new() }
    }

    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    /// Writes what comes until the goal is reached.
    pub(super) fn write_all(
        &mut self,
        games: &Receiver<Played>,
        tell: &mut dyn FnMut(&str),
    ) -> io::Result<()> {
        let mut progress = Progress::new(self.tally, INTERVAL);
        while !self.is_done() {
            match games.recv_timeout(INTERVAL) {
                Ok(played) => drop(self.early.insert(played.number, played)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.write_ready()?;
            if progress.is_due() {
                self.file.flush()?;
                tell(&progress.line(self.tally, self.goal));
            }
        }
        self.file.flush()
    }

    fn is_done(&self) -> bool {
        self.tally.kept >= self.goal.positions || self.tally.games >= self.goal.games
    }

    fn write_ready(&mut self) -> io::Result<()> {
        while !self.is_done() {
            let Some(next) = self.early.remove(&self.tally.games) else { break };
            write_game(&next.game, &mut self.file)?;
            // All games before it were filed before they were sent.
            self.tally.kept += self.distinct.own(&next.keys, next.number) as u64;
            self.tally.positions += next.game.plies.len() as u64;
            self.tally.games += 1;
        }
        Ok(())
    }
}
