//! The errors of parsing. Their messages state what was expected and what was found.

use std::fmt;

use crate::print::OneLine;

/// The text found in the place of something else: a word, or the end of the line.
///
/// It is printed in backticks, truncated to 60 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found(Option<String>);

impl Found {
    /// The end of the line.
    pub const NOTHING: Found = Found(None);

    const MAX_LENGTH: usize = 60;

    /// Creates the value for a word.
    pub fn word(word: &str) -> Found {
        Found(Some(word.to_owned()))
    }

    /// Returns the word, if any.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl From<Option<&str>> for Found {
    fn from(word: Option<&str>) -> Found {
        Found(word.map(str::to_owned))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            None => f.write_str("nothing"),
            Some(word) => match word.char_indices().nth(Found::MAX_LENGTH) {
                None => write!(f, "`{}`", OneLine(word)),
                Some((cut, _)) => write!(f, "`{}…`", OneLine(&word[..cut])),
            },
        }
    }
}

/// The error for a line that is not a valid [`Command`](crate::Command).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line is blank. Returned by `FromStr` only; `Command::parse` accepts a blank line.
    #[error("the line is empty")]
    Empty,
    /// An argument of the command is missing or wrong.
    #[error("{command}: needs {expected}, found {found}")]
    Argument {
        /// The name of the command.
        command: &'static str,
        /// The argument expected.
        expected: &'static str,
        /// The text found.
        found: Found,
    },
    /// A word in the move list of `position` is not a move.
    #[error("position: move {number} should be written like e2e4 or e7e8q, found {found}")]
    Move {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The text found.
        found: Found,
    },
}

impl CommandError {
    /// Returns true if the command was `position`: the position before it is not the one to search.
    pub fn is_of_position(&self) -> bool {
        match self {
            CommandError::Argument { command, .. } => *command == "position",
            CommandError::Move { .. } => true,
            CommandError::Empty => false,
        }
    }
}

/// The error for a part of `go` that was passed over: [`Go::errors`](crate::Go::errors).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoError {
    /// The value of a field is missing or invalid.
    #[error("go: {field} needs {expected}, found {found}")]
    Value {
        /// The name of the field in the protocol.
        field: &'static str,
        /// The value expected.
        expected: &'static str,
        /// The text found.
        found: Found,
    },
    /// Words that the command does not have.
    #[error("go: ignored {words}")]
    Unknown {
        /// The words, separated by spaces.
        words: Found,
    },
}

/// The error for a line that is not a valid [`Reply`](crate::Reply).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// `bestmove` without a valid move.
    #[error("bestmove: needs a move such as e2e4, or (none), found {found}")]
    BestMove {
        /// The text found.
        found: Found,
    },
    /// An `option` line with an invalid declaration.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
}

/// The error for an invalid option declaration.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// The name is missing.
    #[error("option: needs a name")]
    NoName,
    /// A name or a variant contains a reserved word of the protocol, so that a parser could not
    /// tell where it ends.
    #[error("option: `{text}` contains the word `{word}`, which is reserved by the protocol")]
    ReservedWord {
        /// The name or variant.
        text: String,
        /// The reserved word.
        word: &'static str,
    },
    /// A part of the declaration is missing or invalid.
    #[error("option {name}: {field} needs {expected}, found {found}")]
    Field {
        /// The name of the option.
        name: String,
        /// `type`, `default`, `min`, `max` or `var`.
        field: &'static str,
        /// The value expected.
        expected: String,
        /// The text found.
        found: Found,
    },
    /// Two options have the same name, regardless of case.
    #[error("option {name}: declared twice")]
    Duplicate {
        /// The name of the option.
        name: String,
    },
}

/// The error for a `setoption` that does not fit the declared options.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option {name}")]
    Unknown {
        /// The name given.
        name: Found,
    },
    /// The value is not one that the option allows.
    #[error("option {name}: needs {expected}, found {found}")]
    Value {
        /// The name of the option.
        name: String,
        /// The values allowed.
        expected: String,
        /// The value given.
        found: Found,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_truncated_at_a_character() {
        let shown = Found::word(&"é".repeat(5000)).to_string();
        assert_eq!(shown, format!("`{}…`", "é".repeat(60)));
        assert_eq!(Found::NOTHING.to_string(), "nothing");
        assert_eq!(Found::word("a\nquit").to_string(), "`a quit`");
    }
}
