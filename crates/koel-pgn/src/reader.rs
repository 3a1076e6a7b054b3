//! The games of a PGN file, one after the other.
//!
//! A game is its tags and its movetext. It ends with its result and the comments on it, or before
//! the tags of another game. Comments belong to the game before them unless an empty line comes
//! between, and then to the game after them.

use std::io::{self, BufRead};

use koel_board::{Game, Position};

use crate::token::{Token, Tokens, result};
use crate::written_move::WrittenMove;
use crate::{FaultyGame, PgnGame, Tags};

/// Values of the tag `Variant` that name chess, in lower case and without blanks and hyphens.
const CHESS: [&str; 10] = [
    "standard",
    "chess",
    "normal",
    "regular",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "freestyle",
];

/// A part of a PGN file. All parts together hold all of its text.
#[derive(Debug)]
pub enum PgnEntry {
    /// A game.
    Game(Box<PgnGame>),
    /// A game that cannot be read.
    Faulty(FaultyGame),
    /// Text that belongs to no game: comments after the last one.
    Text(String),
}

/// An iterator over the games of a PGN file, with one game in memory. A game of more than 64 MiB is
/// an error.
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
        let mut draft = Draft::default();
        let mut first_line = None;
        let end = loop {
            let Some((start, is_after_empty_line)) = self.tokens.skip_blanks()? else {
                break self.tokens.offset();
            };
            let line = self.tokens.line(start);
            first_line.get_or_insert(line);
            let token = self.tokens.next()?;
            if draft.ends_before(&token, is_after_empty_line) {
                break draft.give_comments(is_after_empty_line).unwrap_or(start);
            }
            draft.note_comments(&token, start, is_after_empty_line);
            draft.add(token, line, self.tokens.offset());
            if draft.result.is_some() {
                break self.read_comments_on_result(&mut draft)?;
            }
        };
        let text = self.tokens.take_text(end);
        Ok(draft.finish(&text, first_line.unwrap_or(1)))
    }

    /// Reads the comments directly after a result. Returns the offset of their end.
    fn read_comments_on_result(&mut self, draft: &mut Draft) -> io::Result<usize> {
        loop {
            let end = self.tokens.offset();
            let Some((_, false)) = self.tokens.skip_blanks()? else { return Ok(end) };
            match self.tokens.next()? {
                comment if comment.is_comment() => draft.trailer.push(comment),
                _ => return Ok(end),
            }
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = io::Result<PgnEntry>;

    fn next(&mut self) -> Option<io::Result<PgnEntry>> {
        self.read().transpose()
    }
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    tags: Tags,
    /// The end of the last tag in the text.
    header_end: usize,
    movetext: Vec<Token>,
    /// True after the first token of the movetext that is no comment.
    has_movetext: bool,
    /// True after a word that is not PGN.
    has_unknown: bool,
    /// The main line; `None` before its first move.
    game: Option<Game>,
    /// True after a null move in the main line.
    ends_at_null_move: bool,
    /// The lines on which the enclosing variations begin.
    variations: Vec<usize>,
    /// The offset and the index in the movetext of comments after an empty line, behind which
    /// nothing else has come.
    comments: Option<(usize, usize)>,
    result: Option<&'static str>,
    /// The comments directly after the result.
    trailer: Vec<Token>,
    /// The first fault and its line.
    fault: Option<(usize, String)>,
}

impl Draft {
    /// Returns true if a token begins another game.
    fn ends_before(&self, token: &Token, is_after_empty_line: bool) -> bool {
        match token {
            // Text before the first tag that is no comment is no part of the game either.
            Token::Tag(..) if self.has_movetext || self.tags.0.is_empty() && self.has_unknown => {
                true
            }
            Token::Tag(name, _) => {
                let is_first = name.eq_ignore_ascii_case("Event");
                let is_known = self.tags.has(name);
                let may_be_first = is_first && !self.tags.0.is_empty();
                is_known && is_first || is_after_empty_line && (is_known || may_be_first)
            }
            Token::Number { is_first: true } => {
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

    /// Adds a token that stands on this line and ends at this offset.
    fn add(&mut self, token: Token, line: usize, end: usize) {
        self.has_movetext |= !(token.is_comment()
            || matches!(token, Token::Tag(..) | Token::Unknown(_) | Token::Unclosed(_)));
        match &token {
            Token::Tag(..) | Token::Number { .. } => {}
            Token::Unknown(word) => {
                self.has_unknown = true;
                self.fail(
                    line,
                    format!("`{word}` is not a move, number, glyph, comment or result"),
                );
            }
            Token::Unclosed(element) => self.fail(line, format!("a {element} is not closed")),
            Token::VariationStart => self.variations.push(line),
            Token::VariationEnd if self.variations.pop().is_none() => {
                self.fail(line, "a variation ends that did not begin".to_owned());
            }
            Token::Move(word) if self.variations.is_empty() => self.play(word, line),
            Token::Result(result) if self.variations.is_empty() => self.result = Some(result),
            _ => {}
        }
        match token {
            Token::Tag(name, value) => {
                self.tags.0.push((name, value));
                // Comments before it are part of the header.
                self.movetext.clear();
                self.header_end = end;
            }
            Token::Number { .. } => {}
            Token::Result(_) if self.result.is_some() => {}
            token => self.movetext.push(token),
        }
    }

    fn fail(&mut self, line: usize, error: String) {
        self.fault.get_or_insert((line, error));
    }

    /// Plays a move of the main line.
    fn play(&mut self, word: &str, line: usize) {
        self.start(line);
        let Some(game) = self.game.as_mut().filter(|_| self.fault.is_none()) else { return };
        // Text that is not a move is no token of a move.
        let Some(written) = WrittenMove::parse(word).filter(|_| !self.ends_at_null_move) else {
            return;
        };
        if written == WrittenMove::Null {
            self.ends_at_null_move = true;
            return;
        }
        let found = written.find(game.position());
        if let Err(fault) = found.and_then(|m| game.play(m).map_err(|_| "not a legal move")) {
            let error = format!("`{word}` is {fault} in {}", game.position());
            self.fail(line, error);
        }
    }

    /// Sets up the position before the first move.
    fn start(&mut self, line: usize) {
        if self.game.is_some() || self.fault.is_some() {
            return;
        }
        if let Some(variant) = self.tags.value("Variant") {
            let plain = variant.to_lowercase().replace([' ', '-'], "");
            if !CHESS.contains(&plain.as_str()) {
                return self.fail(line, format!("the variant `{variant}` is not chess"));
            }
        }
        match self.tags.value("FEN").map_or_else(|| Ok(Position::start()), Position::from_fen) {
            Ok(start) => self.game = Some(Game::new(start)),
            Err(error) => self.fail(line, format!("tag FEN: {error}")),
        }
    }

    /// Returns what was read: this text, which begins on this line.
    fn finish(mut self, text: &str, line: usize) -> Option<PgnEntry> {
        let has_moves = self.movetext.iter().any(|token| matches!(token, Token::Move(_)));
        if self.tags.0.is_empty() && !has_moves && self.fault.is_none() {
            let text = text.trim();
            return (!text.is_empty()).then(|| PgnEntry::Text(text.to_owned()));
        }
        self.start(line);
        if let Some(&line) = self.variations.first() {
            self.fail(line, "a variation does not end".to_owned());
        }
        let Draft { tags, movetext, trailer, ends_at_null_move, .. } = self;
        let header = text[..self.header_end].trim().to_owned();
        let in_tags = tags.value("Result").and_then(|value| Some(result(value)?.1));
        let result = self.result.or(in_tags).unwrap_or("*");
        Some(match (self.game, self.fault) {
            (Some(game), None) => PgnEntry::Game(Box::new(PgnGame {
                line,
                header,
                tags,
                game,
                movetext,
                result,
                trailer,
                ends_at_null_move,
            })),
            (_, fault) => {
                let (line, error) = fault.unwrap_or_default();
                PgnEntry::Faulty(FaultyGame { tags, text: text.trim().to_owned(), line, error })
            }
        })
    }
}
