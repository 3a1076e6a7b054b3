//! The input of an analysis: games, or positions as games without moves.

use std::fmt;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use koel_board::{Epd, Game};

use crate::error::AnalyzeError;
use koel_pgn::{
    FaultyGame, GameReader, PgnEntry, PgnGame, Tags, TextLines, is_zero_width, open_text,
};

/// A file of games or positions.
pub(crate) struct Input {
    path: PathBuf,
    pub(crate) format: InputFormat,
    /// The line end of the first line.
    pub(crate) line_end: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputFormat {
    Games,
    Positions,
}

/// The numbers of a file, counted before the analysis.
#[derive(Default)]
pub(crate) struct Survey {
    /// Games or lines that can be read.
    pub(crate) readable: u64,
    /// Games or lines that are skipped.
    pub(crate) skipped: u64,
    /// Games that are not read to their end.
    pub(crate) partly_read: u64,
    /// The number in the file of the first game with moves.
    pub(crate) first_with_moves: Option<u64>,
    /// Positions to analyse.
    pub(crate) positions: u64,
}

impl Input {
    /// Opens a file and recognises its format by its content.
    pub(crate) fn open(path: &Path) -> Result<Input, AnalyzeError> {
        let error = |error| AnalyzeError::File { path: path.to_owned(), error };
        let mut source = open_text(path).map_err(error)?;
        let first_line = source.fill_buf().map_err(error)?.split_inclusive(|&byte| byte == b'\n');
        let has_return = first_line.take(1).any(|line| line.ends_with(b"\r\n"));
        let line_end = if has_return { "\r\n" } else { "\n" };
        let format = InputFormat::of(source).map_err(error)?;
        Ok(Input { path: path.to_owned(), format, line_end })
    }

    /// Returns the parts of the file in order.
    pub(crate) fn entries(&self) -> Result<Entries, AnalyzeError> {
        let source: Box<dyn BufRead> =
            Box::new(open_text(&self.path).map_err(|error| self.error(error))?);
        Ok(match self.format {
            InputFormat::Games => Entries::Games(GameReader::new(source)),
            InputFormat::Positions => Entries::Positions(Positions::new(source)),
        })
    }

