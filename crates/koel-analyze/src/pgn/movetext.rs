//! Movetext in the export format of PGN: move numbers, and lines of at most 79 characters.

use koel_board::Position;

use super::token::Token;

/// The longest line of the PGN export format.
const WIDTH: usize = 79;

/// A writer of the movetext of a game.
pub(crate) struct MovetextWriter {
    /// Pieces of text that are not broken into lines.
    words: Vec<String>,
    /// Plies since White's first move of move number 0.
    half_moves: usize,
    /// The half-moves at which the enclosing variations branch off.
    enclosing: Vec<usize>,
    needs_number: bool,
}

impl MovetextWriter {
    pub(crate) fn new(start: &Position) -> MovetextWriter {
        let number = usize::try_from(start.fullmove_number()).unwrap_or(usize::MAX / 4);
        MovetextWriter {
            words: Vec::new(),
            half_moves: 2 * number + usize::from(!start.turn().is_white()),
            enclosing: Vec::new(),
            needs_number: true,
        }
    }

    /// Returns true outside of variations.
    pub(crate) fn is_main_line(&self) -> bool {
        self.enclosing.is_empty()
    }

    /// Writes a move, with its number where one is due.
    pub(crate) fn san(&mut self, san: &str) {
        let number = self.half_moves / 2;
        let is_white = self.half_moves.is_multiple_of(2);
        if is_white {
            self.words.push(format!("{number}."));
        } else if self.needs_number {
            self.words.push(format!("{number}..."));
        }
        self.words.push(san.to_owned());
        self.half_moves += 1;
        self.needs_number = false;
    }

    pub(crate) fn nag(&mut self, nag: u32) {
        self.words.push(format!("${nag}"));
    }

    /// Writes a comment of several words, between which a line may break.
    pub(crate) fn comment(&mut self, mut words: Vec<String>) {
        if let Some(first) = words.first_mut() {
            first.insert_str(0, "{ ");
        }
        if let Some(last) = words.last_mut() {
            last.push_str(" }");
        }
        self.words.extend(words);
        self.needs_number = true;
    }

    /// Writes a token as it was read. The text of a comment is not changed.
    pub(crate) fn token(&mut self, token: &Token) {
        match token {
            Token::San(san) => self.san(san),
            Token::Nag(nag) => self.nag(*nag),
            Token::Comment(text) => {
                self.words.push(format!("{{{text}}}"));
                self.needs_number = true;
            }
            Token::VariationStart => {
                self.words.push("(".to_owned());
                self.enclosing.push(self.half_moves);
                self.half_moves = self.half_moves.saturating_sub(1);
                self.needs_number = true;
            }
            Token::VariationEnd => {
                self.words.push(")".to_owned());
                self.half_moves = self.enclosing.pop().unwrap_or(self.half_moves);
                self.needs_number = true;
            }
            Token::Result(text) => self.words.push((*text).to_owned()),
            Token::Symbol(text) => self.words.push(text.clone()),
            // Not part of movetext that was read without error.
            Token::Tag(..) | Token::Unclosed(_) => {}
        }
    }

    /// Returns the text with the result at its end.
    pub(crate) fn finish(mut self, result: &str) -> String {
        self.words.push(result.to_owned());
        wrap(&self.words)
    }
}

/// Breaks text into lines between words.
fn wrap(words: &[String]) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in words {
        let first_line = word.lines().next().unwrap_or_default();
        if column > 0 {
            let fits = column + 1 + first_line.chars().count() <= WIDTH;
            lines.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        lines.push_str(word);
        column = match word.rsplit_once('\n') {
            Some((_, last_line)) => last_line.chars().count(),
            None => column + word.chars().count(),
        };
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let words = ["a".repeat(70), "b".repeat(8), "c".to_owned(), "d\ne".to_owned()];
        let text = wrap(&words);
        assert_eq!(text, format!("{} {}\nc d\ne", words[0], words[1]));
    }
}
