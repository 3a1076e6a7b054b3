//! Movetext in the export format of PGN: move numbers, and lines of at most 79 characters.

use koel_board::Position;

use crate::token::Token;

/// The longest line of the PGN export format.
const WIDTH: usize = 79;

/// A writer of the movetext of a game.
///
/// ```
/// use koel_board::Position;
/// use koel_pgn::MovetextWriter;
///
/// let mut writer = MovetextWriter::new(&Position::start());
/// writer.san("e4");
/// writer.comment(vec!["best".to_owned(), "by".to_owned(), "test".to_owned()]);
/// writer.san("e5");
/// assert_eq!(writer.finish().trim_end(), "1. e4 { best by test } 1... e5");
/// ```
pub struct MovetextWriter {
    words: Vec<Word>,
    /// Plies since White's first move of move number 0.
    half_moves: usize,
    /// The half-move with which the line begins.
    line_start: usize,
    /// The half-moves at which the enclosing lines go on, and with which they begin.
    enclosing: Vec<(usize, usize)>,
    needs_number: bool,
}

/// A piece of text that is not broken into lines.
#[derive(Debug)]
enum Word {
    Plain(String),
    /// The last word of its line.
    Last(String),
    /// A line of its own.
    Line(String),
}

impl MovetextWriter {
    /// Returns a writer for a game that begins with this position.
    #[must_use]
    pub fn new(start: &Position) -> MovetextWriter {
        let number = usize::try_from(start.fullmove_number()).unwrap_or(usize::MAX / 4);
        let half_moves = 2 * number + usize::from(!start.turn().is_white());
        MovetextWriter {
            words: Vec::new(),
            half_moves,
            line_start: half_moves,
            enclosing: Vec::new(),
            needs_number: true,
        }
    }

    /// Returns true outside of variations.
    pub(crate) fn is_main_line(&self) -> bool {
        self.enclosing.is_empty()
    }

    fn push(&mut self, word: impl Into<String>) {
        self.words.push(Word::Plain(word.into()));
    }

    /// Writes a move, with its number where one is due.
    pub fn san(&mut self, san: &str) {
        let number = self.half_moves / 2;
        let is_white = self.half_moves.is_multiple_of(2);
        if is_white {
            self.push(format!("{number}."));
        } else if self.needs_number {
            self.push(format!("{number}..."));
        }
        self.push(san);
        self.half_moves += 1;
        self.needs_number = false;
    }

    pub(crate) fn nag(&mut self, nag: u32) {
        self.push(format!("${nag}"));
    }

    /// Writes a comment of several words, between which a line may break. A `}`, which would end
    /// it, becomes `)`.
    pub fn comment(&mut self, words: Vec<String>) {
        let mut words: Vec<_> = words.iter().map(|word| word.replace('}', ")")).collect();
        if let Some(first) = words.first_mut() {
            first.insert_str(0, "{ ");
        }
        if let Some(last) = words.last_mut() {
            last.push_str(" }");
        }
        self.words.extend(words.into_iter().map(Word::Plain));
        self.needs_number = true;
    }

    /// Writes a token as it was read. The text of a comment is not changed.
    pub fn token(&mut self, token: &Token) {
        match token {
            Token::Move(san) => self.san(san),
            Token::Nag(nag) => self.nag(*nag),
            Token::Comment(text) => {
                self.push(format!("{{{text}}}"));
                self.needs_number = true;
            }
            Token::VariationStart => {
                self.push("(");
                self.enclosing.push((self.half_moves, self.line_start));
                // One before the first move replaces none.
                self.half_moves -= usize::from(self.half_moves > self.line_start);
                self.line_start = self.half_moves;
                self.needs_number = true;
            }
            Token::VariationEnd => {
                self.push(")");
                let around = self.enclosing.pop();
                (self.half_moves, self.line_start) = around.unwrap_or((self.half_moves, 0));
                self.needs_number = true;
            }
            Token::LineComment(text) => {
                self.words.push(Word::Last(format!(";{text}")));
                self.needs_number = true;
            }
            Token::Escape(text) => self.words.push(Word::Line(format!("%{text}"))),
            Token::Result(text) => self.push(*text),
            Token::Glyph(text) | Token::Unknown(text) => self.push(text),
            // Not part of movetext.
            Token::Tag(..) | Token::MalformedTag(_) | Token::Number { .. } | Token::Unclosed(_) => {
            }
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn finish(self) -> String {
        wrap(&self.words)
    }
}

/// Breaks text into lines between words.
fn wrap(words: &[Word]) -> String {
    let mut lines = String::new();
    let mut column = 0;
    let mut must_break = false;
    for word in words {
        let (Word::Plain(text) | Word::Last(text) | Word::Line(text)) = word;
        let first_line = text.lines().next().unwrap_or_default();
        let fits = column + 1 + first_line.chars().count() <= WIDTH;
        if must_break || column > 0 && (!fits || matches!(word, Word::Line(_))) {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(text);
        column = match text.rsplit_once('\n') {
            Some((_, last_line)) => last_line.chars().count(),
            None => column + text.chars().count(),
        };
        must_break = !matches!(word, Word::Plain(_));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_ends_a_comment() {
        let mut writer = MovetextWriter::new(&Position::start());
        writer.comment(vec!["a}".to_owned(), "}b".to_owned()]);
        assert_eq!(wrap(&writer.words), "{ a) )b }");
    }

    #[test]
    fn lines_break_between_words() {
        let plain = |text: &str| Word::Plain(text.to_owned());
        let words = [plain(&"a".repeat(70)), plain(&"b".repeat(8)), plain("c"), plain("d\ne")];
        let text = wrap(&words);
        assert_eq!(text, format!("{} {}\nc d\ne", "a".repeat(70), "b".repeat(8)));
        let words = [plain("a"), Word::Line("%b".to_owned()), Word::Last(";c".to_owned())];
        assert_eq!(wrap(&words), "a\n%b\n;c");
        let words =
            [Word::Line("%a".to_owned()), plain("b"), Word::Last(";c".to_owned()), plain("d")];
        assert_eq!(wrap(&words), "%a\nb ;c\nd");
    }
}
