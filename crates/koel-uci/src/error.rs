//! The errors of parsing. Their messages state what was expected and what was found.

use crate::print::OneLine;

/// The error for a command with a missing or wrong argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{command}: {problem}")]
pub struct CommandError {
    /// The name of the command.
    pub command: &'static str,
    /// The argument expected and the text found.
    pub problem: String,
}

impl CommandError {
    /// Names an argument and the word found in its place, if there is one.
    pub(crate) fn needs(
        command: &'static str,
        expected: &str,
        found: Option<&str>,
    ) -> CommandError {
        CommandError { command, problem: format!("needs {expected}, found {}", quoted(found)) }
    }
}

/// The error for a move, a reply, the declaration of an option or the value of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(pub(crate) String);

/// The number of characters to which the text from outside is truncated in a message.
const MAX_QUOTED: usize = 60;

/// Returns the text found in the place of something else in backticks; `nothing` if there is none.
pub(crate) fn quoted(word: Option<&str>) -> String {
    let Some(word) = word.filter(|word| !word.is_empty()) else { return "nothing".to_owned() };
    match word.char_indices().nth(MAX_QUOTED) {
        None => format!("`{}`", OneLine(word)),
        Some((cut, _)) => format!("`{}…`", OneLine(&word[..cut])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_truncated_at_a_character() {
        assert_eq!(quoted(Some(&"é".repeat(5000))), format!("`{}…`", "é".repeat(60)));
        assert_eq!(quoted(None), "nothing");
        assert_eq!(quoted(Some("a\nquit")), "`a quit`");
    }
}
