//! How lines are put together.

use std::fmt;

use crate::move_text::MoveText;

/// Prints a text with spaces for its line breaks: whatever a caller puts into a command or a
/// reply, it stays one line, and nobody smuggles in a second command.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.split(['\r', '\n']).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Writes a field and its value, each after a space; nothing when there is no value.
pub(crate) fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

/// Writes a field and its moves, each after a space; nothing when there are none.
pub(crate) fn write_moves(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    moves: &[MoveText],
) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {name}")?;
    moves.iter().try_for_each(|played| write!(f, " {played}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_become_spaces() {
        assert_eq!(OneLine("a\nquit\r\nb").to_string(), "a quit  b");
    }
}
