//! An analysis, from the first file to the summary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use koel_files::is_same_file;

use crate::chart;
use crate::engine::AnalysisEngine;
use crate::error::{AnalyzeError, EngineFailure};
use crate::input::{Input, InputFormat, Inputs, Selection, Survey, printable};
use crate::jobs::{Analysed, Jobs};
use crate::output::{self, Format};
use crate::output_file::{OutputFile, output_path};
use crate::page::Page;
use crate::progress::Progress;
use crate::suggestion::Remarks;
use crate::suite::{self, Suite};
use crate::summary::Summary;

/// The files of an analysis and what is written; with the feature `cli` arguments of a command
/// line.
///
/// ```
/// use koel_analyze::{FileAnalysis, Format};
///
/// let files = FileAnalysis {
///     output: Some("annotated.pgn".into()),
///     format: Some(Format::Pgn),
///     html: Some("games.html".into()),
///     ..FileAnalysis::new("games.pgn")
/// };
/// assert!(!files.in_place && files.jobs == 1);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FileAnalysis {
    /// Files of games (PGN) or positions (EPD, FEN), also as .gz, .zst or .bz2; folders; - or a
    /// pipe
    #[cfg_attr(feature = "cli", arg(value_name = "FILE", required = true))]
    pub files: Vec<PathBuf>,
    /// Write a page that shows the games in a browser; then no text is written unless asked for
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE.html"))]
    pub html: Option<PathBuf>,
    /// Output file, replaced when the analysis is complete; the standard output if not given or -
    #[cfg_attr(feature = "cli", arg(long, short, value_name = "FILE"))]
    pub output: Option<PathBuf>,
    /// Replace the input when the analysis is complete
    #[cfg_attr(feature = "cli", arg(long))]
    pub in_place: bool,
    /// Output format; by default that of the output file name, else that of the input
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub format: Option<Format>,
    /// Draw White's expected score by move as SVG; several games give FILE-1.svg, FILE-2.svg ...
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE.svg"))]
    pub chart: Option<PathBuf>,
    /// Longest variation that is given in place of a marked move; 0 for none
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLIES", default_value_t = 6))]
    pub variation: u16,
    /// Name the best move wherever another was played, not only at marks
    #[cfg_attr(feature = "cli", arg(long))]
    pub best: bool,
    /// Analyse the games of players whose name contains this, in upper or lower case
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    pub player: Option<String>,
    /// First half-move of each game that is assessed, from 1
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..)))]
    pub from_ply: u32,
    /// Last half-move of each game that is assessed
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub to_ply: Option<u32>,
    /// Number of games analysed at the same time, each with an engine and a hash table of its own
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256)))]
    pub jobs: u16,
}

impl FileAnalysis {
    /// Returns the analysis of a file, one game at a time, to the standard output.
    pub fn new(file: impl Into<PathBuf>) -> FileAnalysis {
        FileAnalysis {
            files: vec![file.into()],
            html: None,
            output: None,
            in_place: false,
            format: None,
            chart: None,
            variation: 6,
            best: false,
            player: None,
            from_ply: 1,
            to_ply: None,
            jobs: 1,
        }
    }

