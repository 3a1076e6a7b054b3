//! The games of a PGN file, one after the other.
//!
//! A game is its tags and its movetext. It ends with its result and the comments on it, or before
//! the tags of another game. Comments belong to the game before them unless an empty line comes
//! between, and then to the game after them.

use std::collections::HashSet;
use std::io::{self, BufRead};

use koel_board::{Game, Position};

use crate::fault::PgnFault;
use crate::token::{Token, Tokens, is_blank, is_double_forfeit, is_zero_width, result};
use crate::written_move::{FindError, WrittenMove};
use crate::{FaultyGame, PgnGame, Tags};

/// The result of a game that both players lose.
const DOUBLE_FORFEIT: &str = "0-0";

/// A part of a PGN file. All parts together hold all of its text.
#[derive(Debug)]
pub enum PgnEntry {
    /// A game.
    Game(Box<PgnGame>),
    /// A game that cannot be read completely.
    Faulty(FaultyGame),
    /// Text that belongs to no game: comments after the last one.
    Text(String),
}

/// An iterator over the games of a PGN file, with one game in memory. A game of more than 64 MiB is
/// an error.
///
/// ```
/// use koel_pgn::{GameReader, PgnEntry};
///
/// let file = "[White \"Ann\"]\n\n1. e4 e5 *\n\n1. d4 d5 2. Bf6 *\n";
/// let mut moves = Vec::new();
/// for entry in GameReader::new(file.as_bytes()) {
///     match entry? {
///         PgnEntry::Game(pgn) => moves.push(pgn.game.moves().len()),
///         // A fault costs what is behind it, not the game.
///         PgnEntry::Faulty(fault) => moves.push(fault.readable.map_or(0, |pgn|
///         pgn.game.moves().len())), PgnEntry::Text(_) => {}
///     }
/// }
/// assert_eq!(moves, [2, 2]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct GameReader<R> {
    tokens: Tokens<R>,
}

impl<R: BufRead> GameReader<R> {
    /// Reads from a source of text in UTF-8 or Windows-1252; a line that is not UTF-8 is
    /// Windows-1252.
    pub fn new(source: R) -> GameReader<R> {
        GameReader { tokens: Tokens::new(source) }
    }

