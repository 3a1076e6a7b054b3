//! Series of pairs of games of one engine, with other options for its two sides in each pair.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::Args;
use koel_arena::cli::{MatchArgs, Outcome, ProgressDisplay, interrupt_flag, is_interrupted};
use koel_arena::{
    Conclusion, EngineSpec, Match, MatchEvent, MatchScore, Opening, PgnFile, opening_order,
    stay_on_one_core,
};
use koel_files::is_same_file;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json_file;
use crate::workspace::Workspace;

/// The UCI options of a side.
pub(crate) type Options = Vec<(String, String)>;

/// The options of the first and the second side.
pub(crate) type Sides = [Options; 2];

/// The level of exploration; see docs/testing.md.
const DEFAULT_NODES: u64 = 10_000;
/// The interval at which a series is written to its file.
const WRITE_INTERVAL: Duration = Duration::from_secs(2);

/// A series of pairs, kept in a file from which it is resumed.
pub(crate) trait Series: Serialize + DeserializeOwned + Send {
    /// Describes what must be equal for the series to be resumed.
    fn settings(&self) -> String;
    /// Returns the number of the next pair. Numbers of pairs that were interrupted may be missing.
    fn next_pair(&self) -> u32;
    /// Returns the number of complete pairs.
    fn done(&self) -> u32;
}

/// Returns the outcome of a series that was to have this number of pairs.
pub(crate) fn outcome(series: &impl Series, pairs: u32) -> Outcome {
    if series.done() < pairs { Outcome::Interrupted } else { Outcome::Complete }
}

/// The arguments of a series.
#[derive(Args)]
pub(crate) struct SeriesArgs {
    /// A program built with `--features tune,switches` [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) engine: Option<String>,
    /// The file of the run, which is resumed; its games are added to the file beside it that ends
    /// in `.pgn` [default: tuning.json or trial.json in the target folder]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    #[command(flatten)]
    match_args: MatchArgs,
}

impl SeriesArgs {
    /// Checks the options, before anything is built.
    ///
    /// # Errors
    /// One is given that a series does not have, or the run and its games would be one file.
    pub(crate) fn check(&self) -> Result<()> {
        self.match_args.check_series()?;
        let Some(path) = &self.run else { return Ok(()) };
        let games = games_file(path);
        ensure!(
            *path != games && !is_same_file(path, &games),
            "the run and its games need two files: {} is both",
            path.display()
        );
        Ok(())
    }

    /// Returns the file of the series, which has this name in the target folder by default.
    pub(crate) fn file(&self, workspace: &Workspace, name: &str) -> Result<PathBuf> {
        match &self.run {
            Some(path) => Ok(path.clone()),
            None => Ok(workspace.target_folder()?.join(name)),
        }
    }

    pub(crate) fn engine(&self, workspace: &Workspace) -> Result<EngineSpec> {
        workspace.engine_with_switches(self.engine.as_deref())
    }

    /// Returns the arguments of the games.
    pub(crate) fn match_args(&self) -> MatchArgs {
        self.match_args.clone().or_nodes(DEFAULT_NODES)
    }

    /// Returns the number of pairs.
    pub(crate) fn pairs(&self, default_games: u32) -> u32 {
        self.match_args.pairs().unwrap_or(default_games.div_ceil(2))
    }

    /// Returns the series of a file if that has the same settings, and otherwise the fresh one.
    pub(crate) fn resume<S: Series>(&self, path: &Path, fresh: S) -> Result<S> {
        self.match_args.check_output(path)?;
        self.match_args.check_output(&games_file(path))?;
        let old = json_file::read::<S>(path)?.filter(|_| !self.match_args.fresh);
        let Some(old) = old else { return Ok(fresh) };
        let (was, is) = (old.settings(), fresh.settings());
        ensure!(
            was == is,
            "{} has another run; --fresh starts anew\nfile: {was}\nnow:  {is}",
            path.display()
        );
        Ok(old)
    }

    pub(crate) fn player(
        &self,
        workspace: &Workspace,
        engine: &EngineSpec,
        seed: u64,
    ) -> Result<PairPlayer> {
        // Every pair of games is a match of its own, without files.
        let mut pair_args = self.match_args();
        (pair_args.games, pair_args.fresh) = (Some(2), false);
        let sides = [engine.clone().into(), engine.clone().into()];
        let mut config = pair_args.configure(workspace, &sides, None)?;
        (config.state, config.pgn) = (None, None);
        let openings = std::mem::take(&mut config.openings);
        let order = opening_order(openings.len(), seed);
        let openings = order.into_iter().map(|index| openings[index].clone()).collect();
        Ok(PairPlayer { config, openings })
    }
}

/// Returns the file of the games of a run.
fn games_file(run: &Path) -> PathBuf {
    run.with_extension("pgn")
}

/// A player of pairs.
pub(crate) struct PairPlayer {
    config: Match,
    /// In the order in which they are played.
    openings: Vec<Opening>,
}

/// A series while several threads play it.
struct Shared<S> {
    series: S,
    next: u32,
    /// The number of pairs that are being played.
    running: u32,
    games: PgnFile,
    progress: ProgressDisplay,
    written: Instant,
}

impl<S: Series> Shared<S> {
    /// Returns the number of the next pair to be played; `None` if no more are needed.
    fn take_pair(&mut self, pairs: u32) -> Option<u32> {
        if self.series.done() + self.running >= pairs {
            return None;
        }
        self.running += 1;
        self.next += 1;
        Some(self.next - 1)
    }

    fn write(&mut self, path: &Path) -> Result<()> {
        self.written = Instant::now();
        json_file::write(path, &self.series)
    }
}

