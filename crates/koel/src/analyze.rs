//! The command `koel analyze FILE`: best move and score of every position of a file.

mod engine_session;
mod error;
mod format;
mod input;
mod output;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use engine_session::{EngineSession, PositionAnalysis};
use error::AnalyzeError;
use format::{Format, has_extension};
use output::ReportWriter;

use crate::pgn::PgnGame;

/// The time per position when no limit is given, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1000;

#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// A file of games (.pgn) or of positions (.epd)
    file: PathBuf,
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
    /// Output file; the standard output if not given
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format; by default that of the output file name, else that of the input
    #[arg(long, value_enum)]
    format: Option<Format>,
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
    /// Runs the analysis. The file is read completely first, so that an error in it is found at
    /// once.
    pub(crate) fn execute(&self) -> Result<(), AnalyzeError> {
        let games = input::read(&self.file)?;
        let mut writer = ReportWriter::new(self.format());
        let mut engine = EngineSession::start(&self.options(), self.limits.command())?;
        let mut output = self.open_output()?;
        let error = |error| AnalyzeError::File {
            path: self.output.clone().unwrap_or_else(|| "output".into()),
            error,
        };
        let bar = progress_bar(&games);
        output.write_all(writer.header().as_bytes()).map_err(error)?;
        for (number, game) in (1..).zip(&games) {
            let analyses = analyse_game(&mut engine, game, &bar)?;
            let text = writer.write(number, game, &analyses);
            // Flushed per game: an interrupted run keeps the finished games.
            output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(error)?;
        }
        bar.finish_and_clear();
        engine.end()
    }

    fn format(&self) -> Format {
        let by_extension = |path: &Path| match () {
            () if has_extension(path, "csv") => Some(Format::Csv),
            () if has_extension(path, "pgn") => Some(Format::Pgn),
            () => None,
        };
        let named =
            self.output.as_deref().and_then(by_extension).or_else(|| by_extension(&self.file));
        self.format.or(named).unwrap_or(Format::Csv)
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

    fn open_output(&self) -> Result<Box<dyn Write>, AnalyzeError> {
        let Some(path) = &self.output else { return Ok(Box::new(io::stdout())) };
        let file = File::create(path);
        let file = file.map_err(|error| AnalyzeError::File { path: path.clone(), error })?;
        Ok(Box::new(BufWriter::new(file)))
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

/// Analyses each position of a game in order; `None` where the game is over.
fn analyse_game(
    engine: &mut EngineSession,
    pgn: &PgnGame,
    bar: &ProgressBar,
) -> Result<Vec<Option<PositionAnalysis>>, AnalyzeError> {
    let game = &pgn.game;
    engine.new_game()?;
    let mut analyses = Vec::with_capacity(game.moves().len() + 1);
    for plies in 0..=game.moves().len() {
        analyses.push(engine.analyse(game, plies)?);
        bar.inc(1);
    }
    Ok(analyses)
}

/// Returns a progress bar over all positions, hidden unless the standard error stream is a
/// terminal.
fn progress_bar(games: &[PgnGame]) -> ProgressBar {
    let positions = games.iter().map(|pgn| pgn.game.moves().len() as u64 + 1);
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(positions.sum());
    let style = "{elapsed_precise} [{bar:30}] {pos}/{len} positions, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