    fn read(&mut self) -> io::Result<Option<PgnEntry>> {
        let mut builder = GameBuilder::default();
        let mut first_line = None;
        let end = loop {
            let Some(line_ends) = self.tokens.skip_blanks()? else { break self.tokens.offset() };
            let (start, line) = (self.tokens.offset(), self.tokens.line());
            first_line.get_or_insert(line);
            let token = self.tokens.next()?;
            let is_after_empty_line = line_ends > 1;
            if builder.ends_before(&token, line, is_after_empty_line) {
                break builder.give_comments(is_after_empty_line).unwrap_or(start);
            }
            builder.note_comments(&token, start, is_after_empty_line);
            builder.add(token, line, self.tokens.offset());
        };
        let text = self.tokens.take_text(end);
        Ok(builder.finish(&text, first_line.unwrap_or(1)))
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = io::Result<PgnEntry>;

    fn next(&mut self) -> Option<io::Result<PgnEntry>> {
        self.read().transpose()
    }
}

/// A place in a game, behind a token.
#[derive(Clone, Copy, Default)]
struct Place {
    offset: usize,
    /// The number of tokens of the movetext up to it.
    tokens: usize,
}

/// A word `0-0` that is a result if the game ends with it, and castling else.
struct Zeros {
    word: String,
    line: usize,
    before: Place,
}

/// A game that is being read.
#[derive(Default)]
struct GameBuilder {
    tags: Tags,
    /// The names of the tags in lower case.
    names: HashSet<String>,
    /// The end of the last tag in the text.
    header_end: usize,
    movetext: Vec<Token>,
    /// The end of the last token of the movetext or the header.
    end: usize,
    /// True after the first token of the movetext that is no comment.
    has_movetext: bool,
    /// True after a word that is not PGN.
    has_unknown: bool,
    number: Option<u32>,
    /// The main line; `None` before its first move.
    game: Option<Game>,
    /// True after a null move in the main line.
    ends_at_null_move: bool,
    zeros: Option<Zeros>,
    /// The lines on which the enclosing variations begin, and the places before them.
    variations: Vec<(usize, Place)>,
    /// The offset and the index in the movetext of comments after an empty line, behind which
    /// nothing else has come.
    comments: Option<(usize, usize)>,
    result: Option<&'static str>,
    /// The line of the result, and the place before it.
    result_place: (usize, Place),
    /// The comments directly after the result.
    trailer: Vec<Token>,
    /// True if more than comments follow the result.
    goes_on: bool,
    /// The first fault and its line.
    fault: Option<(usize, PgnFault)>,
    /// The place of the first fault behind which the main line is not known.
    cut: Option<Place>,
}

impl GameBuilder {
    /// Returns true if a token on this line begins another game.
    fn ends_before(&self, token: &Token, line: usize, is_after_empty_line: bool) -> bool {
        if self.result.is_some() {
            // What follows a result on its line is no other game, nor are later moves of one.
            let is_on_line = line == self.result_place.0;
            let is_tag = matches!(token, Token::Tag(..));
            let belongs = match token {
                Token::Number { is_first, .. } => is_on_line || !is_first,
                token => is_on_line || token.is_comment(),
            };
            return is_after_empty_line || is_tag || !belongs && !self.goes_on;
        }
        match token {
            // Text before the first tag that is no comment is no part of the game either.
            Token::Tag(..) if self.has_movetext || self.tags.0.is_empty() && self.has_unknown => {
                true
            }
            Token::Tag(name, _) => {
                let is_first = name.eq_ignore_ascii_case("Event");
                let is_known = self.names.contains(&name.to_ascii_lowercase());
                let may_be_first = is_first && !self.tags.0.is_empty();
                is_known && is_first || is_after_empty_line && (is_known || may_be_first)
            }
            Token::Number { is_first: true, .. } => {
                let plies = self.game.as_ref().map_or(0, |game| game.moves().len());
                is_after_empty_line && self.variations.is_empty() && plies > 1
            }
            _ => false,
        }
    }

    /// Gives up the comments that belong to the next game, and returns where they begin.
    fn give_comments(&mut self, is_after_empty_line: bool) -> Option<usize> {
        let (start, index) = self.comments.filter(|_| !is_after_empty_line)?;
        self.movetext.truncate(index);
        Some(start)
    }

    /// Notes where comments begin that may belong to the next game.
    fn note_comments(&mut self, token: &Token, start: usize, is_after_empty_line: bool) {
        if !token.is_comment() {
            self.comments = None;
        } else if is_after_empty_line {
            self.comments = Some((start, self.movetext.len()));
        }
    }

    fn place(&self) -> Place {
        Place { offset: self.end, tokens: self.movetext.len() }
    }