/// Locks even after a panic of another thread, which ends the series.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PairPlayer {
    /// Plays a series, several pairs at once, until it has this number of pairs or the user
    /// interrupts. `start` chooses the options of the two sides of a pair, `record` adds its
    /// result. An error ends the series after the pairs that are being played; what is complete is
    /// written.
    pub(crate) fn play<S: Series, P>(
        &self,
        (series, path): (S, &Path),
        pairs: u32,
        start: &(dyn Fn(&S, u32) -> (Sides, P) + Sync),
        record: &(dyn Fn(&mut S, P, &MatchScore) + Sync),
    ) -> Result<S> {
        let progress = ProgressDisplay::new(2 * u64::from(pairs), false);
        let games = PgnFile::open(&games_file(path))?;
        let (next, running, written) = (series.next_pair(), 0, Instant::now());
        let shared = Mutex::new(Shared { series, next, running, games, progress, written });
        let has_failed = AtomicBool::new(false);
        let play = |thread: usize| -> Result<()> {
            if self.config.is_pinned {
                stay_on_one_core(thread);
            }
            while !is_interrupted() && !has_failed.load(Ordering::Relaxed) {
                let mut taking = lock(&shared);
                let Some(number) = taking.take_pair(pairs) else { break };
                let (sides, plan) = start(&taking.series, number);
                drop(taking);
                let Some((score, games)) = self.play_pair(number, sides)? else { break };
                let mut shared = lock(&shared);
                shared.games.add(&games)?;
                record(&mut shared.series, plan, &score);
                shared.running -= 1;
                shared.progress.show(2 * u64::from(shared.series.done()), "");
                if shared.written.elapsed() > WRITE_INTERVAL {
                    shared.write(path)?;
                }
            }
            Ok(())
        };
        let play =
            |thread: usize| play(thread).inspect_err(|_| has_failed.store(true, Ordering::Relaxed));
        let played = thread::scope(|scope| {
            let (threads, play) = (0..self.config.concurrency.max(1), &play);
            let players: Vec<_> = threads.map(|thread| scope.spawn(move || play(thread))).collect();
            players.into_iter().try_for_each(|player| {
                player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.progress.finish();
        let written = shared.write(path);
        played.and(written)?;
        Ok(shared.series)
    }

    /// Plays the two games of a pair. Returns the score and the games as PGN; `None` if they were
    /// interrupted.
    fn play_pair(&self, number: u32, sides: Sides) -> Result<Option<(MatchScore, String)>> {
        let mut config = self.config.clone();
        // The thread is pinned already.
        (config.is_pinned, config.concurrency) = (false, 1);
        config.openings = vec![self.openings[number as usize % self.openings.len()].clone()];
        for (engine, options) in config.engines.iter_mut().zip(sides) {
            engine.spec.options.extend(options);
        }
        let (games, fault) = (Mutex::new(String::new()), Mutex::new(None));
        let observer = |event: MatchEvent<'_>| match event {
            MatchEvent::Game(game) => lock(&games).push_str(game.pgn),
            MatchEvent::Fault(text) => *lock(&fault) = Some(text.to_owned()),
            _ => {}
        };
        let (conclusion, scores) = config.run(interrupt_flag()?, &observer)?;
        let score = scores.into_iter().next().unwrap_or_default();
        if let Some(fault) = lock(&fault).take() {
            bail!("a fault of an engine in pair {}: {fault}", number + 1);
        }
        let games = std::mem::take(&mut *lock(&games));
        Ok((conclusion == Conclusion::Complete).then_some((score, games)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use serde::Deserialize;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: SeriesArgs,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers {
        name: String,
        done: u32,
    }

    impl Series for Numbers {
        fn settings(&self) -> String {
            self.name.clone()
        }

        fn next_pair(&self) -> u32 {
            self.done
        }

        fn done(&self) -> u32 {
            self.done
        }
    }

    #[test]
    fn a_series_is_resumed_only_with_the_same_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("series.json");
        let numbers = |name: &str, done| Numbers { name: name.to_owned(), done };
        let resume = |words: &[&str], fresh| {
            let words = ["series"].iter().chain(words);
            CommandLine::parse_from(words).args.resume(&path, fresh)
        };
        assert_eq!(resume(&[], numbers("a", 0)).unwrap(), numbers("a", 0));
        json_file::write(&path, &numbers("a", 7)).unwrap();
        assert_eq!(resume(&[], numbers("a", 0)).unwrap(), numbers("a", 7));
        assert!(resume(&[], numbers("b", 0)).is_err());
        assert_eq!(resume(&["--fresh"], numbers("b", 0)).unwrap(), numbers("b", 0));
    }

    #[test]
    fn a_run_and_its_games_are_two_files() {
        let check = |run: &str| {
            let error = CommandLine::parse_from(["series", "--run", run]).args.check().err();
            error.map(|error| error.to_string())
        };
        assert_eq!(check("run.json"), None);
        let expected = "the run and its games need two files: run.pgn is both";
        assert_eq!(check("run.pgn").as_deref(), Some(expected));
    }

    #[test]
    fn a_fresh_series_leaves_the_files_of_a_match() {
        let folder = tempfile::tempdir().unwrap();
        let [state, pgn] = ["m.json", "m.pgn"].map(|name| folder.path().join(name));
        fs::write(&state, "{\"pairings\":\"\"}\n").unwrap();
        let words = ["series", "--fresh", "--state", state.to_str().unwrap(), "--pgn"];
        let line = CommandLine::parse_from(words.into_iter().chain(pgn.to_str()));
        let engine = EngineSpec::new("a", std::env::current_exe().unwrap());
        line.args.player(&Workspace::find().unwrap(), &engine, 1).map(drop).unwrap();
        assert!(state.is_file());
    }
}
