//! `koel-lab trial`: the Elo of several changes at once.
//!
//! In each pair of games every change is made on one side or on the other, at random and apart from
//! all others, and the effects are fitted to the results by least squares. So every game counts
//! for every change: ten changes need no more games than one. The sum of effects is assumed, so
//! that what is accepted is tested again by itself. (Factorial experiments; Fisher 1926.)
//!
//! Rare changes are made by each side in a fifth of the pairs. They need three times the games, but
//! leave the rest of the engine mostly as it is: for an ablation, in which half of the search would
//! be missing otherwise. `--write` publishes what each switch is worth.

mod ablation;
mod chart;
mod cost;
mod effects;
mod run;
mod table;

use anyhow::Result;
use clap::Args;
use koel_arena::EngineSpec;
use koel_arena::cli::Outcome;
use koel_files::print_line;

use self::ablation::{AblationResults, SwitchResult};
use self::run::TrialRun;
use crate::series::{Options, SeriesArgs, outcome};
use crate::switches::{self, Switch, options_of};
use crate::workspace::Workspace;
use crate::{engine_bench, json_file};

#[derive(Args)]
pub(crate) struct Trial {
    /// Changes: switches to be turned, and options, as in
    /// `aspiration_margin=14`; with commas between those that belong together
    #[arg(required_unless_present = "rare", value_name = "CHANGE")]
    changes: Vec<String>,
    /// A change that each side makes in a fifth of the pairs, whatever the other does (repeatable)
    #[arg(long, value_name = "CHANGE")]
    rare: Vec<String>,
    /// Write the results of changes that are one switch to the data, the page and the chart in
    /// `docs`, with the nodes and the time of a search without it
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    series: SeriesArgs,
}

const DEFAULT_GAMES: u32 = 3_000;
/// The published results.
const DATA: &str = "docs/data/ablation.json";
/// The chart of the published results.
const CHART: &str = "docs/ablation.svg";
/// The page with the table of the published results.
const PAGE: &str = "docs/ablation.md";

impl Trial {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<Outcome> {
        self.series.check()?;
        let path = self.series.file(workspace, "trial.json")?;
        if self.series.engine.is_none() {
            switches::check_names(self.changes.iter().chain(&self.rare))?;
        }
        let engine = self.series.engine(workspace)?;
        let switches = switches::read(workspace, &engine)?;
        let changes = self.changes.iter().chain(&self.rare);
        let changes: Vec<Options> =
            changes.map(|text| options_of(text, &switches)).collect::<Result<_>>()?;
        let match_args = self.series.match_args();
        let fresh = TrialRun {
            commit: workspace.commit()?,
            settings: match_args.description()?,
            seed: match_args.seed,
            changes: self.changes.clone(),
            rare: self.rare.clone(),
            results: Vec::new(),
        };
        let trial = self.series.resume(&path, fresh)?;
        let player = self.series.player(workspace, &engine, trial.seed)?;
        let start = |trial: &TrialRun, pair| {
            let sides = trial.sides(pair);
            let options = |side: usize| {
                let made = changes.iter().zip(&sides).filter(|(_, sides)| sides[side]);
                made.flat_map(|(options, _)| options.clone()).collect()
            };
            ([options(0), options(1)], pair)
        };
        let pairs = self.series.pairs(DEFAULT_GAMES);
        let trial = player.play((trial, &path), pairs, &start, &TrialRun::record)?;
        trial.report().iter().for_each(|line| print_line!("{line}"));
        let outcome = outcome(&trial, pairs);
        match outcome {
            Outcome::Complete if self.write => publish(workspace, &engine, &switches, &trial)?,
            Outcome::Interrupted => print_line!("interrupted; the same command resumes the trial"),
            _ => {}
        }
        Ok(outcome)
    }
}

/// Replaces the rows of the switches of a trial in the data, on the page and in the chart.
fn publish(
    workspace: &Workspace,
    engine: &EngineSpec,
    switches: &[Switch],
    trial: &TrialRun,
) -> Result<()> {
    let data = workspace.path(DATA);
    let mut results: AblationResults = json_file::read(&data)?.unwrap_or_default();
    let bench = engine_bench::run(&engine.command, None, None)?.nodes;
    for switch in switches {
        let Some(found) = trial.effect_of(&switch.name) else { continue };
        // Switching it off is what the trial measured, unless it is off by default.
        let elo = if switch.is_on { -found.elo } else { found.elo };
        let [elo, error] = [elo, found.error].map(|figure| (figure * 100.0).round() / 100.0);
        results.set(SwitchResult {
            switch: switch.name.clone(),
            default: switch.is_on,
            commit: trial.commit.clone(),
            bench,
            settings: format!("{}, a trial", trial.settings),
            games: found.games,
            elo,
            error,
            cost: cost::compare(engine, switch)?,
            ..SwitchResult::default()
        });
    }
    json_file::write_pretty(&data, &results)?;
    let shell = workspace.shell();
    shell.write_file(CHART, chart::chart(&results).draw())?;
    let page = shell.read_file(PAGE)?;
    Ok(shell.write_file(PAGE, table::replace(&page, &results)?)?)
}
