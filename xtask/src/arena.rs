//! The commands of `koel-arena` with Koel's names for engines: `koel` for the working tree, a path,
//! a git revision, or a program on the search path.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use koel_arena::cli::{
    CommandContext, EngineCommand, GauntletArgs, MatchArgs, OpeningsArgs, SprtArgs, run_match,
};
use koel_arena::{Match, OpeningStage};
use xshell::{Shell, cmd};

use crate::{bench, engines};

/// The sets of openings of `koel-arena`; the first is built into it.
const OPENINGS: &str = "crates/koel-arena/openings";

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

#[derive(Args)]
pub(crate) struct OpeningsCommand {
    #[command(flatten)]
    args: OpeningsArgs,
    /// Engine that evaluates the positions: `koel` or a program
    #[arg(long, default_value = "koel")]
    engine: String,
}

impl MatchCommand {
    pub(crate) fn run(&self, shell: &Shell) -> Result<()> {
        run_match(&Workspace(shell), [&self.first, &self.second], &self.args).map(drop)
    }
}

impl SprtCommand {
    pub(crate) fn run(&self, shell: &Shell) -> Result<()> {
        self.args.run(&Workspace(shell), &self.engine, &self.base)
    }
}

impl GauntletCommand {
    pub(crate) fn run(&self, shell: &Shell) -> Result<()> {
        self.args.run(&Workspace(shell), &self.engine)
    }
}

impl OpeningsCommand {
    pub(crate) fn run(&self, shell: &Shell) -> Result<()> {
        self.args.run(&Workspace(shell), &self.engine)
    }
}

/// Koel's workspace as the context of the commands.
pub(crate) struct Workspace<'s>(pub(crate) &'s Shell);

impl CommandContext for Workspace<'_> {
    fn resolve(&self, engine: &str) -> Result<EngineCommand> {
        engines::resolve(self.0, engine)
    }

    fn match_folder(&self) -> Result<PathBuf> {
        let folder = engines::target_folder(self.0)?.join("matches");
        Ok(self.0.create_dir::<&Path>(&folder)?)
    }

    fn openings_file(&self, stage: OpeningStage) -> PathBuf {
        let name = match stage {
            OpeningStage::Endgame => "endgames",
            OpeningStage::Closed => "closed",
            _ => "koel",
        };
        Path::new(OPENINGS).join(name).with_extension("epd")
    }

    /// Two builds of Koel search alike if their bench counts the same nodes. A program without a
    /// bench does not.
    fn engines_search_alike(&self, config: &Match) -> bool {
        let nodes = config.contenders.each_ref().map(|contender| {
            let nodes = bench_nodes(self.0, &contender.spec.command).ok()?;
            println!("bench of {}: {nodes} nodes", contender.spec.name);
            Some(nodes)
        });
        nodes[0].is_some() && nodes[0] == nodes[1]
    }
}

fn bench_nodes(shell: &Shell, program: &Path) -> Result<u64> {
    let output = cmd!(shell, "{program} bench").quiet().ignore_stderr().read()?;
    Ok(bench::parse(&output)?.nodes)
}
