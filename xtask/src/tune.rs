//! `cargo xtask tune`: SPSA over the numbers of the search, with the built-in runner.

pub(crate) mod parameter;
mod spsa;
pub(crate) mod state;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::Args;
use koel_arena::cli::{EngineCommand, MatchArgs, ProgressDisplay, interrupt_flag, is_interrupted};
use koel_arena::{Conclusion, Match, MatchScore, Opening, disable_aslr, pin_to_core};
use koel_random::Rng;
use xshell::{Shell, cmd};

use self::state::State;
use crate::arena::Workspace;
use crate::engines;

#[derive(Args)]
pub(crate) struct Tune {
    /// Numbers, or groups of them, by their names in `koel spsa` [default: all]
    parameters: Vec<String>,
    /// A program built with `--features tune` [default: this working tree, built so]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// The learning rate at the end of the run
    #[arg(long, default_value_t = 0.002)]
    r_end: f64,
    /// The run, from which it goes on
    #[arg(long, value_name = "FILE", default_value = "docs/data/tuning.json")]
    run: PathBuf,
    /// Play nothing: print where the run has come to, in OpenBench's lines
    #[arg(long)]
    print: bool,
    /// 15,000 games of 5,000 nodes a move, if nothing else is said
    #[command(flatten)]
    terms: MatchArgs,
}

const USUAL_GAMES: u32 = 15_000;
const USUAL_NODES: u64 = 5000;
/// The run is written so often, and at its end.
const BETWEEN_WRITES: Duration = Duration::from_secs(2);

impl Tune {
    pub(crate) fn run(mut self, shell: &Shell) -> Result<()> {
        let path = shell.current_dir().join(&self.run);
        if self.print {
            let state = State::read(&path)?;
            ensure!(state.is_some(), "{} is no run", path.display());
            state.iter().flat_map(|state| &state.parameters).for_each(|line| println!("{line}"));
            return Ok(());
        }
        let engine = match &self.engine {
            Some(word) => engines::resolve(shell, word)?,
            None => EngineCommand::new("koel-switches", engines::with_switches(shell)?),
        };
        self.terms = self.terms.or_nodes(USUAL_NODES);
        let fresh = self.fresh(shell, &engine)?;
        let state = match State::read(&path)? {
            Some(state) if !self.terms.is_fresh() => {
                state.ensure_continues(&fresh)?;
                state
            }
            _ => fresh,
        };
        // Every pair is a match of its own.
        let mut config =
            self.terms.with_games(2).configure(&Workspace(shell), [&engine, &engine], None)?;
        (config.state, config.pgn) = (None, None);
        let openings = std::mem::take(&mut config.openings);
        let tuner = Tuner::new(&config, &openings, state, &path);
        tuner.play()?;
        let state = tuner.into_state();
        state.write(&path)?;
        report(&state);
        Ok(())
    }

    fn fresh(&self, shell: &Shell, engine: &EngineCommand) -> Result<State> {
        let program = &engine.command;
        let lines = cmd!(shell, "{program} spsa").quiet().read()?;
        let mut parameters = parameter::choose(&lines, &self.parameters)?;
        for parameter in &mut parameters {
            parameter.r_end = self.r_end;
        }
        let commit = cmd!(shell, "git rev-parse --short HEAD").quiet().read()?;
        let iterations = self.terms.games().unwrap_or(USUAL_GAMES).div_ceil(2);
        let about = (commit, self.terms.description());
        Ok(State::begin(about, self.terms.seed(), iterations, parameters))
    }
}

/// The players of a run, several pairs at once.
struct Tuner<'t> {
    config: &'t Match,
    openings: &'t [Opening],
    order: Vec<usize>,
    path: &'t Path,
    desk: Mutex<Desk>,
    progress: Mutex<ProgressDisplay>,
}

/// What the players share.
struct Desk {
    state: State,
    /// The iteration that is played next.
    next: u32,
    sat_down: Instant,
    written: Instant,
}