    /// Runs the analysis until its end, and returns the number of games or lines that were not read
    /// to their end. `start` starts an engine for each of the jobs; `must_stop` is asked after each
    /// position for the wish to end. Everything is read completely first, so that warnings come at
    /// once, and a second time game by game. Warnings and the summary are written to `messages`, a
    /// bar of the progress to the standard error stream if that is a terminal.
    ///
    /// # Errors
    /// Nothing can be analysed, a file cannot be read or written, the engine fails, or the analysis
    /// was stopped before its end.
    pub fn run<E: AnalysisEngine + Send>(
        &self,
        start: impl Fn() -> Result<E, EngineFailure>,
        must_stop: &(dyn Fn() -> bool + Sync),
        messages: &mut dyn Write,
    ) -> Result<u64, AnalyzeError> {
        let inputs = Inputs::open(&self.files)?;
        let format = self.format(inputs.all[0].format)?;
        let path = output_path(&inputs.all, self.output.as_deref(), self.in_place)?;
        if self.in_place && (format, inputs.all[0].format) != (Format::Pgn, InputFormat::Games) {
            return Err(AnalyzeError::NotPgn);
        }
        let selection = self.selection();
        let warn = &mut |warning: &str| writeln!(messages, "warning: {warning}");
        let survey = inputs.survey(&selection, warn)?;
        let others = || inputs.all.iter().map(Input::path).chain(path.as_deref());
        if let Some(page) = &self.html {
            Page::check(page, others())?;
        }
        if let Some(chart) = &self.chart {
            if inputs.all.iter().all(|input| input.format == InputFormat::Positions) {
                return Err(AnalyzeError::ChartOfPositions(inputs.all[0].path().to_owned()));
            }
            check_charts(chart, &survey, others)?;
        }
        let jobs = u64::from(self.jobs.max(1)).min(survey.selected);
        let engines = (0..jobs).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
        let bar = Progress::new(survey.positions);
        let mut report = self.report(format, path.as_deref(), &inputs.all[0], &survey)?;
        let (done, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let done_after = || {
            bar.advance();
            done.fetch_add(1, Relaxed);
            let must_stop = must_stop();
            is_stopped.fetch_or(must_stop, Relaxed);
            must_stop
        };
        let jobs = Jobs { engines, is_last: &done_after, selection: &selection };
        let ended = report.write_all(&inputs, jobs);
        bar.finish();
        let (done, all) = (done.into_inner(), survey.positions);
        let is_complete = ended.is_ok() && (done >= all || !is_stopped.into_inner());
        // The files come first: there may be nobody left to write messages to.
        let figures = printable(&format!("{}{}", report.summary, report.suite));
        let saved = report.end(is_complete);
        let told = write!(messages, "{survey}{figures}");
        match (ended, saved?) {
            (Err(error), saved) => {
                let (error, saved) = (Box::new(error), saved.unwrap_or_default());
                Err(AnalyzeError::Unfinished { error, saved })
            }
            (Ok(()), Some(saved)) => Err(AnalyzeError::Interrupted { done, all, saved }),
            (Ok(()), None) => Ok(told.map(|()| survey.skipped + survey.partly_read)?),
        }
    }

    fn selection(&self) -> Selection {
        let last = self.to_ply.map_or(usize::MAX - 1, |ply| ply as usize);
        Selection {
            player: self.player.as_deref().unwrap_or_default().to_lowercase(),
            plies: self.from_ply.max(1) as usize - 1..=last,
        }
    }

    /// Opens the outputs.
    fn report(
        &self,
        format: Format,
        path: Option<&Path>,
        first: &Input,
        survey: &Survey,
    ) -> Result<Report<'_>, AnalyzeError> {
        // A page is enough.
        let is_text =
            self.html.is_none() || self.output.is_some() || self.format.is_some() || self.in_place;
        Ok(Report {
            format,
            output: is_text.then(|| OutputFile::create(path)).transpose()?,
            page: self.html.as_deref().map(Page::create).transpose()?,
            line_end: if format == Format::Pgn { first.line_end } else { "\n" },
            chart: self.chart.as_deref(),
            is_only_game: survey.readable == 1,
            remarks: Remarks { variation: usize::from(self.variation), best: self.best },
            summary: Summary::default(),
            suite: Suite::default(),
        })
    }

    /// Returns the format of the output. A name that promises another one is refused.
    fn format(&self, input: InputFormat) -> Result<Format, AnalyzeError> {
        let by_input = match input {
            InputFormat::Games => Format::Pgn,
            InputFormat::Positions => Format::Csv,
        };
        match (self.format, self.output.as_deref()) {
            (Some(format), _) => Ok(format),
            (None, Some(path)) if Format::is_another(path) => {
                Err(AnalyzeError::OutputName(path.to_owned()))
            }
            (None, path) => Ok(path.and_then(Format::of_extension).unwrap_or(by_input)),
        }
    }
}

/// Checks that charts can be written, before they are drawn hours later.
fn check_charts<'a, I: Iterator<Item = &'a Path>>(
    given: &Path,
    survey: &Survey,
    others: impl Fn() -> I,
) -> Result<(), AnalyzeError> {
    if !given.extension().is_some_and(|name| name.eq_ignore_ascii_case("svg")) {
        return Err(AnalyzeError::ChartName(given.to_owned()));
    }
    for number in 1..=survey.number {
        let path = chart::path(given, number, survey.readable == 1);
        if others().any(|file| is_same_file(&path, file)) {
            return Err(AnalyzeError::ChartPath(path));
        }
        // Nothing is written; what is begun is removed again.
        OutputFile::create(Some(&path))?;
    }
    Ok(())
}

