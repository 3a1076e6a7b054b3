//! Positions as FEN text, passed on without interpretation.

use std::fmt;
use std::str::FromStr;

use crate::tokens::single_spaced;

/// A position in Forsyth-Edwards Notation. Only the number of fields is checked (4 to 6: the two
/// clocks are optional); the fields are separated by single spaces.
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
        let fields = || text.split(' ').filter(|field| !field.is_empty());
        if fields().any(|field| field == "moves") {
            return Err(FenTextError::Moves);
        }
        match fields().count() {
            4..=6 => Ok(FenText(text)),
            found => Err(FenTextError::Fields { found }),
        }
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
    /// The number of fields is wrong.
    #[error("a FEN has 4 to 6 fields, found {found}")]
    Fields {
        /// The number of fields.
        found: usize,
    },
    /// The FEN contains the word `moves`, which ends a FEN in the protocol.
    #[error("a FEN does not contain the word `moves`")]
    Moves,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted() {
        assert_eq!("".parse::<FenText>(), Err(FenTextError::Fields { found: 0 }));
        assert_eq!("8/8 w -".parse::<FenText>(), Err(FenTextError::Fields { found: 3 }));
        assert_eq!("a b c d e f g".parse::<FenText>(), Err(FenTextError::Fields { found: 7 }));
        assert_eq!("a b c d moves e2e4".parse::<FenText>(), Err(FenTextError::Moves));
        assert_eq!("a b c d e f".parse::<FenText>().unwrap().as_str(), "a b c d e f");
    }
}
