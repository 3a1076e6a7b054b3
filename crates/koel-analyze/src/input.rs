//! The input of an analysis: games, or positions as games without moves.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use koel_board::{Epd, Game};

use crate::error::AnalyzeError;
use crate::source::Source;
use crate::suite;
use koel_pgn::{FaultyGame, GameReader, PgnEntry, PgnGame, Tags, TextLines, is_zero_width};

/// All that is analysed, in its order.
pub(crate) struct Inputs {
    /// At least one.
    pub(crate) all: Vec<Input>,
    /// The errors of the files of folders that cannot be read.
    unreadable: Vec<AnalyzeError>,
}

/// The greatest length of a first line whose end tells that of all lines, in bytes.
const MAX_FIRST_LINE: u64 = 1 << 20;

/// A text of games or positions.
pub(crate) struct Input {
    source: Source,
    pub(crate) format: InputFormat,
    /// The line end of the first line.
    pub(crate) line_end: &'static str,
}

/// The games and positions that are analysed.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// A part of the name of a player, in lower case; empty for all.
    pub(crate) player: String,
    pub(crate) plies: RangeInclusive<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputFormat {
    Games,
    Positions,
}

/// The numbers of all inputs, counted before the analysis.
#[derive(Default)]
pub(crate) struct Survey {
    /// All games and lines so far.
    pub(crate) number: u64,
    /// Games or lines that can be read.
    pub(crate) readable: u64,
    /// Those of them that are analysed.
    pub(crate) selected: u64,
    /// Games or lines that are skipped.
    pub(crate) skipped: u64,
    /// Games that are not read to their end.
    pub(crate) partly_read: u64,
    /// Positions to analyse.
    pub(crate) positions: u64,
}

impl Inputs {
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Inputs, AnalyzeError> {
        let (mut all, mut unreadable) = (Vec::new(), Vec::new());
        for path in paths {
            let sources = Source::all(path)?;
            if sources.is_empty() {
                return Err(AnalyzeError::Empty { path: path.clone() });
            }
            for source in sources {
                match Input::open(source) {
                    Ok(input) => all.push(input),
                    // The others of a folder are analysed.
                    Err(error) if path.is_dir() => unreadable.push(error),
                    Err(error) => return Err(error),
                }
            }
        }
        if all.is_empty()
            && let Some(error) = unreadable.pop()
        {
            return Err(error);
        }
        Ok(Inputs { all, unreadable })
    }

    /// Returns the parts of all inputs in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Result<PgnEntry, AnalyzeError>> {
        self.all.iter().flat_map(Input::entries)
    }

    /// Reads everything and sends a warning on each game or line that is not analysed.
    ///
    /// # Errors
    /// If a file cannot be read, or nothing can be analysed.
    pub(crate) fn survey(
        &self,
        selection: &Selection,
        warn: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Survey, AnalyzeError> {
        let (mut survey, mut first_fault) = (Survey::default(), None);
        for error in &self.unreadable {
            survey.skipped += 1;
            warn(&printable(&error.to_string()))?;
        }
        for input in &self.all {
            let before = survey.number;
            input.survey(selection, &mut survey, &mut |warning| {
                let warning = printable(warning);
                warn(&warning)?;
                first_fault.get_or_insert(warning);
                Ok(())
            })?;
            if survey.number == before && self.all.len() > 1 {
                survey.skipped += 1;
                let path = input.path().to_owned();
                warn(&AnalyzeError::Empty { path }.to_string())?;
            }
        }
        match first_fault {
            _ if survey.selected > 0 => Ok(survey),
            _ if survey.readable > 0 => Err(AnalyzeError::NothingSelected),
            Some(first) => Err(AnalyzeError::NothingReadable { first }),
            None => Err(AnalyzeError::Empty { path: self.all[0].path().to_owned() }),
        }
    }
}

impl Input {
    /// Recognises the format of a text by its content.
    fn open(source: Source) -> Result<Input, AnalyzeError> {
        let recognise = || -> io::Result<_> {
            let mut first = Vec::new();
            source.open()?.take(MAX_FIRST_LINE).read_until(b'\n', &mut first)?;
            let line_end = if first.ends_with(b"\r\n") { "\r\n" } else { "\n" };
            Ok((InputFormat::of(source.open()?)?, line_end))
        };
        let (format, line_end) = recognise().map_err(AnalyzeError::of_file(&source.path))?;
        Ok(Input { source, format, line_end })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.source.path
    }