impl<'t> Tuner<'t> {
    fn new(config: &'t Match, openings: &'t [Opening], state: State, path: &'t Path) -> Self {
        let mut order: Vec<_> = (0..openings.len()).collect();
        Rng::new(state.seed).shuffle(&mut order);
        let progress = Mutex::new(ProgressDisplay::new(u64::from(state.iterations) * 2));
        let now = Instant::now();
        let desk = Desk { next: state.done, state, sat_down: now, written: now };
        Tuner { config, openings, order, path, desk: Mutex::new(desk), progress }
    }

    fn play(&self) -> Result<()> {
        thread::scope(|scope| {
            let players: Vec<_> = (0..self.config.concurrency.max(1))
                .map(|place| scope.spawn(move || self.sit(place)))
                .collect();
            for player in players {
                player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(())
        })
    }

    /// Plays pairs until there are enough.
    fn sit(&self, place: usize) -> Result<()> {
        if self.config.is_pinned {
            pin_to_core(place);
            disable_aslr();
        }
        while let Some((iteration, parameters, seed, iterations)) = self.take() {
            let perturbation = spsa::perturb(&parameters, seed, (iteration, iterations));
            let mut config = self.config.clone();
            (config.is_pinned, config.concurrency) = (false, 1);
            let opening = self.order[iteration as usize % self.order.len()];
            config.openings = vec![self.openings[opening].clone()];
            for (contender, values) in config.contenders.iter_mut().zip(&perturbation.sides) {
                let options = parameters.iter().zip(values);
                let options = options.map(|(p, value)| (p.name.clone(), value.to_string()));
                contender.spec.options.extend(options);
            }
            let (conclusion, score) = config.run(interrupt_flag()?, &|_| {})?;
            if conclusion != Conclusion::Complete {
                return Ok(());
            }
            ensure!(score.faults() == 0, "a game ended by a fault");
            self.hand_in(&perturbation, &score)?;
        }
        Ok(())
    }

    /// The next iteration, with the parameters as they are now.
    fn take(&self) -> Option<(u32, Vec<parameter::Parameter>, u64, u32)> {
        let mut desk = lock(&self.desk);
        let state = &desk.state;
        if desk.next >= state.iterations || is_interrupted() {
            return None;
        }
        let work = (desk.next, state.parameters.clone(), state.seed, state.iterations);
        desk.next += 1;
        Some(work)
    }

    fn hand_in(&self, perturbation: &spsa::Perturbation, score: &MatchScore) -> Result<()> {
        let mut desk = lock(&self.desk);
        let [losses, draws, wins] = score.games.0;
        let state = &mut desk.state;
        perturbation.apply(&mut state.parameters, wins as f64 - losses as f64);
        state.done += 1;
        (state.wins, state.draws, state.losses) =
            (state.wins + wins, state.draws + draws, state.losses + losses);
        state.sample();
        let text = format!("+{} -{} ={}", state.wins, state.losses, state.draws);
        lock(&self.progress).show(u64::from(state.done) * 2, &text);
        if desk.written.elapsed() > BETWEEN_WRITES {
            desk.count_seconds();
            desk.written = Instant::now();
            desk.state.write(self.path)?;
        }
        Ok(())
    }

    fn into_state(self) -> State {
        lock(&self.progress).finish();
        let mut desk = self.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        desk.count_seconds();
        desk.state
    }
}

impl Desk {
    fn count_seconds(&mut self) {
        let now = Instant::now();
        self.state.seconds += (now - self.sat_down).as_secs_f64();
        self.sat_down = now;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn report(state: &State) {
    println!("{} of {} pairs, {:.0} s", state.done, state.iterations, state.seconds);
    for parameter in &state.parameters {
        let parameter::Parameter { name, start, value, .. } = parameter;
        println!("{name}: {start} -> {value:.2}");
    }
    if state.done < state.iterations {
        println!("called off; the same command goes on from here");
    }
}
