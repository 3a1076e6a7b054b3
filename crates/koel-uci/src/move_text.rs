//! Moves in the coordinate notation of the protocol.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;

/// A move in the coordinate notation of the protocol: `e2e4`, `e7e8q`, `e1h1` (castling in
/// Chess960), or `0000`, the null move. Only the syntax is checked, not the legality. The letter of
/// a promotion is stored in lower case.
///
/// ```
/// use koel_uci::MoveText;
///
/// let promotion: MoveText = "e7e8Q".parse()?;
/// assert_eq!(promotion.as_str(), "e7e8q");
/// assert!("O-O".parse::<MoveText>().is_err());
/// # Ok::<(), koel_uci::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    /// ASCII characters; the fifth byte is zero without a promotion.
    bytes: [u8; 5],
}

impl MoveText {
    /// The null move, `0000`.
    pub const NULL: MoveText = MoveText { bytes: *b"0000\0" };

    /// Returns the move as text of four or five characters.
    pub fn as_str(&self) -> &str {
        let length = if self.bytes[4] == 0 { 4 } else { 5 };
        str::from_utf8(&self.bytes[..length]).expect("a move consists of ASCII characters")
    }

    /// Creates a move from the indices of two squares (0 is `a1`, 7 is `h1`, 63 is `h8`) and the
    /// letter of a promotion. Returns `None` for an invalid square or letter.
    ///
    /// ```
    /// use koel_uci::MoveText;
    ///
    /// assert_eq!(MoveText::between(12, 28, None), Some("e2e4".parse()?));
    /// assert_eq!(MoveText::between(52, 60, Some('q')), Some("e7e8q".parse()?));
    /// assert_eq!(MoveText::between(12, 64, None), None);
    /// # Ok::<(), koel_uci::ParseError>(())
    /// ```
    pub fn between(from: u8, to: u8, promotion: Option<char>) -> Option<MoveText> {
        let promotion = match promotion {
            None => 0,
            Some(letter) if letter.is_ascii_alphabetic() => letter.to_ascii_lowercase() as u8,
            Some(_) => return None,
        };
        let [file, rank] = [|square| b'a' + square % 8, |square| b'1' + square / 8];
        let bytes = [file(from), rank(from), file(to), rank(to), promotion];
        (from < 64 && to < 64).then_some(MoveText { bytes })
    }

    pub(crate) fn read(word: &str) -> Option<MoveText> {
        if word == "0000" {
            return Some(MoveText::NULL);
        }
        let (&squares, promotion) = word.as_bytes().split_first_chunk::<4>()?;
        let [from_file, from_rank, to_file, to_rank] = squares;
        let promotion = match promotion {
            [] => 0,
            [letter] if letter.is_ascii_alphabetic() => letter.to_ascii_lowercase(),
            _ => return None,
        };
        (is_square(from_file, from_rank) && is_square(to_file, to_rank))
            .then_some(MoveText { bytes: [from_file, from_rank, to_file, to_rank, promotion] })
    }
}

fn is_square(file: u8, rank: u8) -> bool {
    (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank)
}

impl FromStr for MoveText {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<MoveText, ParseError> {
        MoveText::read(text).ok_or_else(|| ParseError::Move(text.to_owned()))
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Writes a field with its moves, each after a space; nothing if there are none. `name` starts with
/// a space.
pub(crate) fn write_moves(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    moves: &[MoveText],
) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    f.write_str(name)?;
    moves.iter().try_for_each(|played| {
        f.write_str(" ")?;
        f.write_str(played.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_checked() {
        for text in ["e2e4", "a1h8", "e7e8n", "0000", "e1h1"] {
            assert_eq!(MoveText::read(text).unwrap().as_str(), text);
        }
        for text in ["", "e2", "e2e9", "i2e4", "e2e4qq", "e2e4é", "é2e4", "(none)", "000", "e7e81"]
        {
            assert_eq!(MoveText::read(text), None, "{text}");
        }
    }
}
