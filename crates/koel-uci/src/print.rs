//! How lines are put together.

use std::fmt;

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

/// Writes a field and its value; nothing when there is no value. The name comes with a space on
/// either side.
pub(crate) fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    let Some(value) = value else { return Ok(()) };
    f.write_str(name)?;
    // Widths and signs that the caller wants are for the whole.
    write!(f, "{value}")
}

/// The same for a whole number, of which a search says many: a third of the instructions.
pub(crate) fn write_number(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl itoa::Integer>,
) -> fmt::Result {
    let Some(value) = value else { return Ok(()) };
    f.write_str(name)?;
    f.write_str(itoa::Buffer::new().format(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_become_spaces() {
        assert_eq!(OneLine("a\nquit\r\nb").to_string(), "a quit  b");
    }
}
