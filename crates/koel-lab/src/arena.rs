//! The commands of `koel-arena` with builds of Koel as engines.

use anyhow::Result;
use clap::Args;
use koel_arena::cli::{GauntletArgs, MatchArgs, SprtArgs, run_match};

use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct MatchCommand {
    /// First engine: `koel` for the working tree, a program, or a git revision, which is built
    first: String,
    /// Second engine
    second: String,
    #[command(flatten)]
    args: MatchArgs,
}

#[derive(Args)]
pub(crate) struct SprtCommand {
    /// Engine it is compared with: a git revision, which is built, or a program
    base: String,
    /// Engine to be tested: `koel` for the working tree, a program, or a git revision
    #[arg(long, default_value = "koel")]
    engine: String,
    #[command(flatten)]
    args: SprtArgs,
}

#[derive(Args)]
pub(crate) struct GauntletCommand {
    #[command(flatten)]
    args: GauntletArgs,
    /// Engine whose rating is estimated: `koel`, a program, or a git revision
    #[arg(long, default_value = "koel")]
    engine: String,
}

impl MatchCommand {
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        run_match(workspace, [&self.first, &self.second], &self.args).map(drop)
    }
}

impl SprtCommand {
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        self.args.run(workspace, &self.engine, &self.base)
    }
}

impl GauntletCommand {
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        self.args.run(workspace, &self.engine)
    }
}
