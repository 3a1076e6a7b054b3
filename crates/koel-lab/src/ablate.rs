//! `koel-lab ablate`: the Elo of each feature of the search.
//!
//! One build with feature switches plays itself, all features against all but one. Results are
//! written to `target/ablation` after every match, and an interrupted match is resumed.

mod cost;
pub(crate) mod results;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::cli::{CommandContext, EngineCommand, MatchArgs, play_match};
use koel_arena::{Conclusion, stable_hash};

use self::results::{AblationResults, Conditions, GameScore};
use crate::engine_bench;
use crate::switches::{self, Switch};
use crate::trial::run::TrialRun;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Ablate {
    /// Features, by their names in features.rs [default: all but tablebases]
    features: Vec<String>,
    /// A program built with feature switches [default: build the working tree]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// The number of features, those with the least significant results, that play more games
    #[arg(long, default_value_t = 10)]
    unclear: usize,
    /// The number of games of each of these features in total
    #[arg(long, default_value_t = 2000)]
    unclear_games: u32,
    /// Depth in plies of the bench that is counted and timed
    #[arg(long, default_value_t = 14)]
    bench_depth: u32,
    /// Runs of the bench of each feature
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    bench_runs: u32,
    /// Do not run the bench
    #[arg(long)]
    no_bench: bool,
    /// Write the results of the features measured to the data and the page in `docs` as well
    #[arg(long)]
    write: bool,
    /// Play no games
    #[arg(long, conflicts_with = "no_bench")]
    no_games: bool,
    /// Take the Elo of features from a trial with this engine, and play no games
    #[arg(long, value_name = "FILE", conflicts_with = "no_games")]
    trial: Option<PathBuf>,
    #[command(flatten)]
    match_args: MatchArgs,
}

const DEFAULT_GAMES: u32 = 400;
/// Pruning, reductions and extensions need depth to act; see "Levels" in docs/testing.md.
const DEFAULT_NODES: u64 = 25_000;
/// Played only on request: without tablebases it changes nothing.
const NOT_PLAYED: &str = "tablebases";
/// The published results, of which the report is made.
const DATA: &str = "docs/data/ablation.json";
/// The page with the table of the published results.
const PAGE: &str = "docs/search.md";

impl Ablate {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let engine = self.program(workspace)?;
        let all = switches::read(workspace, &engine)?;
        let chosen = switches::choose(&all, &self.features, NOT_PLAYED)?;
        let match_args = self.match_args.clone().or_nodes(DEFAULT_NODES);
        let bench = engine_bench::run(&engine.command, None, None)?.nodes;
        let conditions =
            Conditions { commit: workspace.commit()?, bench, settings: match_args.description() };
        let folder = workspace.target_folder()?.join("ablation");
        workspace.shell().create_dir(&folder)?;
        let path = folder.join("results.json");
        let mut ablation = Ablation {
            workspace,
            engine,
            results: AblationResults::read(&path)?,
            path,
            conditions,
            published: self.write.then(|| chosen.clone()),
        };
        if !self.no_bench {
            ablation.measure_costs(&chosen, self.bench_depth, self.bench_runs)?;
        }
        if let Some(trial) = &self.trial {
            return ablation.take_effects(trial, &chosen);
        }
        if self.no_games {
            return Ok(());
        }
        let games = match_args.games().unwrap_or(DEFAULT_GAMES);
        for switch in &chosen {
            if !ablation.play(switch, &match_args.with_games(games))? {
                return Ok(());
            }
        }
        for name in ablation.results.least_significant(&chosen, self.unclear) {
            let switch = chosen.iter().find(|switch| switch.feature == name);
            let switch = switch.context("the feature was chosen")?;
            if !ablation.play(switch, &match_args.with_games(games.max(self.unclear_games)))? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the program. A build is copied, so that later builds do not change the program in
    /// the middle of a match.
    fn program(&self, workspace: &Workspace) -> Result<EngineCommand> {
        if let Some(word) = &self.engine {
            return workspace.resolve(word);
        }
        let built = workspace.build_with_switches()?.command;
        let shell = workspace.shell();
        let hash = stable_hash(&shell.read_binary_file(&built)?);
        let folder = workspace.target_folder()?.join("ablation").join(format!("{hash:016x}"));
        let program = folder.join(format!("koel-switches{}", std::env::consts::EXE_SUFFIX));
        shell.create_dir(&folder)?;
        if !program.is_file() {
            shell.copy_file(&built, &program)?;
        }
        Ok(EngineCommand::of_program(program))
    }
}

/// An ablation in progress.
struct Ablation<'w> {
    workspace: &'w Workspace,
    engine: EngineCommand,
    results: AblationResults,
    /// The file of the results.
    path: PathBuf,
    conditions: Conditions,
    /// The features whose results are written to `docs`, if any are.
    published: Option<Vec<Switch>>,
}

impl Ablation<'_> {
    fn measure_costs(&mut self, chosen: &[Switch], depth: u32, runs: u32) -> Result<()> {
        for switch in chosen {
            let cost = cost::compare(&self.engine, switch, depth, runs)?;
            println!(
                "without {}: {:.3} x the nodes, {:.3} x the time to depth {}",
                switch.feature, cost.node_ratio, cost.time_ratio, cost.depth
            );
            self.results.set_cost(switch, &self.conditions, cost);
            self.write()?;
        }
        Ok(())
    }

    /// Takes the effects of features from a trial in which each was switched from its default.
    fn take_effects(&mut self, path: &Path, chosen: &[Switch]) -> Result<()> {
        let trial = TrialRun::read(path)?;
        let trial = trial.with_context(|| format!("there is no {}", path.display()))?;
        let conditions = Conditions {
            commit: trial.commit.clone(),
            settings: format!("{}, a trial of several features", trial.settings),
            ..self.conditions.clone()
        };
        for switch in chosen {
            let Some(found) = trial.effect_of(&switch.feature) else { continue };
            // Switching it off is what the trial measured, unless it is off by default.
            let elo = if switch.is_on { -found.elo } else { found.elo };
            let score = GameScore::of_effect(found.games, (elo, found.error));
            self.results.set_score(switch, &conditions, score);
        }
        self.write()
    }

    /// Plays all features against all but one; returns false if the match was interrupted.
    fn play(&mut self, switch: &Switch, match_args: &MatchArgs) -> Result<bool> {
        println!("{}", switch.feature);
        let (first, second) = switch.sides();
        let match_args = match_args.with_engine_options(first, second);
        let config = match_args.configure(self.workspace, [&self.engine, &self.engine], None)?;
        let (conclusion, score) = play_match(self.workspace, &match_args, &config)?;
        ensure!(score.faults() == 0, "{}: games ended by engine faults", switch.feature);
        if conclusion == Conclusion::Cancelled {
            return Ok(false);
        }
        self.results.set_score(switch, &self.conditions, GameScore::of(&score));
        self.write()?;
        Ok(true)
    }

    /// Writes the results, and publishes those of the features measured if that was asked for.
    fn write(&self) -> Result<()> {
        self.results.write(&self.path)?;
        let Some(published) = &self.published else { return Ok(()) };
        let data = self.workspace.path(DATA);
        let mut results = AblationResults::read(&data)?;
        results.replace_rows(published, &self.results);
        results.write(&data)?;
        let shell = self.workspace.shell();
        let page = shell.read_file(PAGE)?;
        shell.write_file(PAGE, table::replace(&page, &results)?)?;
        Ok(())
    }
}
