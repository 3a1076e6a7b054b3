//! `cargo xtask openings`: makes the set of openings that matches are played from.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use koel_arena::call_off::CallOff;
use koel_arena::engine::{Deadlines, Engine, EngineSpec};
use koel_arena::opening_set::{self, Plan, Stage};
use xshell::Shell;

use crate::engines;
use crate::interrupt;
use crate::progress::Progress;

/// Part of `koel-arena`; the first set is built into it.
const OPENINGS: &str = "crates/koel-arena/openings";

#[derive(Args)]
pub(crate) struct Openings {
    /// How many
    #[arg(long, default_value_t = 1500)]
    count: usize,
    /// Nodes of the search that judges a line; a quarter of it judges each of its moves
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Random half-moves of each line
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Where in the game the positions stand: opening, endgame or closed. The engine plays on from
    /// the random moves until it is there
    #[arg(long, default_value_t)]
    stage: Stage,
    /// No line is worth more to either side, in centipawns
    #[arg(long, default_value_t = 100)]
    balance: i32,
    /// Another seed makes another set
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The engine that judges: `koel` or a program
    #[arg(long, default_value = "koel")]
    engine: String,
    /// Where the set is written [default: with the others of koel-arena]
    #[arg(long)]
    output: Option<PathBuf>,
}

impl Openings {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let call_off = CallOff::by(interrupt::flag()?);
        let resolved = engines::resolve(shell, &self.engine)?;
        let spec = EngineSpec {
            name: resolved.name,
            command: resolved.command,
            wishes: engines::fair_options(1),
            ..EngineSpec::default()
        };
        let mut engine = Engine::start(&spec, Deadlines::default(), call_off)?;
        let plan = Plan {
            count: self.count,
            plies: self.plies,
            stage: self.stage,
            nodes: self.nodes,
            balance: self.balance,
            seed: self.seed,
        };
        let progress = Progress::new(self.count as u64);
        let lines = opening_set::make(&mut engine, &plan, call_off, &mut |found| {
            progress.show(found as u64, &format!("{found} openings"));
        });
        progress.finish();
        let lines = lines.map_err(|trouble| anyhow!("no set was made: {trouble:?}"))?;
        let output = self.output.unwrap_or_else(|| file_of(self.stage));
        shell.write_file(&output, lines.join("\n") + "\n")?;
        println!("{} openings in {}", lines.len(), output.display());
        Ok(())
    }
}

fn file_of(stage: Stage) -> PathBuf {
    let name = match stage {
        Stage::Opening => "koel",
        Stage::Endgame => "endgames",
        Stage::Closed => "closed",
    };
    Path::new(OPENINGS).join(name).with_extension("epd")
}
