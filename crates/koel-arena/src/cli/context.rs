//! The interface between the commands and the program they run in.

use std::path::PathBuf;

use anyhow::{Context, Result};
use koel_files::print_line;

use super::find_program::find_program;
use super::interrupt::interrupt_flag;
use super::match_args::MatchArgs;
use crate::engine::EngineSpec;
use crate::match_config::{Conclusion, Match};
use crate::match_runner::MatchObserver;
use crate::match_score::MatchScore;

/// The program that a command runs in: it resolves the names of engines and chooses the default
/// places of files.
pub trait CommandContext {
    /// Returns the engine with this name, path or whatever else the program accepts.
    ///
    /// # Errors
    /// If there is no such engine.
    fn resolve(&self, engine: &str) -> Result<EngineSpec>;

    /// Checks that there is an engine with this name, before any is built. By default nothing is
    /// checked beside [`resolve`](Self::resolve).
    ///
    /// # Errors
    /// If there is no such engine.
    fn check(&self, engine: &str) -> Result<()> {
        self.resolve(engine).map(drop)
    }

    /// Returns the folder for the files of matches without `--state`. The folder exists.
    ///
    /// # Errors
    /// If it cannot be created.
    fn match_folder(&self) -> Result<PathBuf>;

    /// Returns true if both engines of a match are known to search the same tree, for instance from
    /// equal node counts of a benchmark. An SPRT without a clock then ends after a few pairs if
    /// they confirm it.
    fn engines_search_alike(&self, config: &Match) -> bool {
        let _ = config;
        false
    }

    /// Plays a match until it ends or the user interrupts it; `None` if nothing was to be played.
    /// By default [`Match::run`] plays it.
    ///
    /// # Errors
    /// If the match cannot be played.
    fn play(
        &self,
        config: &Match,
        args: &MatchArgs,
        observer: MatchObserver<'_>,
    ) -> Result<Option<(Conclusion, Vec<MatchScore>)>> {
        let _ = args;
        for path in config.state.iter().chain(&config.pgn) {
            print_line!("{}", path.display());
        }
        Ok(Some(config.run(interrupt_flag()?, observer)?))
    }
}

/// The context of the program `koel-arena`: engines are paths or programs on the search path, and
/// files go into the current folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standalone;

/// Folder for the files of matches without `--state`, in the current folder.
const MATCH_FOLDER: &str = "matches";

impl CommandContext for Standalone {
    fn resolve(&self, engine: &str) -> Result<EngineSpec> {
        let program = find_program(engine);
        program.with_context(|| {
            format!(
                "`{engine}` is neither a path such as ./engine nor a program on the search path"
            )
        })
    }

    fn match_folder(&self) -> Result<PathBuf> {
        std::fs::create_dir_all(MATCH_FOLDER).with_context(|| MATCH_FOLDER.to_owned())?;
        Ok(MATCH_FOLDER.into())
    }
}
