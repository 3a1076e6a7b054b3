//! `koel-lab tune`: SPSA tuning of the parameters of the search, with the built-in match runner.

pub(crate) mod parameter;
mod spsa;
pub(crate) mod state;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use koel_arena::cli::{CommandContext, EngineCommand, MatchArgs, ProgressDisplay};
use koel_arena::{MatchScore, MoveLimits};
use xshell::cmd;

use self::state::TuningRun;
use crate::pairs::{Pair, PairPlayer};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Tune {
    /// Parameters, or groups of them, by their names in `koel spsa` [default: all]
    parameters: Vec<String>,
    /// A program built with `--features tune` [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// Learning rate at the end of the run
    #[arg(long, default_value_t = 0.002)]
    r_end: f64,
    /// The file of the run, which is resumed [default: target/tuning.json]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Write the run to docs/data/tuning.json as well, of which the report is made
    #[arg(long)]
    write: bool,
    /// Only print the current values, in the format of OpenBench
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    match_args: MatchArgs,
}

const DEFAULT_GAMES: u32 = 15_000;
/// The level of exploration; see docs/testing.md.
const DEFAULT_NODES: u64 = 10_000;
/// The published run.
const DATA: &str = "docs/data/tuning.json";
/// The interval at which the run is written to its file.
const WRITE_INTERVAL: Duration = Duration::from_secs(2);

impl Tune {
    pub(crate) fn run(mut self, workspace: &Workspace) -> Result<()> {
        let path = match &self.run {
            Some(path) => path.clone(),
            None => workspace.target_folder()?.join("tuning.json"),
        };
        if self.print {
            let state = TuningRun::read(&path)?;
            ensure!(state.is_some(), "{}: no such file", path.display());
            state.iter().flat_map(|state| &state.parameters).for_each(|line| println!("{line}"));
            return Ok(());
        }
        let engine = match &self.engine {
            Some(word) => workspace.resolve(word)?,
            None => workspace.build_with_switches()?,
        };
        self.match_args = self.match_args.or_nodes(DEFAULT_NODES);
        let fresh = self.new_state(workspace, &engine)?;
        let state = match TuningRun::read(&path)? {
            Some(state) if !self.match_args.is_fresh() => {
                state.ensure_continues(&fresh)?;
                state
            }
            _ => fresh,
        };
        // Every pair of games is a match of its own.
        let pair_args = self.match_args.with_games(2);
        let config = pair_args.configure(workspace, [&engine, &engine], None)?;
        let player = PairPlayer::new(config, state.seed);
        let tuner = Tuner::new(state, &path);
        player.play(&|| tuner.next_pair(), &|perturbation, score| {
            tuner.record(&perturbation, score)
        })?;
        let state = tuner.into_state();
        state.write(&path)?;
        if self.write {
            state.write(&workspace.path(DATA))?;
        }
        report(&state);
        Ok(())
    }

    fn new_state(&self, workspace: &Workspace, engine: &EngineCommand) -> Result<TuningRun> {
        let (shell, program) = (workspace.shell(), &engine.command);
        let lines = cmd!(shell, "{program} spsa").quiet().read()?;
        let has_clock = matches!(self.match_args.limits(), MoveLimits::Clock(_));
        let mut parameters = parameter::choose(&lines, &self.parameters, has_clock)?;
        for parameter in &mut parameters {
            parameter.r_end = self.r_end;
        }
        let iterations = self.match_args.games().unwrap_or(DEFAULT_GAMES).div_ceil(2);
        let about = (workspace.commit()?, self.match_args.description());
        Ok(TuningRun::new(about, self.match_args.seed(), iterations, parameters))
    }
}

/// A tuning run of which several pairs of games are played at once.
struct Tuner<'t> {
    path: &'t Path,
    shared: Mutex<SharedRun>,
    progress: Mutex<ProgressDisplay>,
}

/// The state that the threads share.
struct SharedRun {
    state: TuningRun,
    /// The next iteration to play.
    next: u32,
    /// The time up to which `state.seconds` counts.
    counted_until: Instant,
    written: Instant,
}

impl<'t> Tuner<'t> {
    fn new(state: TuningRun, path: &'t Path) -> Self {
        let progress = Mutex::new(ProgressDisplay::new(u64::from(state.iterations) * 2));
        let now = Instant::now();
        let shared = SharedRun { next: state.done, state, counted_until: now, written: now };
        Tuner { path, shared: Mutex::new(shared), progress }
    }

    /// The next iteration, with the parameters as they are now.
    fn next_pair(&self) -> Option<Pair<spsa::Perturbation>> {
        let mut shared = lock(&self.shared);
        let (number, state) = (shared.next, &shared.state);
        if number >= state.iterations {
            return None;
        }
        let perturbation = spsa::perturb(&state.parameters, state.seed, (number, state.iterations));
        let sides = perturbation.sides.each_ref().map(|values| {
            let options = state.parameters.iter().zip(values);
            options.map(|(p, value)| (p.name.clone(), value.to_string())).collect()
        });
        shared.next += 1;
        Some(Pair { number, sides, work: perturbation })
    }

    fn record(&self, perturbation: &spsa::Perturbation, score: &MatchScore) -> Result<()> {
        let mut shared = lock(&self.shared);
        let [losses, draws, wins] = score.games.0;
        let state = &mut shared.state;
        perturbation.apply(&mut state.parameters, wins as f64 - losses as f64);
        state.done += 1;
        (state.wins, state.draws, state.losses) =
            (state.wins + wins, state.draws + draws, state.losses + losses);
        state.sample();
        let text = format!("+{} -{} ={}", state.wins, state.losses, state.draws);
        lock(&self.progress).show(u64::from(state.done) * 2, &text);
        if shared.written.elapsed() > WRITE_INTERVAL {
            shared.count_seconds();
            shared.written = Instant::now();
            shared.state.write(self.path)?;
        }
        Ok(())
    }

    fn into_state(self) -> TuningRun {
        lock(&self.progress).finish();
        let mut shared = self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.count_seconds();
        shared.state
    }
}

impl SharedRun {
    fn count_seconds(&mut self) {
        let now = Instant::now();
        self.state.seconds += (now - self.counted_until).as_secs_f64();
        self.counted_until = now;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(state: &TuningRun) {
    println!("{} of {} pairs, {:.0} s", state.done, state.iterations, state.seconds);
    for parameter in &state.parameters {
        let parameter::Parameter { name, start, value, .. } = parameter;
        println!("{name}: {start} -> {value:.2}");
    }
    if state.done < state.iterations {
        println!("interrupted; the same command resumes the run");
    }
}
