//! The writer of a run, which puts the games of all threads in order, reports the progress and ends
//! the run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError};
use koel_board::Key;

use super::{SelfplayGoal, SelfplayTotals};
use crate::kept_positions::SeenPositions;
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
    pub(super) file: BufWriter<File>,
    pub(super) totals: SelfplayTotals,
    pub(super) goal: SelfplayGoal,
    pub(super) seen: SeenPositions,
    /// Games that wait for one with a lower number.
    pub(super) waiting: BTreeMap<u32, FinishedGame>,
}

impl GameWriter {
    /// Writes the games received until the goal is reached, and returns the totals.
    pub(super) fn write_all(
        mut self,
        games: &Receiver<FinishedGame>,
        report: &mut dyn FnMut(&str),
    ) -> io::Result<SelfplayTotals> {
        let (start, initial) = (Instant::now(), self.totals);
        let mut next_report = start + INTERVAL;
        while !self.is_done() {
            match games.recv_timeout(INTERVAL) {
                Ok(finished) => drop(self.waiting.insert(finished.number, finished)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.write_ready()?;
            let now = Instant::now();
            if now >= next_report {
                next_report = now + INTERVAL;
                self.file.flush()?;
                report(&progress(initial, self.totals, self.goal, now - start));
            }
        }
        self.file.flush()?;
        Ok(self.totals)
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

/// Returns the progress line after a time since the initial totals. With a goal it tells the time
/// left.
fn progress(
    initial: SelfplayTotals,
    totals: SelfplayTotals,
    goal: SelfplayGoal,
    elapsed: Duration,
) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let rate = (totals.kept - initial.kept) as f64 / seconds;
    let SelfplayTotals { games, positions, kept } = totals;
    let played = format!("{games} games, {positions} positions, {kept} kept, {rate:.0} kept/s");
    let games_rate = f64::from(games - initial.games) / seconds;
    let by_games = f64::from(goal.games.saturating_sub(games)) / games_rate;
    let by_positions = goal.positions.saturating_sub(kept) as f64 / rate;
    let is_open = (goal.positions, goal.games) == (u64::MAX, u32::MAX);
    match Duration::try_from_secs_f64(by_games.min(by_positions)) {
        Ok(left) if !is_open => {
            let minutes = left.as_secs().div_ceil(60);
            format!("{played}, {} h {:02} min left", minutes / 60, minutes % 60)
        }
        _ => played,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_states_the_rate_and_the_time_left() {
        let totals = |games, kept| SelfplayTotals { games, positions: 2 * kept, kept };
        let (before, now) = (totals(10, 1_000), totals(20, 4_000));
        let text = |goal| progress(before, now, goal, Duration::from_secs(10));
        let played = "20 games, 8000 positions, 4000 kept, 300 kept/s";
        let goal = SelfplayGoal { positions: 4_000 + 300 * 60 * 61, games: u32::MAX };
        assert_eq!(text(goal), format!("{played}, 1 h 01 min left"));
        assert_eq!(text(SelfplayGoal { games: 140, ..goal }), format!("{played}, 0 h 02 min left"));
        assert_eq!(text(SelfplayGoal::games(u32::MAX)), played);
        // Before the first game there is no rate.
        let first = progress(before, before, goal, Duration::from_secs(1));
        assert_eq!(first, "10 games, 2000 positions, 1000 kept, 0 kept/s");
    }
}
