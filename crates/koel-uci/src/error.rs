//! What can be wrong with a line, said so that a person can mend it: what was needed, what stood
//! there instead.

use std::fmt;

use crate::fen_text::FenTextError;
use crate::print::OneLine;

/// What stood in the place of something else: a word, or nothing at all.
///
/// Prints the word in backticks, cut after 60 characters so that no message floods a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found(Option<String>);

impl Found {
    /// The line ended too early.
    pub const NOTHING: Found = Found(None);

    const SHOWN: usize = 60;

    /// This word stood there.
    pub fn word(word: &str) -> Found {
        Found(Some(word.to_owned()))
    }

    /// The word, if there was one.
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
            Some(word) => match word.char_indices().nth(Found::SHOWN) {
                None => write!(f, "`{}`", OneLine(word)),
                Some((cut, _)) => write!(f, "`{}…`", OneLine(&word[..cut])),
            },
        }
    }
}

/// Why a line is not a [`Command`](crate::Command).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line is blank. Only `FromStr` says so; to `Command::parse` a blank line is no mistake.
    #[error("an empty line is no command")]
    Empty,
    /// What follows the command is missing or wrong.
    #[error("{command}: needs {expected}, found {found}")]
    Argument {
        /// The command's first word.
        command: &'static str,
        /// What should have followed.
        expected: &'static str,
        /// What did.
        found: Found,
    },
    /// A field of `go` has a missing or senseless value.
    #[error("go: {field} needs {expected}, found {found}")]
    GoField {
        /// The field's name in the protocol.
        field: &'static str,
        /// What should have followed it.
        expected: &'static str,
        /// What did.
        found: Found,
    },
    /// The FEN after `position fen` is too short or too long.
    #[error("position: {0}")]
    Fen(#[from] FenTextError),
    /// A word in the move list of `position` is not written like a move.
    #[error("position: move {number} should be written like e2e4 or e7e8q, found {found}")]
    Move {
        /// Which move of the list, counted from 1.
        number: usize,
        /// The word in its place.
        found: Found,
    },
}

/// Why a line is not a [`Reply`](crate::Reply).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// `bestmove` without a move, or with something else in its place.
    #[error("bestmove: needs a move such as e2e4, or (none), found {found}")]
    BestMove {
        /// The word in its place.
        found: Found,
    },
    /// An `option` line that declares no sound option.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
}

/// Why something cannot be declared as an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// There is no name.
    #[error("option: needs a name")]
    NoName,
    /// A name, or a variant of a combo, contains a word with a meaning of its own in the protocol,
    /// so that no reader could tell where it ends.
    #[error("option: `{text}` contains the word `{word}`, which has its own meaning there")]
    ReservedWord {
        /// The name or variant.
        text: String,
        /// The word in it.
        word: &'static str,
    },
    /// The type is none of the five.
    #[error("option {name}: type needs check, spin, combo, button or string, found {found}")]
    Type {
        /// The option.
        name: String,
        /// What stood behind `type`.
        found: Found,
    },
    /// A field of the declaration is missing or senseless.
    #[error("option {name}: {field} needs {expected}, found {found}")]
    Field {
        /// The option.
        name: String,
        /// `default`, `min`, `max` or `var`.
        field: &'static str,
        /// What should have followed it.
        expected: &'static str,
        /// What did.
        found: Found,
    },
    /// The default of a spin is not between its ends.
    #[error("option {name}: the default {default} is not from {min} to {max}")]
    DefaultOutOfRange {
        /// The option.
        name: String,
        /// Its default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// The default of a combo is not one of its variants.
    #[error("option {name}: the default `{default}` is not one of its variants")]
    DefaultNotAVariant {
        /// The option.
        name: String,
        /// Its default.
        default: String,
    },
    /// Two options have the same name, but for upper and lower case.
    #[error("option {name}: declared twice")]
    Duplicate {
        /// The option.
        name: String,
    },
}

/// Why a `setoption` does not fit the declared options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option {name}")]
    Unknown {
        /// The name asked for.
        name: Found,
    },
    /// A check that is neither on nor off.
    #[error("option {name}: needs true or false, found {found}")]
    NotABool {
        /// The option.
        name: String,
        /// The value given.
        found: Found,
    },
    /// A spin that is no whole number, or one beyond its ends.
    #[error("option {name}: needs a whole number from {min} to {max}, found {found}")]
    NotInRange {
        /// The option.
        name: String,
        /// The value given.
        found: Found,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A combo that is none of its variants.
    #[error("option {name}: needs one of {}, found {found}", variants.join(", "))]
    NotAVariant {
        /// The option.
        name: String,
        /// The value given.
        found: Found,
        /// The values it can have.
        variants: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_cut_at_a_character() {
        let shown = Found::word(&"é".repeat(5000)).to_string();
        assert_eq!(shown, format!("`{}…`", "é".repeat(60)));
        assert_eq!(Found::NOTHING.to_string(), "nothing");
        assert_eq!(Found::word("a\nquit").to_string(), "`a quit`");
    }
}