    /// Adds a token that stands on this line and ends at this offset.
    fn add(&mut self, token: Token, line: usize, end: usize) {
        if self.result.is_some() {
            return self.add_after_result(token);
        }
        self.has_movetext |= !(token.is_comment()
            || matches!(
                token,
                Token::Tag(..) | Token::MalformedTag(_) | Token::Unknown(_) | Token::Unclosed(_)
            ));
        if let Some(Zeros { word, line, before }) = self.zeros.take_if(|_| !token.is_comment()) {
            self.play(&word, line, before);
        }
        let is_main_line = self.variations.is_empty();
        match &token {
            Token::Number { value, .. } => self.number = *value,
            Token::Unknown(word) => self.note_unknown(word, line),
            Token::Unclosed(element) => self.cut(line, PgnFault::Unclosed(element)),
            Token::MalformedTag(text) => self.note_malformed_tag(text, line),
            Token::VariationStart => self.variations.push((line, self.place())),
            Token::VariationEnd if self.variations.pop().is_none() => {
                self.cut(line, PgnFault::StrayVariationEnd);
            }
            Token::Move(word) if is_main_line && self.may_be_result(word) => {
                self.zeros = Some(Zeros { word: word.clone(), line, before: self.place() });
            }
            Token::Move(word) if is_main_line => self.play(word, line, self.place()),
            Token::Result(result) if is_main_line => {
                self.result = Some(result);
                self.result_place = (line, self.place());
            }
            _ => {}
        }
        match token {
            Token::Tag(name, value) => {
                self.names.insert(name.to_ascii_lowercase());
                self.tags.0.push((name, value));
                self.end_header(end);
            }
            Token::MalformedTag(_) if !self.has_movetext => self.end_header(end),
            Token::Number { .. } => return,
            Token::Result(_) if self.result.is_some() => {}
            token => self.movetext.push(token),
        }
        self.end = end;
    }

    /// Notes that the tags go on up to this offset, with the comments before.
    fn end_header(&mut self, end: usize) {
        self.movetext.clear();
        self.header_end = end;
    }

    /// Adds a token behind the result.
    fn add_after_result(&mut self, token: Token) {
        if !token.is_comment() {
            self.goes_on = true;
            let (line, before) = self.result_place;
            self.cut_at(before, line, PgnFault::AfterResult);
        }
        self.trailer.push(token);
    }

    /// Notes a word that is not PGN. In a variation it does not make the main line unknown, but at
    /// the start of a line a bracket or a percent sign would be read as something else.
    fn note_unknown(&mut self, word: &str, line: usize) {
        self.has_unknown = true;
        let error = PgnFault::Unknown(shown(word));
        match self.variations.is_empty() || word.starts_with(['[', '%']) {
            true => self.cut(line, error),
            false => drop(self.fault.get_or_insert((line, error))),
        }
    }

    /// Notes a line in brackets. Among the tags it costs nothing but its value.
    fn note_malformed_tag(&mut self, text: &str, line: usize) {
        let error = PgnFault::MalformedTag(shown(text));
        match self.has_movetext {
            true => self.cut(line, error),
            false => drop(self.fault.get_or_insert((line, error))),
        }
    }

    /// Notes a fault behind which the main line is not known.
    fn cut(&mut self, line: usize, error: PgnFault) {
        self.cut_at(self.place(), line, error);
    }

    fn cut_at(&mut self, place: Place, line: usize, error: PgnFault) {
        self.fault.get_or_insert((line, error));
        self.cut.get_or_insert(place);
    }

    /// Returns true for a word that is castling or, at the end of a game that both players lose,
    /// the result.
    fn may_be_result(&self, word: &str) -> bool {
        is_double_forfeit(word) && self.tags.value("Result").is_some_and(is_double_forfeit)
    }

    /// Plays a move of the main line, which stands behind this place.
    fn play(&mut self, word: &str, line: usize, before: Place) {
        self.start(line);
        let Some(game) = self.game.as_mut().filter(|_| self.cut.is_none()) else { return };
        // Text that is not a move is no token of a move.
        let Some(written) = WrittenMove::parse(word).filter(|_| !self.ends_at_null_move) else {
            return;
        };
        if written == WrittenMove::Null {
            self.ends_at_null_move = true;
            return;
        }
        match written.find(game.position()) {
            Ok(m) => game.play(m).expect("a move that was found is legal"),
            Err(error) => {
                let (text, position) = (shown(word), game.position().to_string());
                let fault = match error {
                    FindError::Illegal => PgnFault::Illegal { text, position },
                    FindError::Ambiguous => PgnFault::Ambiguous { text, position },
                };
                self.cut_at(before, line, fault);
            }
        }
    }

