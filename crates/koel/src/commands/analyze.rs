//! The command `koel analyze FILE`: best move and score of every position of a file, and the loss
//! of every move.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use koel_analyze::FileAnalysis;

use crate::commands::analysis_engine::EngineSession;

/// True after Ctrl-C.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The time per position when no limit is given, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1000;

#[derive(Debug, Args)]
#[command(after_help = "\
Moves are marked by their loss of expected score: ?! from 0.05, ? from 0.10, ?? from 0.20. The
expected score is the probability of a win and half that of a draw, by Koel's win-draw-loss model;
the loss of a move is that of its player before it less that after it, and 0 for the best move.

The summary by player goes to the standard error stream: the average loss, and the accuracy, which
is the average over the moves of 103.17 exp(-4.354 loss) - 3.17 percent (the formula of Lichess).

What the file holds is kept: headers, comments, variations and glyphs. A game or line that cannot be
read is skipped with a warning; PGN output has such a game as it was. Ctrl-C ends after the current
position, and what is done is saved under the output name, or as FILE.part if there is such a file:
a file is only replaced by a complete analysis.")]
pub(crate) struct Analyze {
    #[command(flatten)]
    files: FileAnalysis,
    #[command(flatten)]
    limits: Limits,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Size of the hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: u32,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// The limit of each position; a second if none is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct Limits {
    /// Milliseconds per position; 1000 if no limit is given
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl Analyze {
    /// Runs the analysis until its end or Ctrl-C. A second one ends the program at once.
    pub(crate) fn execute(&self) -> Result<(), Box<dyn std::error::Error>> {
        ctrlc::set_handler(|| {
            if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        })?;
        let start = || EngineSession::start(&self.options(), self.limits.command());
        Ok(self.files.run(start, &|| IS_INTERRUPTED.load(Ordering::SeqCst), &mut io::stderr())?)
    }

    fn options(&self) -> Vec<String> {
        let mut options = vec![
            format!("Threads value {}", self.threads),
            format!("Hash value {}", self.hash),
            // Unambiguous for standard chess and Chess960.
            "UCI_Chess960 value true".to_owned(),
        ];
        options.extend(self.syzygy.as_ref().map(|path| format!("SyzygyPath value {path}")));
        options
    }
}

impl Limits {
    fn command(&self) -> String {
        match (self.depth, self.nodes) {
            (Some(depth), _) => format!("go depth {depth}"),
            (_, Some(nodes)) => format!("go nodes {nodes}"),
            _ => format!("go movetime {}", self.movetime.unwrap_or(DEFAULT_MOVE_TIME)),
        }
    }
}