    /// Returns true if the input is a file that can be replaced: text on a disk.
    pub(crate) fn is_plain_file(&self) -> bool {
        !self.source.is_stream() && self.source.is_compressed().is_ok_and(|found| !found)
    }

    /// Returns true for a stream, which is read before anything is written.
    pub(crate) fn is_stream(&self) -> bool {
        self.source.is_stream()
    }

    /// Returns the parts of the text in order.
    fn entries(&self) -> impl Iterator<Item = Result<PgnEntry, AnalyzeError>> + use<'_> {
        let entries: Box<dyn Iterator<Item = io::Result<PgnEntry>>> =
            match (self.source.open(), self.format) {
                (Err(error), _) => Box::new(std::iter::once(Err(error))),
                (Ok(text), InputFormat::Games) => Box::new(GameReader::new(text)),
                (Ok(text), InputFormat::Positions) => Box::new(positions(text)),
            };
        entries.map(|entry| entry.map_err(AnalyzeError::of_file(self.path())))
    }

    /// Reads the whole text and sends a warning on each game or line that is not analysed.
    fn survey(
        &self,
        selection: &Selection,
        survey: &mut Survey,
        warn: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<(), AnalyzeError> {
        for entry in self.entries() {
            let entry = entry?;
            survey.number += u64::from(!matches!(entry, PgnEntry::Text(_)));
            let (readable, warning) = match entry {
                PgnEntry::Text(_) => continue,
                PgnEntry::Game(pgn) => {
                    let name = || self.name(survey.number, &pgn.tags, pgn.line);
                    let warning = || format!("{}: analysed up to the null move", name());
                    let warning = pgn.ends_at_null_move.then(warning);
                    let warning = warning.or_else(|| {
                        let word = suite::unread_operand(&pgn)?;
                        let name = name();
                        Some(format!("{name}: `{word}` is no legal move or number: not counted"))
                    });
                    (Some(pgn), warning)
                }
                PgnEntry::Faulty(FaultyGame { tags, line, error, readable, .. }) => {
                    let name = self.name(survey.number, &tags, line);
                    let consequence = match &readable {
                        None => "skipped",
                        Some(game) if game.is_cut_off() => "analysed up to it",
                        Some(_) => "kept as it is",
                    };
                    (readable, Some(format!("{name}: {error}: {consequence}")))
                }
            };
            match readable {
                Some(game) => {
                    survey.partly_read += u64::from(warning.is_some());
                    survey.add(selection, &game);
                }
                None => survey.skipped += 1,
            }
            if let Some(warning) = warning {
                warn(&warning)?;
            }
        }
        Ok(())
    }

    /// Names a game or line of the text.
    fn name(&self, number: u64, tags: &Tags, line: usize) -> String {
        let path = self.path().display();
        let player = |color| tags.value(color).unwrap_or("?");
        match self.format {
            InputFormat::Positions => format!("{path}: line {line}"),
            InputFormat::Games => {
                let (white, black) = (player("White"), player("Black"));
                format!("{path}: line {line}: game {number} ({white} - {black})")
            }
        }
    }
}

impl Selection {
    /// Returns the plies of a game at which its positions are analysed.
    pub(crate) fn plies(&self, pgn: &PgnGame) -> Range<usize> {
        let is_named = |color| {
            pgn.tags.value(color).is_some_and(|name| name.to_lowercase().contains(&self.player))
        };
        let is_other = !self.player.is_empty() && !is_named("White") && !is_named("Black");
        let (start, moves) = (*self.plies.start(), pgn.game.moves().len());
        if is_other || start >= *self.plies.end() || start > 0 && start >= moves {
            return 0..0;
        }
        start..moves.min(*self.plies.end()) + 1
    }
}

impl Survey {
    /// Adds a game that can be read.
    fn add(&mut self, selection: &Selection, pgn: &PgnGame) {
        let plies = selection.plies(pgn).len() as u64;
        self.readable += 1;
        self.selected += u64::from(plies > 0);
        self.positions += plies;
    }
}

impl fmt::Display for Survey {
    /// Writes what is not read to its end, or nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.skipped + self.readable;
        if self.skipped > 0 {
            writeln!(f, "{} of {all} skipped", self.skipped)?;
        }
        if self.partly_read > 0 {
            writeln!(f, "{} of {all} read in part", self.partly_read)?;
        }
        Ok(())
    }
}

