//! `koel-lab trial`: the Elo of several changes at once.
//!
//! In each pair of games every change is made on one side or on the other, at random and apart from
//! all others, and the effects are fitted to the results by least squares. So every game counts
//! for every change: ten changes need no more games than one. The sum of effects is assumed, so
//! that what is accepted is tested again by itself. (Factorial experiments; Fisher 1926.)
//!
//! Rare changes are made by each side in a fifth of the pairs. They need three times the games, but
//! leave the rest of the engine mostly as it is: for an ablation, in which half of the search would
//! be missing otherwise. `--write` publishes what each feature is worth.

pub(crate) mod ablation;
mod cost;
mod effects;
mod run;
mod table;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use koel_arena::MatchScore;
use koel_arena::cli::{CommandContext, EngineCommand, MatchArgs, ProgressDisplay};

use self::ablation::{AblationResults, Conditions, FeatureResult, GameScore};
use self::run::{PairResult, TrialRun};
use crate::change::Change;
use crate::engine_bench;
use crate::pairs::{Pair, PairPlayer};
use crate::switches::{self, Switch};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Trial {
    /// Changes: features to be switched, by their names in features.rs, and options, as in
    /// `aspiration_margin=14`; with commas between those that belong together
    #[arg(required_unless_present = "rare", value_name = "CHANGE")]
    changes: Vec<String>,
    /// A change that each side makes in a fifth of the pairs, whatever the other does (repeatable)
    #[arg(long, value_name = "CHANGE")]
    rare: Vec<String>,
    /// A program built with `--features tune,ablate` [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// The file of the trial, which is resumed [default: target/trial.json]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Write the results of changes that are one feature to the data and the page in `docs`, with
    /// the nodes and the time of a search without it
    #[arg(long)]
    write: bool,
    /// Depth in plies of the bench that is counted and timed for that
    #[arg(long, default_value_t = 14)]
    bench_depth: u32,
    /// Runs of this bench for each feature; none with 0
    #[arg(long, default_value_t = 3)]
    bench_runs: u32,
    #[command(flatten)]
    match_args: MatchArgs,
}

const DEFAULT_GAMES: u32 = 3_000;
/// The level of exploration; see docs/testing.md.
const DEFAULT_NODES: u64 = 10_000;
/// The interval at which the run is written to its file.
const WRITE_INTERVAL: Duration = Duration::from_secs(2);
/// The published results, of which the report is made.
const DATA: &str = "docs/data/ablation.json";
/// The page with the table of the published results.
const PAGE: &str = "docs/ablation.md";

impl Trial {
    pub(crate) fn run(mut self, workspace: &Workspace) -> Result<()> {
        let path = match &self.run {
            Some(path) => path.clone(),
            None => workspace.target_folder()?.join("trial.json"),
        };
        let engine = match &self.engine {
            Some(word) => workspace.resolve(word)?,
            None => workspace.build_with_switches()?,
        };
        let switches = switches::read(workspace, &engine)?;
        let changes =
            self.changes.iter().chain(&self.rare).map(|text| Change::parse(text, &switches));
        let changes = changes.collect::<Result<Vec<_>>>()?;
        ensure!(changes.len() <= run::MAX_CHANGES, "at most {} changes", run::MAX_CHANGES);
        self.match_args = self.match_args.or_nodes(DEFAULT_NODES);
        let pairs = self.match_args.games().unwrap_or(DEFAULT_GAMES).div_ceil(2);
        let fresh = TrialRun::new(
            workspace.commit()?,
            self.match_args.description(),
            self.match_args.seed(),
            self.changes.clone(),
            self.rare.clone(),
        );
        let trial = match TrialRun::read(&path)? {
            Some(trial) if !self.match_args.is_fresh() => {
                trial.ensure_continues(&fresh)?;
                trial
            }
            _ => fresh,
        };
        let pair_args = self.match_args.with_games(2);
        let config = pair_args.configure(workspace, [&engine, &engine], None)?;
        let player = PairPlayer::new(config, trial.seed);
        let series = Series::new(trial, changes, pairs, &path);
        player.play(&|| series.next_pair(), &|number, score| series.record(number, score))?;
        let trial = series.into_run();
        trial.write(&path)?;
        trial.report().iter().for_each(|line| println!("{line}"));
        if self.write { self.publish(workspace, &engine, &switches, &trial) } else { Ok(()) }
    }