    /// Sets up the position before the first move.
    fn start(&mut self, line: usize) {
        if self.game.is_some() || self.cut.is_some() {
            return;
        }
        if let Some(variant) = self.tags.value("Variant").filter(|variant| !is_chess(variant)) {
            let fault = PgnFault::Variant(variant.to_owned());
            return self.cut(line, fault);
        }
        let Some(fen) = self.tags.value("FEN") else {
            self.game = Some(Game::new(Position::start()));
            if let Some(number) = self.number.filter(|&number| number > 1) {
                self.cut(line, PgnFault::MoveNumber(number));
            }
            return;
        };
        match Position::from_fen(&fen.replace(is_zero_width, "")) {
            Ok(start) => self.game = Some(Game::new(start)),
            Err(error) => self.cut(line, error.into()),
        }
    }

    /// Ends a game that both players lose before what may be its result.
    fn end_with_zeros(&mut self) {
        if let Some(zeros) = self.zeros.take() {
            self.trailer = self.movetext.split_off(zeros.before.tokens + 1);
            self.movetext.truncate(zeros.before.tokens);
            self.result = Some(DOUBLE_FORFEIT);
        }
    }

    /// Returns what was read: this text, which begins on this line.
    fn finish(mut self, text: &str, line: usize) -> Option<PgnEntry> {
        let has_moves = self.movetext.iter().any(|token| matches!(token, Token::Move(_)));
        if self.tags.0.is_empty() && !has_moves && self.fault.is_none() {
            let text = text.trim();
            return (!text.is_empty()).then(|| PgnEntry::Text(text.to_owned()));
        }
        self.end_with_zeros();
        self.start(line);
        if let Some(&(line, place)) = self.variations.first() {
            self.cut_at(place, line, PgnFault::OpenVariation);
        }
        let (fault, tags) = (self.fault.take(), self.tags.clone());
        let readable = self.readable(text, line);
        match fault {
            None => readable.map(PgnEntry::Game),
            Some((line, error)) => {
                let readable = readable.filter(|game| game.game.moves().len() > 0);
                let text = text.trim().to_owned();
                Some(PgnEntry::Faulty(FaultyGame { tags, text, line, error, readable }))
            }
        }
    }

    /// Returns the game as far as it can be read; `None` if it has no position to begin with.
    fn readable(mut self, text: &str, line: usize) -> Option<Box<PgnGame>> {
        let in_tags = self.tags.value("Result").and_then(|value| match result(value) {
            Some((_, result)) => Some(result),
            None => is_double_forfeit(value).then_some(DOUBLE_FORFEIT),
        });
        let rest = self.cut.map(|cut| {
            self.movetext.truncate(cut.tokens);
            text[cut.offset..].trim_matches(is_blank).to_owned()
        });
        Some(Box::new(PgnGame {
            line,
            header: text[..self.header_end].trim().to_owned(),
            tags: self.tags,
            game: self.game?,
            movetext: self.movetext,
            result: self.result.or(in_tags).unwrap_or("*"),
            trailer: self.trailer,
            ends_at_null_move: self.ends_at_null_move,
            rest,
        }))
    }
}

/// Returns true for a value of the tag `Variant` that names chess.
fn is_chess(variant: &str) -> bool {
    match &*variant.to_lowercase().replace([' ', '-'], "") {
        "standard" | "chess" | "normal" | "regular" | "fromposition" => true,
        "chess960" | "freestyle" => true,
        plain => plain.starts_with("fischer"),
    }
}

/// Returns a word for a message, with the numbers of its characters that may look like others or
/// like nothing.
fn shown(word: &str) -> String {
    let numbers = word.chars().filter(|character| {
        !character.is_ascii() && (character.is_alphanumeric() || is_zero_width(*character))
    });
    let numbers: Vec<String> = numbers.map(|c| format!("U+{:04X}", u32::from(c))).collect();
    match numbers.is_empty() {
        true => format!("`{word}`"),
        false => format!("`{word}` (with {})", numbers.join(", ")),
    }
}
