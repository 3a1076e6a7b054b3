//! The command `koel analyze FILE`: best move and score of every position of a file, and the loss
//! of every move.

mod assessment;
mod chart;
mod engine_session;
mod error;
mod format;
mod input;
mod output;
mod output_file;
mod summary;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use assessment::GameAnalysis;
use engine_session::EngineSession;
use error::AnalyzeError;
use format::{Format, has_extension};
use input::{Input, InputFormat};
use output::ReportWriter;
use output_file::{OutputFile, is_same_file, output_path};
use summary::Summary;

use crate::interrupt::{is_interrupted, record_interrupts};
use crate::pgn::PgnGame;

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
    /// A file of games (PGN) or of positions (EPD or FEN), recognised by its content
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
    /// Output file, replaced when the analysis ends; the standard output if not given
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the input when the analysis is complete
    #[arg(long)]
    in_place: bool,
    /// Output format; by default that of the output file name, else that of the input
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Draw White's expected score by move as SVG; several games give FILE-1.svg, FILE-2.svg ...
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
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
    /// Runs the analysis until its end or Ctrl-C. The file is read completely first, so that
    /// warnings come at once.
    pub(crate) fn execute(&self) -> Result<(), AnalyzeError> {
        record_interrupts()?;
        self.execute_until(&mut is_interrupted)
    }

    /// Runs the analysis; the function is asked after each position for the wish to end.
    fn execute_until(&self, must_stop: &mut dyn FnMut() -> bool) -> Result<(), AnalyzeError> {
        let input = Input::read(&self.file)?;
        let format = self.format(input.format);
        let path = self.output_path(format, input.format)?;
        let mut stderr = io::stderr();
        for warning in &input.warnings {
            writeln!(stderr, "warning: {warning}: skipped")?;
        }
        let engine = EngineSession::start(&self.options(), self.limits.command())?;
        let output = OutputFile::create(path.as_deref())?;
        let mut run = Run {
            engine,
            writer: ReportWriter::new(format),
            output,
            chart: self.chart.as_deref(),
            summary: Summary::default(),
            bar: progress_bar(&input),
            must_stop,
            is_stopped: false,
        };
        let ended = run.analyse(&input);
        run.bar.finish_and_clear();
        let Run { engine, output, summary, bar, .. } = run;
        let (skipped, all) =
            (input.warnings.len(), input.warnings.len() + input.readable().count());
        if skipped > 0 {
            writeln!(stderr, "{skipped} of {all} skipped")?;
        }
        write!(stderr, "{summary}")?;
        if let Ok(true) = ended {
            output.commit()?;
            return engine.end();
        }
        let saved = output.save()?;
        ended?;
        engine.end()?;
        Err(AnalyzeError::Interrupted { done: bar.position(), all: positions(&input), saved })
    }

    fn format(&self, input: InputFormat) -> Format {
        let by_extension = |path: &Path| match () {
            () if has_extension(path, "csv") => Some(Format::Csv),
            () if has_extension(path, "pgn") => Some(Format::Pgn),
            () => None,
        };
        let named = self.output.as_deref().and_then(by_extension);
        self.format.or(named).unwrap_or(match input {
            InputFormat::Games => Format::Pgn,
            InputFormat::Positions => Format::Csv,
        })
    }

    /// Returns the path to write to; nothing may be written over another file of this run.
    fn output_path(
        &self,
        format: Format,
        input: InputFormat,
    ) -> Result<Option<PathBuf>, AnalyzeError> {
        let path = output_path(&self.file, self.output.as_deref(), self.in_place)?;
        if self.in_place && (format, input) != (Format::Pgn, InputFormat::Games) {
            return Err(AnalyzeError::NotPgn);
        }
        if let Some(chart) = &self.chart {
            let is_output = path.as_deref().is_some_and(|path| path == chart);
            if is_output || is_same_file(chart, &self.file) {
                return Err(AnalyzeError::ChartPath(chart.clone()));
            }
        }
        Ok(path)
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

/// A running analysis.
struct Run<'a> {
    engine: EngineSession,
    writer: ReportWriter,
    output: OutputFile,
    chart: Option<&'a Path>,
    summary: Summary,
    /// Counts the positions done.
    bar: ProgressBar,
    must_stop: &'a mut dyn FnMut() -> bool,
    /// True after the wish to stop.
    is_stopped: bool,
}

