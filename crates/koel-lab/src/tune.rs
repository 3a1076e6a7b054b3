//! `koel-lab tune`: SPSA tuning of the parameters of the search, with the built-in match runner.

pub(crate) mod parameter;
mod spsa;

use anyhow::{Context, Result, bail};
use clap::Args;
use koel::params;
use koel_arena::cli::Outcome;
use koel_arena::{EngineSpec, MatchScore, MoveLimits};
use koel_files::print_line;
use koel_search::Param;
use serde::{Deserialize, Serialize};
use xshell::cmd;

use self::parameter::Parameter;
use self::spsa::Perturbation;
use crate::json_file;
use crate::series::{Series, SeriesArgs, Sides, outcome};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Tune {
    /// Parameters, or groups of them, by their names in `koel spsa` [default: all]
    parameters: Vec<String>,
    /// Learning rate at the end of the run
    #[arg(long, default_value_t = 0.002, value_parser = learning_rate)]
    r_end: f64,
    /// Only print the current values, in the format of OpenBench
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    series: SeriesArgs,
}

/// Parses a learning rate: a number above 0, at most 1.
fn learning_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| format!("`{text}` is not a number above 0 and at most 1"))
}

const DEFAULT_GAMES: u32 = 15_000;

/// A run of the tuner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TuningRun {
    /// The commit at the start of the run.
    pub(crate) commit: String,
    /// The conditions of the games.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    /// Pairs of games of the whole run.
    pub(crate) iterations: u32,
    /// Pairs that are complete.
    pub(crate) done: u32,
    /// The number of the next pair, which is greater than `done` if pairs were interrupted; 0 in a
    /// file of an older version.
    #[serde(default)]
    pub(crate) next: u32,
    pub(crate) parameters: Vec<Parameter>,
}

impl Tune {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<Outcome> {
        self.series.check()?;
        let path = self.series.file(workspace, "tuning.json")?;
        if self.print {
            let run: Option<TuningRun> = json_file::read(&path)?;
            let run = run.with_context(|| format!("{}: no such file", path.display()))?;
            run.parameters.iter().for_each(|line| print_line!("{line}"));
            return Ok(Outcome::Complete);
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
        Ok(outcome(&run, pairs))
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
            settings: match_args.description()?,
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
        self.next.max(self.done)
    }

    fn done(&self) -> u32 {
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
        self.next = self.next.max(perturbation.iteration + 1);
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
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct CommandLine {
        #[arg(long, value_parser = learning_rate)]
        r_end: f64,
    }

    #[test]
    fn a_learning_rate_is_above_0_and_at_most_1() {
        let parse = |rate: &str| {
            let line = CommandLine::try_parse_from(["tune", &format!("--r-end={rate}")]);
            line.ok().map(|line| line.r_end)
        };
        assert_eq!(["0.002", "1"].map(parse), [Some(0.002), Some(1.0)]);
        for wrong in ["nan", "inf", "0", "-1", "1.01", "a"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_interrupted_pair_is_passed_over_and_no_pair_is_played_twice() {
        let parameters = vec!["a, int, 20.0, 0.0, 100.0, 5.0, 0.002".parse().unwrap()];
        let mut run = TuningRun { parameters, iterations: 300, ..TuningRun::default() };
        // Pair 1 is interrupted while pairs 0, 2 and 3 end.
        for pair in [0, 3, 2] {
            let (_, perturbation) = run.perturb(pair);
            run.record(perturbation, &MatchScore::default());
        }
        assert_eq!((run.done(), run.next_pair()), (3, 4));
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<TuningRun>(&text).unwrap(), run);
        let older = text.replace("\"next\":4,", "");
        assert_ne!(older, text);
        assert_eq!(serde_json::from_str::<TuningRun>(&older).unwrap().next_pair(), 3);
    }

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