    /// Replaces the rows of the features of a trial in the data and on the page.
    fn publish(
        &self,
        workspace: &Workspace,
        engine: &EngineCommand,
        switches: &[Switch],
        trial: &TrialRun,
    ) -> Result<()> {
        let data = workspace.path(DATA);
        let mut results = AblationResults::read(&data)?;
        let conditions = Conditions {
            commit: trial.commit.clone(),
            bench: engine_bench::run(&engine.command, None, None)?.nodes,
            settings: format!("{}, a trial", trial.settings),
        };
        for switch in switches {
            let Some(found) = trial.effect_of(&switch.feature) else { continue };
            // Switching it off is what the trial measured, unless it is off by default.
            let elo = if switch.is_on { -found.elo } else { found.elo };
            let cost = match self.bench_runs {
                0 => None,
                runs => Some(cost::compare(engine, switch, self.bench_depth, runs)?),
            };
            results.set(FeatureResult {
                feature: switch.feature.clone(),
                default: switch.is_on,
                conditions: conditions.clone(),
                score: Some(GameScore::of_effect(found.games, elo, found.error)),
                cost,
            });
        }
        results.write(&data)?;
        let shell = workspace.shell();
        let page = shell.read_file(PAGE)?;
        Ok(shell.write_file(PAGE, table::replace(&page, &results)?)?)
    }
}

/// The pairs of a trial, of which several are played at once.
struct Series<'t> {
    changes: Vec<Change>,
    pairs: u32,
    path: &'t Path,
    shared: Mutex<SharedRun>,
    progress: Mutex<ProgressDisplay>,
}

/// The state that the threads share.
struct SharedRun {
    trial: TrialRun,
    /// The number of the next pair.
    next: u32,
    written: Instant,
}

impl<'t> Series<'t> {
    fn new(trial: TrialRun, changes: Vec<Change>, pairs: u32, path: &'t Path) -> Series<'t> {
        let progress = Mutex::new(ProgressDisplay::new(2 * u64::from(pairs)));
        // Pairs that were interrupted are not played again.
        let next = trial.results.iter().map(|result| result.pair + 1).max().unwrap_or(0);
        let shared = Mutex::new(SharedRun { trial, next, written: Instant::now() });
        Series { changes, pairs, path, shared, progress }
    }

    fn next_pair(&self) -> Option<Pair<u32>> {
        let mut shared = lock(&self.shared);
        let number = shared.next;
        if number >= self.pairs {
            return None;
        }
        shared.next += 1;
        let sides = shared.trial.sides(number);
        let options = |side: usize| {
            let changes = self.changes.iter().zip(&sides);
            let made = changes.filter(|(_, sides)| sides[side]);
            made.flat_map(|(change, _)| change.options.clone()).collect()
        };
        Some(Pair { number, sides: [options(0), options(1)], work: number })
    }

    fn record(&self, pair: u32, score: &MatchScore) -> Result<()> {
        let mut shared = lock(&self.shared);
        let [losses, draws, wins] = score.games.0;
        let results = &mut shared.trial.results;
        results.push(PairResult { pair, wins, draws, losses });
        lock(&self.progress).show(2 * results.len() as u64, "");
        if shared.written.elapsed() > WRITE_INTERVAL {
            shared.written = Instant::now();
            shared.trial.write(self.path)?;
        }
        Ok(())
    }

    fn into_run(self) -> TrialRun {
        lock(&self.progress).finish();
        self.shared.into_inner().unwrap_or_else(PoisonError::into_inner).trial
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