    /// Reads the whole file and sends a warning on each game or line that is not analysed.
    ///
    /// # Errors
    /// If the file cannot be read, or nothing in it can be analysed.
    pub(crate) fn survey(
        &self,
        warn: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<Survey, AnalyzeError> {
        let mut survey = Survey::default();
        let mut first_fault = None;
        for entry in self.entries()? {
            let number = survey.readable + survey.skipped + 1;
            match entry.map_err(|error| self.error(error))? {
                PgnEntry::Game(pgn) => {
                    survey.add(number, &pgn);
                    if pgn.ends_at_null_move {
                        survey.partly_read += 1;
                        let name = self.name(number, &pgn.tags, pgn.line);
                        warn(&format!("{name}: analysed up to the null move"))?;
                    }
                }
                PgnEntry::Faulty(faulty) => {
                    let name = self.name(number, &faulty.tags, faulty.line);
                    let consequence = match &faulty.readable {
                        None => "skipped",
                        Some(game) if game.is_cut_off() => "analysed up to it",
                        Some(_) => "kept as it is",
                    };
                    let warning = format!("{name}: {}: {consequence}", faulty.error);
                    warn(&warning)?;
                    match &faulty.readable {
                        Some(game) => {
                            survey.partly_read += 1;
                            survey.add(number, game);
                        }
                        None => survey.skipped += 1,
                    }
                    first_fault.get_or_insert(warning);
                }
                PgnEntry::Text(_) => {}
            }
        }
        match first_fault {
            _ if survey.readable > 0 => Ok(survey),
            Some(first) => Err(AnalyzeError::NothingReadable { first }),
            None => Err(AnalyzeError::Empty { path: self.path.clone() }),
        }
    }

    /// Converts an error of reading.
    pub(crate) fn error(&self, error: io::Error) -> AnalyzeError {
        AnalyzeError::File { path: self.path.clone(), error }
    }

    /// Names a game or line of the file.
    fn name(&self, number: u64, tags: &Tags, line: usize) -> String {
        let path = self.path.display();
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

impl Survey {
    /// Adds a game with this number in the file.
    fn add(&mut self, number: u64, pgn: &PgnGame) {
        self.readable += 1;
        let moves = pgn.game.moves().len() as u64;
        self.positions += moves + 1;
        if moves > 0 {
            self.first_with_moves.get_or_insert(number);
        }
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
        let mut lines = TextLines::new(source);
        let mut line = String::new();
        let mut format = InputFormat::Games;
        while lines.append(&mut line)? {
            let is_unseen = |character: char| character.is_whitespace() || is_zero_width(character);
            if line.trim_start_matches(is_unseen).starts_with('[') {
                return Ok(InputFormat::Games);
            }
            let board = line.split_whitespace().next().unwrap_or_default();
            if board.matches('/').count() == 7 {
                format = InputFormat::Positions;
            }
            line.clear();
        }
        Ok(format)
    }
}

/// An iterator over the parts of a file.
pub(crate) enum Entries {
    Games(GameReader<Box<dyn BufRead>>),
    Positions(Positions<Box<dyn BufRead>>),
}

impl Iterator for Entries {
    type Item = io::Result<PgnEntry>;

    fn next(&mut self) -> Option<io::Result<PgnEntry>> {
        match self {
            Entries::Games(games) => games.next(),
            Entries::Positions(positions) => positions.next(),
        }
    }
}

/// An iterator over the lines of an EPD or FEN file.
pub(crate) struct Positions<R> {
    lines: TextLines<R>,
    line: usize,
}

impl<R: BufRead> Positions<R> {
    fn new(source: R) -> Positions<R> {
        Positions { lines: TextLines::new(source), line: 0 }
    }
}

impl<R: BufRead> Iterator for Positions<R> {
    type Item = io::Result<PgnEntry>;

    fn next(&mut self) -> Option<io::Result<PgnEntry>> {
        let mut text = String::new();
        loop {
            text.clear();
            match self.lines.append(&mut text) {
                Ok(true) => self.line += 1,
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            return Some(Ok(match plain_epd(text).parse::<Epd>() {
                Ok(epd) => PgnEntry::Game(Box::new(from_epd(&epd))),
                Err(error) => PgnEntry::Faulty(FaultyGame::of_line(text, self.line, error.into())),
            }));
        }
    }
}

/// Returns an EPD record without characters that are not seen, as far as these are not in quotation
/// marks.
fn plain_epd(text: &str) -> String {
    let (fields, quoted) = text.split_at(text.find('"').unwrap_or(text.len()));
    fields.replace(is_zero_width, "") + quoted
}

/// Converts an EPD record to a game without moves. The operations become a comment.
fn from_epd(epd: &Epd) -> PgnGame {
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
    PgnGame::without_moves(Tags(tags.to_vec()), game, &operations)
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
            let entry = Positions::new(line.as_bytes()).next().unwrap().unwrap();
            let PgnEntry::Game(game) = entry else { panic!("{line}: {entry:?}") };
            assert_eq!(game.game.position().fullmove_number(), number, "{line}");
            let text = game.with_annotations(|_, _, _| Annotation::default());
            assert!(text.contains(&format!("{{{operations}}}")), "{text}");
        }
    }

    #[test]
    fn operations_become_a_comment() {
        let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\"; c0 \"a b\";";
        let game = from_epd(&epd.parse().unwrap());
        let text = game.with_annotations(|_, _, _| Annotation::default());
        assert!(text.ends_with("\n\n{bm Rd8#; c0 \"a b\";} *\n\n"), "{text}");
        assert_eq!(game.tags.value("Event"), Some("back rank"));
    }
}
