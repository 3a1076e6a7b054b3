//! The command `openings`: generates a set of openings.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::context::CommandContext;
use super::engine_command::fair_options;
use super::interrupt::interrupt_flag;
use super::progress::ProgressDisplay;
use crate::cancel_token::CancelToken;
use crate::engine::{EngineProcess, EngineSpec, Timeouts};
use crate::opening_generator::{OpeningPlan, OpeningStage, generate_openings};

/// The arguments of a generated set of openings.
#[derive(Args, Clone)]
pub struct OpeningsArgs {
    /// Number of openings
    #[arg(long, default_value_t = 1500)]
    count: usize,
    /// Nodes of the search of the final position; each random move is checked with a quarter of it
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Number of random plies from the initial position
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Stage of the game: opening, endgame or closed. The engine plays on from the random moves
    /// until the position is of this stage
    #[arg(long, default_value_t)]
    stage: OpeningStage,
    /// Greatest evaluation of an opening for either side, in centipawns
    #[arg(long, default_value_t = 100, value_name = "CENTIPAWNS")]
    balance: i32,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// EPD file for the openings
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OpeningsArgs {
    /// Generates the set with this engine, a name in the context, and writes it.
    ///
    /// # Errors
    /// If the engine is not found or fails, or the file cannot be written.
    pub fn run(&self, context: &dyn CommandContext, engine: &str) -> Result<()> {
        let cancel = CancelToken::new(interrupt_flag()?);
        let command = context.resolve(engine)?;
        let mut spec = EngineSpec::new(command.name, command.command);
        spec.arguments = command.arguments;
        spec.options = command.options;
        spec.preferred_options = fair_options(1);
        let mut engine = EngineProcess::start(&spec, Timeouts::default(), cancel)?;
        let plan = OpeningPlan {
            count: self.count,
            plies: self.plies,
            stage: self.stage,
            nodes: self.nodes,
            balance: self.balance,
            seed: self.seed,
        };
        let progress = ProgressDisplay::new(self.count as u64);
        let lines = generate_openings(&mut engine, &plan, cancel, &mut |found| {
            progress.show(found as u64, &format!("{found} openings"));
        });
        progress.finish();
        let lines = lines.context("no set was written")?;
        let output = self.output.clone().unwrap_or_else(|| context.openings_file(self.stage));
        fs::write(&output, lines.join("\n") + "\n")
            .with_context(|| output.display().to_string())?;
        println!("{} openings in {}", lines.len(), output.display());
        Ok(())
    }
}
