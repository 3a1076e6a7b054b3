//! The tokeniser: splits a line into words without copying.

use crate::print::OneLine;

/// The rest of a line, an iterator over words separated by ASCII whitespace.
///
/// Each step takes time linear in its word, so a line of any length is parsed in linear time.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// Starts at the first word, after a byte order mark, which some shells write before piped
    /// text.
    pub(crate) fn new(line: &'a str) -> Tokens<'a> {
        Tokens { rest: line.trim_start_matches(|c: char| c == BYTE_ORDER_MARK || is_space(c)) }
    }

    /// Returns the next word without consuming it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Consumes the next word if `read` accepts it.
    pub(crate) fn accept<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let value = read(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }

    /// Consumes words as long as `read` accepts them.
    pub(crate) fn accept_all<T>(&mut self, read: impl Fn(&'a str) -> Option<T>) -> Vec<T> {
        std::iter::from_fn(|| self.accept(&read)).collect()
    }

    /// Consumes the words up to and including `stop`. Returns those before it, joined by single
    /// spaces, and true if `stop` was found.
    pub(crate) fn phrase_until(&mut self, stop: &str) -> (String, bool) {
        let mut phrase = String::new();
        for word in self {
            if word == stop {
                return (phrase, true);
            }
            push_word(&mut phrase, word);
        }
        (phrase, false)
    }

    /// Returns the rest, unchanged but for surrounding whitespace.
    pub(crate) fn text(&self) -> String {
        OneLine(self.rest.trim_ascii()).to_string()
    }

    /// Returns the rest, unchanged but for one leading separator and the line end.
    pub(crate) fn verbatim(&self) -> String {
        let rest = self.rest.strip_prefix(is_space).unwrap_or(self.rest);
        OneLine(rest.trim_end_matches(['\r', '\n'])).to_string()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.trim_ascii_start();
        // ASCII whitespace is never part of a multi-byte character.
        let end = start.bytes().position(|byte| byte.is_ascii_whitespace());
        let end = end.unwrap_or(start.len());
        let (word, rest) = start.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// Appends a word to a phrase, separated by a space.
pub(crate) fn push_word(phrase: &mut String, word: &str) {
    if !phrase.is_empty() {
        phrase.push(' ');
    }
    phrase.push_str(word);
}

/// Replaces runs of whitespace by single spaces.
pub(crate) fn single_spaced(text: &str) -> String {
    Tokens { rest: text }.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_any_whitespace() {
        let words: Vec<_> = Tokens::new("\u{feff} go\t depth  7 \r\n").collect();
        assert_eq!(words, ["go", "depth", "7"]);
        assert_eq!(Tokens::new(" \t\r\n").next(), None);
    }

    #[test]
    fn a_rejected_word_is_not_consumed() {
        let mut tokens = Tokens::new("1 2 x 3");
        let digits = tokens.accept_all(|word| word.parse::<u8>().ok());
        assert_eq!(digits, [1, 2]);
        assert_eq!(tokens.peek(), Some("x"));
        assert_eq!(tokens.text(), "x 3");
    }

    #[test]
    fn the_rest_keeps_its_inner_spaces() {
        let mut tokens = Tokens::new("string   a  b \r\n");
        tokens.next();
        assert_eq!(tokens.verbatim(), "  a  b ");
        assert_eq!(tokens.text(), "a  b");
    }

    #[test]
    fn a_phrase_ends_at_its_stop_word() {
        let mut tokens = Tokens::new("Move   Overhead value 5");
        assert_eq!(tokens.phrase_until("value"), ("Move Overhead".to_owned(), true));
        assert_eq!(tokens.phrase_until("value"), ("5".to_owned(), false));
    }

    #[test]
    fn whitespace_becomes_single_spaces() {
        assert_eq!(single_spaced(" a \n b\tc "), "a b c");
    }
}
