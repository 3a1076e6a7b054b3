//! `koel analyze FILE`: the best move and the score of every position of a file.

mod analyst;
mod report;
mod subject;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use thiserror::Error;

use analyst::{Analyst, Finding};
use report::Form;
use subject::Subject;

/// Milliseconds for a position where no limit is given.
const USUAL_TIME: u64 = 1000;

#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// Games, or positions one to a line: a file that ends in .pgn or in .epd
    file: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// MiB for the shared table
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: u32,
    /// Folders with Syzygy endgame tables
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Where to write to; the standard output if it is not given
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to write; else as the output is named, or like the input
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// For each position; a second if none is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct Limits {
    /// Milliseconds for each position; 1000 if there is no limit
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Plies to search
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Games with comments such as `[%eval 0.31,14] best Nf3`, from White's view
    Pgn,
    /// One row for each position, scores from White's view
    Csv,
}

/// Why nothing more is analysed.
#[derive(Debug, Error)]
pub(crate) enum AnalyzeError {
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: neither .pgn nor .epd", .0.display())]
    Sort(PathBuf),
    #[error("{}: game {number}: {error}", .path.display())]
    Game { path: PathBuf, number: usize, error: String },
    #[error("{}: line {number}: {error}", .path.display())]
    Line { path: PathBuf, number: usize, error: koel_board::EpdError },
    #[error("{0}")]
    Engine(String),
    #[error(transparent)]
    Pipe(#[from] io::Error),
}

impl Analyze {
    /// Reads everything first, so that a mistake in the file is not found after hours.
    pub(crate) fn execute(&self) -> Result<(), AnalyzeError> {
        let subjects = subject::read(&self.file)?;
        let mut form = Form::new(self.format());
        let mut analyst = Analyst::start(&self.options(), self.limits.command())?;
        let mut output = self.open_output()?;
        let error = |error| AnalyzeError::File {
            path: self.output.clone().unwrap_or_else(|| "output".into()),
            error,
        };
        let bar = progress(&subjects);
        output.write_all(form.head().as_bytes()).map_err(error)?;
        for (number, subject) in (1..).zip(&subjects) {
            let findings = findings(&mut analyst, subject, &bar)?;
            let text = form.write(number, subject, &findings);
            // Whoever interrupts this has what is done so far.
            output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(error)?;
        }
        bar.finish_and_clear();
        analyst.end()
    }

    fn format(&self) -> Format {
        let of = |path: &Path| match () {
            () if has_extension(path, "csv") => Some(Format::Csv),
            () if has_extension(path, "pgn") => Some(Format::Pgn),
            () => None,
        };
        let named = self.output.as_deref().and_then(of).or_else(|| of(&self.file));
        self.format.or(named).unwrap_or(Format::Csv)
    }

    fn options(&self) -> Vec<String> {
        let mut options = vec![
            format!("Threads value {}", self.threads),
            format!("Hash value {}", self.hash),
            // Unambiguous, whatever sort of chess it is.
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
            _ => format!("go movetime {}", self.movetime.unwrap_or(USUAL_TIME)),
        }
    }
}

/// What is found of each position of a game, the first one's first; nothing where the game is over.
fn findings(
    analyst: &mut Analyst,
    subject: &Subject,
    bar: &ProgressBar,
) -> Result<Vec<Option<Finding>>, AnalyzeError> {
    let game = &subject.recorded.game;
    analyst.new_game()?;
    let mut findings = Vec::with_capacity(game.moves().len() + 1);
    for plies in 0..=game.moves().len() {
        findings.push(analyst.analyse(game, plies)?);
        bar.inc(1);
    }
    Ok(findings)
}

fn progress(subjects: &[Subject]) -> ProgressBar {
    let positions = subjects.iter().map(|subject| subject.recorded.game.moves().len() as u64 + 1);
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

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
