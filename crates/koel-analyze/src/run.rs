//! The analysis of a file, from its first position to the summary.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::assessment::GameAnalysis;
use crate::chart;
use crate::engine::AnalysisEngine;
use crate::error::{AnalyzeError, EngineFailure};
use crate::format::{Format, has_extension};
use crate::input::{Input, InputFormat};
use crate::output::ReportWriter;
use crate::output_file::{OutputFile, is_same_file, output_path};
use crate::pgn::PgnGame;
use crate::summary::Summary;

/// The files of an analysis, as arguments of a command line.
#[derive(Debug, Args)]
pub struct FileAnalysis {
    /// A file of games (PGN) or of positions (EPD or FEN), recognised by its content
    file: PathBuf,
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

impl FileAnalysis {
    /// Runs the analysis until its end. `start` starts the engine when the files are opened;
    /// `must_stop` is asked after each position for the wish to end. The file is read completely
    /// first, so that warnings come at once. Warnings, the progress and a summary go to the standard
    /// error stream.
    ///
    /// # Errors
    /// Nothing in the file can be analysed, a file cannot be read or written, the engine fails, or
    /// the analysis was stopped before its end.
    pub fn run<E: AnalysisEngine>(
        &self,
        start: impl FnOnce() -> Result<E, EngineFailure>,
        must_stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), AnalyzeError> {
        let input = Input::read(&self.file)?;
        let format = self.format(input.format);
        let path = self.output_path(format, input.format)?;
        let mut stderr = io::stderr();
        for warning in &input.warnings {
            writeln!(stderr, "warning: {warning}: skipped")?;
        }
        let engine = start()?;
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
        let Run { output, summary, bar, .. } = run;
        let (skipped, all) =
            (input.warnings.len(), input.warnings.len() + input.readable().count());
        if skipped > 0 {
            writeln!(stderr, "{skipped} of {all} skipped")?;
        }
        write!(stderr, "{summary}")?;
        if let Ok(true) = ended {
            return output.commit();
        }
        let saved = output.save()?;
        ended?;
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
}

/// A running analysis.
struct Run<'a, E> {
    engine: E,
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

impl<E: AnalysisEngine> Run<'_, E> {
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
    use koel_board::Game;
    use koel_uci::UciScore;

    use super::*;
    use crate::PositionAnalysis;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        files: FileAnalysis,
    }

    /// An engine that finds every position equal and plays the first legal move.
    struct FirstMove;

    impl AnalysisEngine for FirstMove {
        fn new_game(&mut self) -> Result<(), EngineFailure> {
            Ok(())
        }

        fn analyse(
            &mut self,
            game: &Game,
            plies: usize,
        ) -> Result<Option<PositionAnalysis>, EngineFailure> {
            let position = game.positions().nth(plies).ok_or("no such position")?;
            let best = position.legal_moves().first().copied();
            Ok(best.map(|best| PositionAnalysis {
                best,
                score: UciScore::Centipawns(0),
                expected: 0.5,
                depth: 1,
                nodes: 1,
                line: Vec::new(),
            }))
        }
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 {a comment} *\n\n1. d4 d5 *\n";

    /// Runs the command on a file of two games until this many positions are done.
    fn run(name: &str, positions: u32, arguments: &[&str]) -> (PathBuf, String) {
        let input = std::env::temp_dir().join(format!("koel-{}-{name}", std::process::id()));
        fs::write(&input, GAMES).unwrap();
        let path = input.to_str().unwrap();
        let command = CommandLine::parse_from(["analyze", path].iter().chain(arguments));
        let mut done = 0;
        let mut must_stop = || {
            done += 1;
            done >= positions
        };
        let ended = command.files.run(|| Ok(FirstMove), &mut must_stop);
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