impl Run<'_> {
    /// Analyses game by game. Returns true at the end, false if it was stopped before.
    fn analyse(&mut self, input: &Input) -> Result<bool, AnalyzeError> {
        self.output.write(self.writer.header())?;
        let is_only_game = input.readable().count() == 1;
        for (number, game) in &input.games {
            let game = match game {
                Ok(game) => game,
                Err(faulty) => {
                    self.output.write(&self.writer.copy(faulty))?;
                    continue;
                }
            };
            let analysis = self.analyse_game(game)?;
            self.summary.add(game, &analysis);
            // Written per game: a killed process leaves the finished games.
            self.output.write(&self.writer.write(*number, game, &analysis))?;
            if let Some(given) = self.chart.filter(|_| !analysis.moves.is_empty()) {
                let path = chart::path(given, *number, is_only_game);
                fs::write(&path, chart::draw(game, &analysis))
                    .map_err(|error| AnalyzeError::File { path, error })?;
            }
            if self.is_stopped && self.bar.position() < positions(input) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Analyses each position of a game in order, until the end or the wish to stop.
    fn analyse_game(&mut self, pgn: &PgnGame) -> Result<GameAnalysis, AnalyzeError> {
        let game = &pgn.game;
        self.engine.new_game()?;
        let mut positions = Vec::with_capacity(game.moves().len() + 1);
        for plies in 0..=game.moves().len() {
            positions.push(self.engine.analyse(game, plies)?);
            self.bar.inc(1);
            self.is_stopped = (self.must_stop)();
            if self.is_stopped {
                break;
            }
        }
        Ok(GameAnalysis::new(game, positions))
    }
}

/// Counts the positions to analyse.
fn positions(input: &Input) -> u64 {
    input.readable().map(|pgn| pgn.game.moves().len() as u64 + 1).sum()
}

/// Returns a progress bar over all positions, hidden unless the standard error stream is a
/// terminal.
fn progress_bar(input: &Input) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(positions(input));
    let style = "{elapsed_precise} [{bar:30}] {pos}/{len} positions, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        analyze: Analyze,
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 {a comment} *\n\n1. d4 d5 *\n";

    /// Runs the command on a file of two games until this many positions are done.
    fn run(name: &str, positions: u32, arguments: &[&str]) -> (PathBuf, String) {
        let input = std::env::temp_dir().join(format!("koel-{}-{name}", std::process::id()));
        fs::write(&input, GAMES).unwrap();
        let path = input.to_str().unwrap();
        let command = ["analyze", path, "--depth", "2", "--hash", "1"];
        let command = CommandLine::parse_from(command.iter().chain(arguments));
        let mut done = 0;
        let mut must_stop = || {
            done += 1;
            done >= positions
        };
        let ended = command.analyze.execute_until(&mut must_stop);
        (input, ended.unwrap_err().to_string())
    }

    #[test]
    fn a_stopped_analysis_leaves_the_input_whole() {
        let (input, error) = run("stopped.pgn", 2, &["--in-place"]);
        let part = input.with_extension("pgn.part");
        assert!(error.starts_with("interrupted after 2 of 7 positions; "), "{error}");
        assert!(error.contains("is unchanged") && error.contains(".part"), "{error}");
        assert_eq!(fs::read_to_string(&input).unwrap(), GAMES);
        let done = fs::read_to_string(&part).unwrap();
        assert_eq!(done.matches("[%eval ").count(), 2, "{done}");
        // The rest of the game is kept.
        assert!(done.ends_with(" 1... e5 2. Nf3\n{a comment} *\n\n"), "{done}");
        [input, part].iter().for_each(|path| fs::remove_file(path).unwrap());
    }

    #[test]
    fn a_stopped_analysis_appears_under_a_new_name() {
        let name = format!("koel-{}-stopped-output.pgn", std::process::id());
        let output = std::env::temp_dir().join(name);
        let (input, error) = run("new.pgn", 5, &["--output", output.to_str().unwrap()]);
        assert!(error.starts_with("interrupted after 5 of 7 positions; "), "{error}");
        let done = fs::read_to_string(&output).unwrap();
        assert_eq!(done.matches("[%eval ").count(), 5, "{done}");
        assert!(!output.with_extension("pgn.part").exists());
        [input, output].iter().for_each(|path| fs::remove_file(path).unwrap());
    }
}
