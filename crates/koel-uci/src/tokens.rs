//! A line cut into words, from the left, without copying it.

use crate::print::OneLine;

/// What is left of a line. As an iterator it gives the words between runs of ASCII whitespace.
///
/// Every step costs the length of the word it takes, so a line of any length is read in one pass.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// A shell that pipes a file may put a byte order mark in front of the first line.
    pub(crate) fn new(line: &'a str) -> Tokens<'a> {
        Tokens { rest: line.trim_start_matches(|c: char| c == BYTE_ORDER_MARK || is_space(c)) }
    }

    /// The next word, left where it is.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes the next word if `read` understands it; leaves it for others if not.
    pub(crate) fn accept<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let value = read(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }

    /// Takes words for as long as `read` understands them.
    pub(crate) fn accept_all<T>(&mut self, read: impl Fn(&'a str) -> Option<T>) -> Vec<T> {
        std::iter::from_fn(|| self.accept(&read)).collect()
    }

    /// Takes the words before `stop`, and `stop` itself, joined by single spaces. The bool says
    /// whether `stop` was there.
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

    /// How many words of so many bytes or more there can be.
    pub(crate) fn most_words_of(&self, bytes: usize) -> usize {
        (self.rest.len() + 1) / (bytes + 1)
    }

    /// The rest as it stands, without the whitespace around it.
    pub(crate) fn text(&self) -> String {
        OneLine(self.rest.trim_ascii()).to_string()
    }

    /// The rest as it stands, without the one separator in front and the line end behind.
    pub(crate) fn verbatim(&self) -> String {
        let rest = self.rest.strip_prefix(is_space).unwrap_or(self.rest);
        OneLine(rest.trim_end_matches(['\r', '\n'])).to_string()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.rest.trim_ascii_start();
        // A space is one byte, and no byte of another character.
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

/// Adds a word to a phrase whose words stand one space apart.
pub(crate) fn push_word(phrase: &mut String, word: &str) {
    if !phrase.is_empty() {
        phrase.push(' ');
    }
    phrase.push_str(word);
}

/// The words of a text, one space apart.
pub(crate) fn single_spaced(text: &str) -> String {
    Tokens { rest: text }.fold(String::new(), |mut phrase, word| {
        push_word(&mut phrase, word);
        phrase
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_any_whitespace() {
        let words: Vec<_> = Tokens::new("\u{feff} go\t depth  7 \r\n").collect();
        assert_eq!(words, ["go", "depth", "7"]);
        assert_eq!(Tokens::new(" \t\r\n").next(), None);
    }

    #[test]
    fn a_word_that_is_not_understood_stays() {
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
    fn words_end_up_one_space_apart() {
        assert_eq!(single_spaced(" a \n b\tc "), "a b c");
    }
}