/// The outputs of a running analysis.
struct Report<'a> {
    format: Format,
    output: Option<OutputFile>,
    page: Option<Page>,
    line_end: &'static str,
    chart: Option<&'a Path>,
    is_only_game: bool,
    remarks: Remarks,
    summary: Summary,
    suite: Suite,
}

impl Report<'_> {
    /// Analyses everything and writes it in its order.
    fn write_all<E: AnalysisEngine + Send>(
        &mut self,
        inputs: &Inputs,
        jobs: Jobs<'_, E>,
    ) -> Result<(), AnalyzeError> {
        self.write(&self.format.header())?;
        jobs.run(inputs.entries(), &mut |part| self.write_part(part))?;
        match &mut self.page {
            Some(page) => page.finish(&self.summary),
            None => Ok(()),
        }
    }

    /// Writes a part of a file. Each is written at once: a killed process leaves the finished
    /// games.
    fn write_part(&mut self, part: Analysed) -> Result<(), AnalyzeError> {
        let (number, mut pgn, analysis) = match part {
            Analysed::Game { number, pgn, analysis } => (number, pgn, analysis),
            Analysed::Unchanged(text) => return self.write(&self.format.copy(&text)),
        };
        self.summary.add(&pgn, &analysis);
        let solved = analysis.found(0).and_then(|found| suite::is_solved(&pgn, found));
        self.suite.add(solved);
        output::remove_earlier(&mut pgn, &analysis);
        if self.output.is_some() {
            self.write(&self.format.write(number, &pgn, &analysis, self.remarks))?;
        }
        if let Some(page) = self.page.as_mut().filter(|_| !analysis.positions.is_empty()) {
            page.add(number, &pgn, &analysis, self.remarks)?;
        }
        // A chart of a part of a game would replace that of the whole.
        let is_drawn = analysis.is_complete && !analysis.moves.is_empty();
        if let Some(given) = self.chart.filter(|_| is_drawn) {
            let path = chart::path(given, number, self.is_only_game);
            let mut file = OutputFile::create(Some(&path))?;
            file.write(&chart::draw(&pgn, &analysis))?;
            file.commit()?;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), AnalyzeError> {
        match (&mut self.output, self.line_end) {
            (None, _) => Ok(()),
            (Some(output), "\n") => output.write(text),
            (Some(output), line_end) => output.write(&text.replace('\n', line_end)),
        }
    }

    /// Ends the outputs: complete ones replace old ones, incomplete ones are left beside them, with
    /// a message on where they are.
    fn end(self, is_complete: bool) -> Result<Option<String>, AnalyzeError> {
        let files = self.output.into_iter().chain(self.page.map(Page::into_file));
        let (mut saved, mut committed) = (Vec::new(), Ok(()));
        for file in files {
            match is_complete {
                // One that fails does not keep the other from being written.
                true => committed = committed.and(file.commit()),
                false => saved.push(file.save()),
            }
        }
        committed?;
        Ok((!is_complete).then(|| saved.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use koel_board::Game;
    use koel_uci::Score;
    use tempfile::TempDir;

    use super::*;
    use crate::engine::PositionAnalysis;

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
            Ok(best.map(|best| PositionAnalysis::new(best, Score::Centipawns(0), 0.5)))
        }
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 {a comment} *\n\n1. d4 d5 *\n";

    /// A folder with a file of two games.
    struct Folder {
        input: PathBuf,
        part: PathBuf,
        path: TempDir,
    }

    impl Folder {
        fn new() -> Folder {
            let path = tempfile::tempdir().unwrap();
            let [input, part] = ["games.pgn", "games.pgn.part"].map(|name| path.path().join(name));
            fs::write(&input, GAMES).unwrap();
            Folder { input, part, path }
        }

        fn in_place(&self) -> FileAnalysis {
            FileAnalysis { in_place: true, ..FileAnalysis::new(&self.input) }
        }
    }

    /// Runs an analysis until this many positions are done, and returns its error.
    fn run_until(positions: u32, files: &FileAnalysis) -> String {
        let done = AtomicU32::new(0);
        let must_stop = || done.fetch_add(1, Relaxed) + 1 >= positions;
        files.run(|| Ok(FirstMove), &must_stop, &mut io::sink()).unwrap_err().to_string()
    }

    /// Returns the text of a file and the number of positions analysed in it.
    fn written(path: &Path) -> (String, usize) {
        let text = fs::read_to_string(path).unwrap();
        let positions = text.matches("[%eval ").count();
        (text, positions)
    }

    #[test]
    fn a_stopped_analysis_leaves_the_input_whole() {
        let folder = Folder::new();
        let error = run_until(2, &folder.in_place());
        assert!(error.starts_with("interrupted after 2 of 7 positions; "), "{error}");
        assert!(error.contains("is unchanged") && error.contains(".part"), "{error}");
        assert_eq!(fs::read_to_string(&folder.input).unwrap(), GAMES);
        let (done, positions) = written(&folder.part);
        assert_eq!(positions, 2, "{done}");
        // The rest of the game is kept.
        assert!(done.ends_with(" 1... e5 2. Nf3\n{a comment} *\n\n"), "{done}");
    }

    #[test]
    fn a_stopped_analysis_is_a_part_of_a_new_file_too() {
        let folder = Folder::new();
        let output = folder.path.path().join("new.pgn");
        let part = output.with_extension("pgn.part");
        let files =
            FileAnalysis { output: Some(output.clone()), ..FileAnalysis::new(&folder.input) };
        let error = run_until(5, &files);
        let end = format!("5 of 7 positions; what is done is in {}", part.display());
        assert!(error.ends_with(&end), "{error}");
        let done = written(&part);
        assert_eq!(done.1, 5, "{}", done.0);
        assert!(!output.exists());
        // The next analysis does not lose it.
        let error = run_until(7, &files);
        assert!(error.contains(".part: holds what an interrupted analysis has done"), "{error}");
        assert_eq!(written(&part), done);
    }

    #[test]
    fn a_file_that_changes_meanwhile_is_not_replaced() {
        let folder = Folder::new();
        let changed = format!("{GAMES}1. c4 *\n");
        let change = || {
            fs::write(&folder.input, &changed).unwrap();
            false
        };
        let ended = folder.in_place().run(|| Ok(FirstMove), &change, &mut io::sink());
        let error = ended.unwrap_err().to_string();
        assert!(error.contains("was changed during the analysis"), "{error}");
        assert_eq!(fs::read_to_string(&folder.input).unwrap(), changed);
        assert!(written(&folder.part).1 > 0);
    }

    /// A stream that nobody reads any more.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_files_do_not_depend_on_the_messages() {
        let folder = Folder::new();
        let run = |must_stop| folder.in_place().run(|| Ok(FirstMove), &|| must_stop, &mut Closed);
        let stopped = run(true);
        assert!(matches!(stopped, Err(AnalyzeError::Interrupted { .. })), "{stopped:?}");
        assert_eq!(fs::read_to_string(&folder.input).unwrap(), GAMES);
        assert!(written(&folder.part).1 > 0);
        fs::remove_file(&folder.part).unwrap();
        let complete = run(false);
        assert!(matches!(complete, Err(AnalyzeError::Stream(_))), "{complete:?}");
        assert_eq!(written(&folder.input).1, 7);
    }

    #[test]
    fn a_chart_is_that_of_a_whole_game() {
        let folder = Folder::new();
        let [chart, first, second] =
            ["c.svg", "c-1.svg", "c-2.svg"].map(|name| folder.path.path().join(name));
        [&first, &second].iter().for_each(|path| fs::write(path, "old").unwrap());
        run_until(6, &FileAnalysis { chart: Some(chart), ..folder.in_place() });
        assert!(fs::read_to_string(&first).unwrap().starts_with("<svg"));
        assert_eq!(fs::read_to_string(&second).unwrap(), "old");
    }

    #[test]
    fn positions_have_no_chart() {
        let folder = Folder::new();
        let (positions, chart) =
            (folder.path.path().join("p.epd"), folder.path.path().join("c.svg"));
        fs::write(&positions, "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n").unwrap();
        let (files, chart) = (vec![positions], Some(chart.clone()));
        let error =
            run_until(9, &FileAnalysis { files, chart, in_place: false, ..folder.in_place() });
        assert!(
            error.starts_with("--chart draws games, and") && error.ends_with("has none"),
            "{error}"
        );
        assert!(!folder.path.path().join("c.svg").exists());
    }

    #[test]
    fn several_jobs_stop_together() {
        let folder = Folder::new();
        let error = run_until(2, &FileAnalysis { jobs: 2, ..folder.in_place() });
        let (done, positions) = written(&folder.part);
        // The other job ends its position.
        assert!((2..=3).contains(&positions), "{done}");
        assert!(error.starts_with(&format!("interrupted after {positions} of 7 ")), "{error}");
    }
}
