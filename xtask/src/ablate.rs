//! `cargo xtask ablate`: what each idea of the search is worth.
//!
//! One build with switches plays itself, with all ideas against all but one. What is found is
//! written after every match, and a match goes on where it was called off.

mod cost;
pub(crate) mod results;
mod switches;
mod table;

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::cli::{EngineCommand, MatchArgs, play_match};
use koel_arena::{Conclusion, stable_hash};
use xshell::{Shell, cmd};

use self::results::{Results, Score};
use self::switches::Switch;
use crate::arena::Workspace;
use crate::engines;

#[derive(Args)]
pub(crate) struct Ablate {
    /// Ideas, by their names in features.rs [default: all but the endgame tables]
    features: Vec<String>,
    /// A program with switches [default: this working tree, built with them]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// How many ideas, those whose worth is least clear, are played on
    #[arg(long, default_value_t = 10)]
    unclear: usize,
    /// The games of each of them in all
    #[arg(long, default_value_t = 2000)]
    unclear_games: u32,
    /// Plies of the searches that are counted and timed
    #[arg(long, default_value_t = 14)]
    bench_depth: u32,
    /// How often each of them runs
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    bench_runs: u32,
    /// Count and time nothing
    #[arg(long)]
    no_bench: bool,
    /// Play nothing
    #[arg(long, conflicts_with = "no_bench")]
    no_games: bool,
    /// 400 games of 5,000 nodes a move, if nothing else is said
    #[command(flatten)]
    terms: MatchArgs,
}

const USUAL_GAMES: u32 = 400;
const USUAL_NODES: u64 = 5000;
/// Without endgame tables nothing depends on it.
const NOT_PLAYED: &str = "tablebases";

impl Ablate {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let engine = self.program(shell)?;
        let all = switches::read(shell, &engine)?;
        let chosen = switches::choose(&all, &self.features, NOT_PLAYED)?;
        let terms = self.terms.clone().or_nodes(USUAL_NODES);
        let mut results = self.open(shell, &engine, &terms)?;
        if !self.no_bench {
            self.count(shell, &engine, &chosen, &mut results)?;
        }
        if self.no_games {
            return Ok(());
        }
        let games = terms.games().unwrap_or(USUAL_GAMES);
        for switch in &chosen {
            if !play(shell, &engine, switch, &terms.with_games(games), &mut results)? {
                return Ok(());
            }
        }
        for name in results.least_clear(&chosen, self.unclear) {
            let switch = chosen.iter().find(|switch| switch.feature == name);
            let switch = switch.context("only what was chosen is played on")?;
            let terms = terms.with_games(games.max(self.unclear_games));
            if !play(shell, &engine, switch, &terms, &mut results)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The program lies where no later build changes it, since all games are to be of one.
    fn program(&self, shell: &Shell) -> Result<EngineCommand> {
        if let Some(word) = &self.engine {
            return engines::resolve(shell, word);
        }
        let built = engines::with_switches(shell)?;
        let hash = stable_hash(&shell.read_binary_file(&built)?);
        let folder = engines::target_folder(shell)?.join("ablation").join(format!("{hash:016x}"));
        let program = folder.join(format!("koel-switches{}", std::env::consts::EXE_SUFFIX));
        shell.create_dir(&folder)?;
        if !program.is_file() {
            shell.copy_file(&built, &program)?;
        }
        engines::resolve(shell, &program.to_string_lossy())
    }

    fn open(&self, shell: &Shell, engine: &EngineCommand, terms: &MatchArgs) -> Result<Results> {
        let bench = cost::measure(engine, None, None)?.nodes;
        let commit = cmd!(shell, "git rev-parse --short HEAD").quiet().read()?;
        Results::open(shell, bench, &commit, &terms.description())
    }

    fn count(
        &self,
        shell: &Shell,
        engine: &EngineCommand,
        chosen: &[Switch],
        results: &mut Results,
    ) -> Result<()> {
        for switch in chosen {
            let cost = cost::compare(engine, switch, self.bench_depth, self.bench_runs)?;
            println!(
                "without {}: {:.3} x the nodes, {:.3} x the time to depth {}",
                switch.feature, cost.node_ratio, cost.time_ratio, cost.depth
            );
            results.set_cost(switch, cost);
            results.write(shell)?;
        }
        Ok(())
    }
}

/// Plays all ideas against all but one; false when it was called off.
fn play(
    shell: &Shell,
    engine: &EngineCommand,
    switch: &Switch,
    terms: &MatchArgs,
    results: &mut Results,
) -> Result<bool> {
    println!("{}", switch.feature);
    let (first, second) = switch.sides();
    let terms = terms.with_engine_options(first, second);
    let config = terms.configure(&Workspace(shell), [engine, engine], None)?;
    let (conclusion, score) = play_match(&Workspace(shell), &terms, &config)?;
    ensure!(score.faults() == 0, "{}: games ended by faults", switch.feature);
    if conclusion == Conclusion::Cancelled {
        return Ok(false);
    }
    results.set_score(switch, Score::of(&score));
    results.write(shell)?;
    Ok(true)
}
