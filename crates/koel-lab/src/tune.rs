//! `koel-lab tune`: SPSA tuning of the parameters of the search, with the built-in match runner.

pub(crate) mod parameter;
mod spsa;

use anyhow::{Context, Result, bail};
use clap::Args;
use koel::params;
use koel_arena::{EngineSpec, MatchScore, MoveLimits};
use koel_files::print_line;
use koel_search::Param;
use serde::{Deserialize, Serialize};
use xshell::cmd;

use self::parameter::Parameter;
use self::spsa::Perturbation;
use crate::json_file;
use crate::series::{Series, SeriesArgs, Sides};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Tune {
    /// Parameters, or groups of them, by their names in `koel spsa` [default: all]
    parameters: Vec<String>,
    /// Learning rate at the end of the run
    #[arg(long, default_value_t = 0.002)]
    r_end: f64,
    /// Only print the current values, in the format of OpenBench
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    series: SeriesArgs,
}

const DEFAULT_GAMES: u32 = 15_000;

/// A run of the tuner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TuningRun {
    /// The commit at the start of the run.
    pub(crate) commit: String,
    /// The limits and openings of the games.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    /// Pairs of games of the whole run.
    pub(crate) iterations: u32,
    /// Pairs that are complete.
    pub(crate) done: u32,
    pub(crate) parameters: Vec<Parameter>,
}

impl Tune {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let path = self.series.file(workspace, "tuning.json")?;
        if self.print {
            let run: Option<TuningRun> = json_file::read(&path)?;
            let run = run.with_context(|| format!("{}: no such file", path.display()))?;
            run.parameters.iter().for_each(|line| print_line!("{line}"));
            return Ok(());
        }
        if self.series.engine.is_none() {
            self.check_names()?;
        }
        let engine = self.series.engine(workspace)?;
        let run = self.series.resume(&path, self.new_run(workspace, &engine)?)?;
        let player = self.series.player(workspace, &engine, run.seed)?;
        let pairs = run.iterations;
        let run = player.play((run, &path), pairs, &TuningRun::perturb, &TuningRun::record)?;
        run.report();
        Ok(())
    }

    /// Checks the names of parameters and groups, before a program is built that has them.
    fn check_names(&self) -> Result<()> {
        let is_named = |param: &Param, name: &str| param.group == name || param.full_name() == name;
        let is_unknown = |name: &&String| !params().any(|param| is_named(param, name));
        match self.parameters.iter().find(is_unknown) {
            Some(name) => bail!("there is no group or parameter `{name}`"),
            None => Ok(()),
        }
    }

    fn new_run(&self, workspace: &Workspace, engine: &EngineSpec) -> Result<TuningRun> {
        let (shell, program) = (workspace.shell(), &engine.command);
        let lines = cmd!(shell, "{program} spsa").quiet().read()?;
        let match_args = self.series.match_args();
        let has_clock = matches!(match_args.limits(), MoveLimits::Clock(_));
        let mut parameters = parameter::choose(&lines, &self.parameters, has_clock)?;
        for parameter in &mut parameters {
            parameter.r_end = self.r_end;
        }
        Ok(TuningRun {
            commit: workspace.commit()?,
            settings: match_args.description(),
            seed: match_args.seed,
            iterations: self.series.pairs(DEFAULT_GAMES),
            parameters,
            ..TuningRun::default()
        })
    }
}

impl Series for TuningRun {
    fn settings(&self) -> String {
        let parameter = |Parameter { name, start, c_end, r_end, .. }: &Parameter| {
            format!("{name} from {start} ({c_end}, {r_end})")
        };
        let parameters: Vec<_> = self.parameters.iter().map(parameter).collect();
        format!(
            "{}, seed {}, {} pairs: {}",
            self.settings,
            self.seed,
            self.iterations,
            parameters.join(", ")
        )
    }

    fn next_pair(&self) -> u32 {
        self.done
    }
}

impl TuningRun {
    /// Returns the options of both sides in an iteration, from the parameters as they are now.
    fn perturb(&self, iteration: u32) -> (Sides, Perturbation) {
        let perturbation = spsa::perturb(&self.parameters, self.seed, (iteration, self.iterations));
        let sides = perturbation.sides.each_ref().map(|values| {
            let options = self.parameters.iter().zip(values);
            options.map(|(p, value)| (p.name.clone(), value.to_string())).collect()
        });
        (sides, perturbation)
    }

    fn record(&mut self, perturbation: Perturbation, score: &MatchScore) {
        let [losses, _, wins] = score.games.0;
        perturbation.apply(&mut self.parameters, wins as f64 - losses as f64);
        self.done += 1;
    }

    fn report(&self) {
        print_line!("{} of {} pairs", self.done, self.iterations);
        for Parameter { name, start, value, .. } in &self.parameters {
            print_line!("{name}: {start} -> {value:.2}");
        }
        if self.done < self.iterations {
            print_line!("interrupted; the same command resumes the run");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_continued_only_with_the_same_parameters_and_seed() {
        let parameters = vec!["a, int, 20.0, 0.0, 100.0, 5.0, 0.002".parse().unwrap()];
        let fresh = TuningRun { parameters, iterations: 300, ..TuningRun::default() };
        let mut run = fresh.clone();
        run.done = 7;
        run.parameters[0].value = 21.5;
        assert_eq!(run.settings(), fresh.settings());
        assert_ne!(TuningRun { seed: 2, ..run.clone() }.settings(), fresh.settings());
        run.parameters[0].start = 21.5;
        assert_ne!(run.settings(), fresh.settings());
    }
}
