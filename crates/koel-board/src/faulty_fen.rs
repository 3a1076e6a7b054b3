//! Parsing of FENs with the faults that other programs make.

use crate::fen_error::FenError;
use crate::position::Position;

/// The fields of a FEN that lacks them, in their order; there is none for the placement.
const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];

/// The number of letters of a field of castling rights that are looked at one by one.
const MAX_CASTLING_LETTERS: usize = 16;

impl Position {
    /// Parses a FEN as [`Position::from_fen`] does, but passes over faults whose mending does not
    /// depend on taste:
    ///
    /// - missing fields are `w - - 0 1`, and what follows the sixth field is ignored;
    /// - a castling right is dropped if its king or rook is not in place, if it is given twice, or
    ///   if its letter means nothing;
    /// - an en-passant field that is not a square is `-` (a square on which no capture is legal is
    ///   no fault: `from_fen` drops it);
    /// - a clock that is not a whole number from 0 to 9999 is `0`, the move number `1`.
    ///
    /// Returns the faults as the errors of `from_fen`.
    ///
    /// # Errors
    /// If the placement is malformed or illegal, or the side to move is neither `w` nor `b`: no
    /// rule says which position was meant.
    ///
    /// # Examples
    /// ```
    /// use koel_board::Position;
    ///
    /// let (position, faults) = Position::from_faulty_fen("4k3/8/8/8/8/8/8/4K2R w KQkq")?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(faults.len(), 4); // three castling rights and the missing field
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    pub fn from_faulty_fen(fen: &str) -> Result<(Position, Vec<FenError>), FenError> {
        let mut fields: Vec<String> = fen.split_ascii_whitespace().map(str::to_owned).collect();
        let mut faults = Vec::new();
        loop {
            let fault = match Position::from_fen(&fields.join(" ")) {
                Ok(position) => return Ok((position, faults)),
                Err(fault) => fault,
            };
            match &fault {
                FenError::Missing(_) if !fields.is_empty() => {
                    fields.push(DEFAULTS[fields.len()].to_owned());
                }
                FenError::TooManyFields(_) => fields.truncate(DEFAULTS.len()),
                FenError::CastlingLetter(letter)
                | FenError::ImpossibleCastling(letter)
                | FenError::CastlingTwice(letter) => drop_right(&mut fields[2], *letter),
                FenError::EnPassantSquare(_) => fields[3] = DEFAULTS[3].to_owned(),
                FenError::Clock { field: "halfmove clock", .. } => {
                    fields[4] = DEFAULTS[4].to_owned();
                }
                FenError::Clock { .. } => fields[5] = DEFAULTS[5].to_owned(),
                _ => return Err(fault),
            }
            faults.push(fault);
        }
    }
}

/// Drops the last of these letters, which is the faulty one if there are two. A long text is no
/// list of rights at all.
fn drop_right(rights: &mut String, letter: char) {
    let place = rights.rfind(letter).filter(|_| rights.len() <= MAX_CASTLING_LETTERS);
    match place {
        Some(place) => drop(rights.remove(place)),
        None => rights.clear(),
    }
    if rights.is_empty() {
        rights.push('-');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_mended_by_the_stated_rule() {
        for (fen, mended, faults) in [
            ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 3),
            ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 2),
            ("4k3/8/8/8/8/8/8/4K3 w KQkq - 5 9", "4k3/8/8/8/8/8/8/4K3 w - - 5 9", 4),
            ("r3k2r/8/8/8/8/8/8/4K2R b kqK - 0 1", "r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1", 0),
            ("r3k3/8/8/8/8/8/8/4K2R b KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1", 2),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K2R w K- - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K3 w - z9 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/4K3 w - - -5 x", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 2),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e2e4", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1),
        ] {
            let (position, found) = Position::from_faulty_fen(fen).unwrap();
            assert_eq!((position.to_string().as_str(), found.len()), (mended, faults), "{fen}");
        }
    }

    #[test]
    fn positions_that_cannot_be_are_refused() {
        for fen in [
            "",
            "startpos",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "KK6/8/8/8/8/8/8/7k w - - 0 1",
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 white - - 0 1",
        ] {
            assert!(Position::from_faulty_fen(fen).is_err(), "{fen}");
        }
    }

    #[test]
    fn a_long_field_takes_no_time() {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w {} - 0 1", "xyz".repeat(300_000));
        let (position, faults) = Position::from_faulty_fen(&fen).unwrap();
        assert_eq!(
            (position.to_string().as_str(), faults.len()),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1)
        );
    }
}
