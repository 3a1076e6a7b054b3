//! The analysis of a file, from its first position to the summary.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::chart;
use crate::engine::AnalysisEngine;
use crate::error::{AnalyzeError, EngineFailure};
use crate::input::{Input, InputFormat, Survey};
use crate::jobs::{Analysed, Jobs};
use crate::output::Format;
use crate::output_file::{OutputFile, is_same_file, output_path};
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
    /// Number of games analysed at the same time, each with an engine and a hash table of its own
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

impl FileAnalysis {
    /// Runs the analysis until its end. `start` starts an engine for each of the jobs; `must_stop` is
    /// asked after each position for the wish to end. The file is read completely first, so that
    /// warnings come at once, and a second time game by game. Warnings and the summary are written to
    /// `messages`, a bar of the progress to the standard error stream if that is a terminal.
    ///
    /// # Errors
    /// Nothing in the file can be analysed, a file cannot be read or written, the engine fails, or
    /// the analysis was stopped before its end.
    pub fn run<E: AnalysisEngine + Send>(
        &self,
        start: impl Fn() -> Result<E, EngineFailure>,
        must_stop: &(dyn Fn() -> bool + Sync),
        messages: &mut dyn Write,
    ) -> Result<(), AnalyzeError> {
        let input = Input::open(&self.file)?;
        let format = self.format(input.format);
        let path = self.output_path(format, input.format)?;
        let survey = input.survey(&mut |warning| writeln!(messages, "warning: {warning}"))?;
        self.check_chart(&survey)?;
        let jobs = u64::from(self.jobs).min(survey.readable);
        let engines = (0..jobs).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
        let output = OutputFile::create(path.as_deref())?;
        let bar = progress_bar(&survey);
        let mut report = Report {
            format,
            output,
            line_end: if format == Format::Pgn { input.line_end } else { "\n" },
            chart: self.chart.as_deref(),
            is_only_game: survey.readable == 1,
            summary: Summary::default(),
        };
        let done_after = || {
            bar.inc(1);
            must_stop()
        };
        let ended = report.write_all(&input, Jobs { engines, is_last: &done_after });
        bar.finish_and_clear();
        let Report { output, summary, .. } = report;
        if survey.skipped > 0 {
            let all = survey.skipped + survey.readable;
            writeln!(messages, "{} of {all} skipped", survey.skipped)?;
        }
        write!(messages, "{summary}")?;
        let (done, all) = (bar.position(), survey.positions);
        if ended.is_ok() && done >= all {
            return output.commit();
        }
        let saved = output.save()?;
        ended?;
        Err(AnalyzeError::Interrupted { done, all, saved })
    }

    /// Checks that a chart can be written, before it is drawn hours later.
    fn check_chart(&self, survey: &Survey) -> Result<(), AnalyzeError> {
        let Some((given, number)) = self.chart.as_deref().zip(survey.first_with_moves) else {
            return Ok(());
        };
        // Nothing is written; what is begun is removed again.
        OutputFile::create(Some(&chart::path(given, number, survey.readable == 1))).map(drop)
    }

    fn format(&self, input: InputFormat) -> Format {
        let named = self.output.as_deref().and_then(Format::of_extension);
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

/// The output of a running analysis.
struct Report<'a> {
    format: Format,
    output: OutputFile,
    line_end: &'static str,
    chart: Option<&'a Path>,
    is_only_game: bool,
    summary: Summary,
}

impl Report<'_> {
    /// Analyses a file and writes it in its order.
    fn write_all<E: AnalysisEngine + Send>(
        &mut self,
        input: &Input,
        jobs: Jobs<'_, E>,
    ) -> Result<(), AnalyzeError> {
        self.write(self.format.header())?;
        let entries = input.entries()?.map(|entry| entry.map_err(|error| input.error(error)));
        jobs.run(entries, &mut |part| self.write_part(input.format, part))
    }

    /// Writes a part of the file. Each is written at once: a killed process leaves the finished games.
    fn write_part(&mut self, format: InputFormat, part: Analysed) -> Result<(), AnalyzeError> {
        let (number, mut pgn, analysis) = match part {
            Analysed::Game { number, pgn, analysis } => (number, pgn, analysis),
            Analysed::Copied(text) if format == InputFormat::Games => {
                return self.write(&self.format.copy(&text));
            }
            Analysed::Copied(_) => return Ok(()),
        };
        self.summary.add(&pgn, &analysis);
        self.write(&self.format.write(number, &mut pgn, &analysis))?;
        if let Some(given) = self.chart.filter(|_| !analysis.moves.is_empty()) {
            let path = chart::path(given, number, self.is_only_game);
            let mut file = OutputFile::create(Some(&path))?;
            file.write(&chart::draw(&pgn, &analysis))?;
            file.commit()?;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), AnalyzeError> {
        match self.line_end {
            "\n" => self.output.write(text),
            line_end => self.output.write(&text.replace('\n', line_end)),
        }
    }
}

/// Returns a progress bar over all positions, hidden unless the standard error stream is a
/// terminal.
fn progress_bar(survey: &Survey) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(survey.positions);
    let style = "{elapsed_precise} [{bar:30}] {pos}/{len} positions, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
        let done = AtomicU32::new(0);
        let must_stop = || done.fetch_add(1, Relaxed) + 1 >= positions;
        let ended = command.files.run(|| Ok(FirstMove), &must_stop, &mut io::sink());
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

    #[test]
    fn several_jobs_stop_together() {
        let (input, error) = run("jobs.pgn", 2, &["--in-place", "--jobs", "2"]);
        // The other job ends its position.
        let is_reported = |done| error.starts_with(&format!("interrupted after {done} of 7 "));
        let done = (2..=3).find(|&done| is_reported(done)).expect(&error);
        let part = input.with_extension("pgn.part");
        let written = fs::read_to_string(&part).unwrap();
        assert_eq!(written.matches("[%eval ").count(), done, "{written}");
        [input, part].iter().for_each(|path| fs::remove_file(path).unwrap());
    }
}
