//! Positions as FEN text, passed on without interpretation.

use std::fmt;
use std::str::FromStr;

use crate::tokens::single_spaced;

/// A position in Forsyth-Edwards Notation: words separated by single spaces. How many there must be
/// is for the reader to say: clocks and more are missing in the FENs of some programs.
///
/// ```
/// use koel_uci::FenText;
///
/// let fen: FenText = "8/8/8/8/8/4k3/4p3/4K3  w -  -".parse()?;
/// assert_eq!(fen.as_str(), "8/8/8/8/8/4k3/4p3/4K3 w - -");
/// # Ok::<(), koel_uci::FenTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FenText(String);

impl FenText {
    /// Returns the text, for a FEN parser.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FenText {
    type Err = FenTextError;

    fn from_str(text: &str) -> Result<FenText, FenTextError> {
        let text = single_spaced(text);
        if text.split(' ').any(|field| field == "moves") {
            return Err(FenTextError::Moves);
        }
        if text.is_empty() { Err(FenTextError::Empty) } else { Ok(FenText(text)) }
    }
}

impl fmt::Display for FenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error for text that is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenTextError {
    /// There is no text.
    #[error("needs the fields of a FEN, found nothing")]
    Empty,
    /// The FEN contains the word `moves`, which ends a FEN in the protocol.
    #[error("a FEN does not contain the word `moves`")]
    Moves,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_and_not_judged() {
        assert_eq!(" ".parse::<FenText>(), Err(FenTextError::Empty));
        assert_eq!("a b c d moves e2e4".parse::<FenText>(), Err(FenTextError::Moves));
        assert_eq!(" 8/8  w\t-".parse::<FenText>().unwrap().as_str(), "8/8 w -");
        assert_eq!("a b c d e f g".parse::<FenText>().unwrap().as_str(), "a b c d e f g");
    }
}
