//! Helpers for printing lines.

use std::fmt;

/// A text whose line breaks are printed as spaces, so that a command or reply is always one line
/// and its text cannot inject a second command.
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

/// Writes a field with its value; nothing if there is no value. `name` has a space on either side.
pub(crate) fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    let Some(value) = value else { return Ok(()) };
    f.write_str(name)?;
    // Not `value.fmt(f)`: the formatting options of the caller apply to the whole line.
    write!(f, "{value}")
}

/// Writes a field with its number, by `itoa`: a search prints many numbers, and this takes a third
/// of the instructions of [`write_field`].
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