impl InputFormat {
    /// Recognises lines of EPD or FEN by the seven slashes in the first word of one, in a text
    /// without tags.
    fn of(source: impl BufRead) -> io::Result<InputFormat> {
        let mut format = InputFormat::Games;
        for line in TextLines::new(source) {
            let line = line?;
            let is_unseen = |character: char| character.is_whitespace() || is_zero_width(character);
            if line.trim_start_matches(is_unseen).starts_with('[') {
                return Ok(InputFormat::Games);
            }
            let board = line.split_whitespace().next().unwrap_or_default();
            if board.matches('/').count() == 7 {
                format = InputFormat::Positions;
            }
        }
        Ok(format)
    }
}

/// Returns a text of a file without characters that control a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.replace(|character: char| character.is_control() && character != '\n', "\u{fffd}")
}

/// Returns the positions of an EPD or FEN file.
fn positions(source: impl BufRead) -> impl Iterator<Item = io::Result<PgnEntry>> {
    let lines = (1..).zip(TextLines::new(source));
    lines.filter_map(|(number, line)| {
        let position = |line: String| {
            let text = line.trim();
            let is_position = !text.is_empty() && !text.starts_with('#');
            is_position.then(|| match plain_epd(text).parse::<Epd>() {
                Ok(epd) => PgnEntry::Game(Box::new(from_epd(&epd, number))),
                // It is no part of a file of games.
                Err(error) => PgnEntry::Faulty(FaultyGame::of_line("", number, error.into())),
            })
        };
        line.map(position).transpose()
    })
}

/// Returns an EPD record without characters that are not seen, as far as these are not in quotation
/// marks.
fn plain_epd(text: &str) -> String {
    let (fields, quoted) = text.split_at(text.find('"').unwrap_or(text.len()));
    fields.replace(is_zero_width, "") + quoted
}

/// Converts an EPD record on this line to a game without moves. The operations become a comment.
fn from_epd(epd: &Epd, line: usize) -> PgnGame {
    let tags = [
        ("Event", epd.operand("id").unwrap_or("?")),
        ("SetUp", "1"),
        ("FEN", &epd.position.to_string()),
        ("Result", "*"),
    ];
    let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let operations = Epd {
        operations: epd.operations.iter().filter(|op| op.opcode != "id").cloned().collect(),
        position: epd.position.clone(),
    };
    // The four fields of the position come first.
    let operations = operations.to_string().splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    let game = Game::new(epd.position.clone());
    let mut game = PgnGame::without_moves(Tags(tags.to_vec()), game, &operations);
    game.line = line;
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use koel_pgn::Annotation;

    #[test]
    fn the_format_is_recognised_by_the_content() {
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;";
        for (text, format) in [
            (position, InputFormat::Positions),
            (&format!("# comment\n\nbroken\n{position}"), InputFormat::Positions),
            ("1. e4 e5 1/2-1/2", InputFormat::Games),
            (&format!("[FEN \"{position}\"]\n\n1. e4 *"), InputFormat::Games),
            (&format!("[Event \"x\"]\n\n{{\n{position}\n}} 1. e4 *"), InputFormat::Games),
            (&format!("{{\n{position}\n}}\n[Event \"x\"]\n\n1. e4 *"), InputFormat::Games),
        ] {
            assert_eq!(InputFormat::of(text.as_bytes()).unwrap(), format, "{text}");
        }
    }

    #[test]
    fn positions_as_people_write_them() {
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (line, operations, number) in [
            (format!("{position};bm e4;"), "bm e4;", 1),
            (format!("{position} 0 7;bm e4; id \"x\";"), "bm e4;", 7),
            (format!("\u{feff}\u{200e}{position}\u{200b} bm\u{200f} e4;"), "bm e4;", 1),
            (format!("{position} c0 \"a;\u{200f}b\";"), "c0 \"a;\u{200f}b\";", 1),
        ] {
            let entry = positions(line.as_bytes()).next().unwrap().unwrap();
            let PgnEntry::Game(game) = entry else { panic!("{line}: {entry:?}") };
            assert_eq!(game.game.position().fullmove_number(), number, "{line}");
            let text = game.with_annotations(|_, _, _| Annotation::default());
            assert!(text.contains(&format!("{{{operations}}}")), "{text}");
        }
    }
}
