//! The command `koel analyze FILE...`: best move and score of every position, and the loss of every
//! move.

mod interruption;

use std::cell::OnceCell;
use std::io::{self, Write};
use std::process;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use koel_analyze::{AnalyzeError, FileAnalysis};
use koel_board::Game;
use koel_engine::{Request, Syzygy};
use koel_search::Depth;

use crate::CommandResult;
use crate::commands::analysis_engine::PositionAnalyser;

/// The exit status of a complete analysis of a file that was not read to its end everywhere.
const READ_IN_PART: i32 = 3;

/// The time per position when no limit is given, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1000;

#[derive(Debug, Args)]
#[command(after_help = "\
Moves are marked by their loss of expected score: ?! from 0.05, ? from 0.10, ?? from 0.20. The
expected score is the probability of a win and half that of a draw, by Koel's win-draw-loss model;
the loss of a move is that of its player before it less that after it, and 0 for the best move.

The summary by player and phase goes to the standard error stream: the accuracy and the average loss
in centipawns, both as Lichess computes them from the scores (docs/analyze.md has the formulas).

What the file holds is kept: headers, comments, variations and glyphs. A game is analysed up to what
cannot be read, with a warning, and the rest of it stays as it was. A file is only replaced by a
complete analysis: Ctrl-C ends after the current position and leaves what is done in FILE.part.

Exit status: 0 if all was read and analysed, 3 if there was a warning, 1 after an error, 2 for a
wrong argument, 130 after Ctrl-C (128 and the number of the signal).")]
pub(crate) struct Analyze {
    #[command(flatten)]
    files: FileAnalysis,
    #[command(flatten)]
    limits: Limits,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// The limits of each position; a second if none is given.
#[derive(Debug, Args)]
struct Limits {
    /// Milliseconds per position; 1000 if no limit is given
    #[arg(long, value_name = "MS", value_parser = at_least_one::<u64>)]
    movetime: Option<u64>,
    /// Depth in plies; with --movetime what ends first
    #[arg(long, value_name = "PLIES", value_parser = at_least_one::<u32>)]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>,
        conflicts_with_all = ["movetime", "depth"])]
    nodes: Option<u64>,
    /// Number of best moves that are searched in each position
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
}

/// Reads a limit.
fn at_least_one<T: FromStr + From<u8> + PartialOrd>(text: &str) -> Result<T, String> {
    let limit = text.parse().ok().filter(|limit| *limit >= T::from(1));
    limit.ok_or_else(|| "expected a whole number, at least 1".to_owned())
}

impl Analyze {
    /// Runs the analysis until its end or a signal. A second signal ends the program at once.
    pub(crate) fn execute(&self) -> CommandResult {
        // A folder that is missing is passed over if there are tables in another.
        let (tables, missing) = match &self.syzygy {
            Some(path) => Syzygy::open(path).map(|(tables, missing)| (Some(tables), missing))?,
            None => (None, Vec::new()),
        };
        let tables = tables.map(Arc::new);
        let mut messages = io::stderr();
        let mut warnings = missing.len();
        for folder in missing {
            let _ = writeln!(messages, "warning: {folder}");
        }
        let listening = OnceCell::new();
        let start = || {
            // Until then there is nothing to save, and a signal ends the program.
            if listening.set(()).is_ok() {
                interruption::listen()?;
            }
            let (threads, hash) = (self.threads as usize, self.hash as usize);
            PositionAnalyser::start(threads, hash, tables.as_ref(), self.limits.request())
        };
        let result = self.files.run(start, &interruption::has_come, &mut messages);
        for table in tables.iter().flat_map(|tables| tables.take_damaged()) {
            warnings += 1;
            let _ = writeln!(messages, "warning: {table}");
        }
        match result {
            Ok(0) if warnings == 0 => Ok(()),
            Ok(_) => process::exit(READ_IN_PART),
            Err(error @ AnalyzeError::Interrupted { .. }) => {
                let _ = writeln!(io::stderr(), "koel: {error}");
                process::exit(interruption::exit_status());
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Limits {
    fn request(&self) -> Request {
        let has_others = self.depth.is_some() || self.nodes.is_some();
        let movetime = self.movetime.or((!has_others).then_some(DEFAULT_MOVE_TIME));
        Request {
            depth: self.depth.map(|depth| Depth(i32::try_from(depth).unwrap_or(i32::MAX))),
            nodes: self.nodes,
            time: movetime.map(Duration::from_millis),
            multi_pv: usize::from(self.multipv),
            ..Request::new(Game::default())
        }
    }
}
