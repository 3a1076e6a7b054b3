//! The errors of parsing. Their messages state what was expected and what was found.

use crate::print::OneLine;

/// The error for a line, or a part of one, that is not valid. What was found is `None` at the end
/// of the line; in the message it is truncated to 60 characters.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The line is blank. Returned by `FromStr` only; `Command::parse` accepts a blank line.
    #[error("the line is empty")]
    Empty,
    /// An argument of a command or a reply is missing or wrong.
    #[error("{command}: {}needs {expected}, found {}", spaced(.field), quoted(.found))]
    Argument {
        /// The name of the command or reply.
        command: &'static str,
        /// The name of the field in the protocol, if the argument has one.
        field: Option<&'static str>,
        /// The argument expected.
        expected: &'static str,
        /// The text found.
        found: Option<String>,
    },
    /// Words that `go` does not have.
    #[error("go: ignored {}", quote(.0))]
    Ignored(String),
    /// A word in the move list of `position` is not a move.
    #[error(
        "position: move {number} should be written like e2e4 or e7e8q, found {}",
        quote(.found)
    )]
    PlayedMove {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The text found.
        found: String,
    },
    /// A text is not a move.
    #[error("a move is written like e2e4, e7e8q or 0000, found {}", quote(.0))]
    Move(String),
    /// The declaration of an option has no name.
    #[error("option: needs a name")]
    NoName,
    /// A name or a variant of an option contains a reserved word of the protocol, so that a parser
    /// could not tell where it ends.
    #[error("option: `{text}` contains the word `{word}`, which is reserved by the protocol")]
    ReservedWord {
        /// The name or variant.
        text: String,
        /// The reserved word.
        word: &'static str,
    },
    /// The value of an option, or a field of its declaration, is missing or wrong.
    #[error("option {name}: {}needs {expected}, found {}", spaced(.field), quoted(.found))]
    Option {
        /// The name of the option.
        name: String,
        /// `type`, `default`, `min` or `max` of the declaration; `None` for the value of a
        /// `setoption`.
        field: Option<&'static str>,
        /// The value expected.
        expected: String,
        /// The text found.
        found: Option<String>,
    },
    /// Two options have this name, regardless of case.
    #[error("option {0}: declared twice")]
    DuplicateOption(String),
    /// No option has this name.
    #[error("there is no option {}", quote(.0))]
    UnknownOption(String),
}

impl ParseError {
    pub(crate) fn argument(
        command: &'static str,
        expected: &'static str,
        found: Option<&str>,
    ) -> ParseError {
        ParseError::Argument { command, field: None, expected, found: found.map(str::to_owned) }
    }

    /// Returns true if the line was `position`: the position before it is not the one to search.
    pub fn is_of_position(&self) -> bool {
        let is_argument = matches!(self, ParseError::Argument { command: "position", .. });
        is_argument || matches!(self, ParseError::PlayedMove { .. })
    }
}

/// The number of characters to which a text from outside is truncated in a message.
const MAX_QUOTED: usize = 60;

fn quoted(found: &Option<String>) -> String {
    found.as_deref().map_or_else(|| "nothing".to_owned(), quote)
}

fn quote(word: &str) -> String {
    match word.char_indices().nth(MAX_QUOTED) {
        None => format!("`{}`", OneLine(word)),
        Some((cut, _)) => format!("`{}…`", OneLine(&word[..cut])),
    }
}

fn spaced(field: &Option<&str>) -> String {
    field.map(|field| format!("{field} ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_truncated_at_a_character() {
        assert_eq!(quote(&"é".repeat(5000)), format!("`{}…`", "é".repeat(60)));
        assert_eq!(quoted(&None), "nothing");
        assert_eq!(quote("a\nquit"), "`a quit`");
    }
}
