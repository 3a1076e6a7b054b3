//! The `position` command: the start position and the moves played.

use std::fmt;

use crate::error::ParseError;
use crate::move_text::{MoveText, write_moves};
use crate::print::OneLine;
use crate::tokens::Tokens;

/// The start position of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartPosition {
    /// The standard starting position.
    #[default]
    Standard,
    /// Another position in Forsyth-Edwards Notation: words without `moves`, which ends a FEN in the
    /// protocol. How many there must be is for the reader to say: clocks and more are missing in
    /// the FENs of some programs.
    Fen(String),
}

/// The game up to the current position.
///
/// ```
/// use koel_uci::{Command, StartPosition};
///
/// let Command::Position(setup) = "position startpos moves e2e4 e7e5".parse()? else { panic!() };
/// assert_eq!(setup.start, StartPosition::Standard);
/// assert_eq!(setup.moves.len(), 2);
/// assert_eq!(setup.moves[1].to_string(), "e7e5");
/// # Ok::<(), koel_uci::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionSetup {
    /// The start position.
    pub start: StartPosition,
    /// The moves played, in order.
    pub moves: Vec<MoveText>,
}

impl PositionSetup {
    pub(crate) fn parse(mut tokens: Tokens<'_>) -> Result<PositionSetup, ParseError> {
        let wrong = |expected, found| Err(ParseError::argument("position", expected, found));
        let start = match tokens.next() {
            Some("startpos") => match tokens.next() {
                None | Some("moves") => StartPosition::Standard,
                other => return wrong("`moves` or nothing after startpos", other),
            },
            Some("fen") => match tokens.phrase_until("moves") {
                (fen, _) if fen.is_empty() => return wrong("the fields of a FEN", None),
                (fen, _) => StartPosition::Fen(fen),
            },
            other => return wrong("`startpos` or `fen`", other),
        };
        // Whatever is left follows `moves`.
        let read = |(number, word): (usize, &str)| {
            let error = || ParseError::PlayedMove { number, found: word.to_owned() };
            MoveText::read(word).ok_or_else(error)
        };
        let moves = (1..).zip(tokens).map(read).collect::<Result<_, _>>()?;
        Ok(PositionSetup { start, moves })
    }
}

/// Writes the complete command.
impl fmt::Display for PositionSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Standard => f.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(f, "position fen {}", OneLine(fen))?,
        }
        write_moves(f, " moves", &self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn position(text: &str) -> Result<PositionSetup, ParseError> {
        PositionSetup::parse(Tokens::new(text))
    }

    fn error(text: &str) -> String {
        position(text).unwrap_err().to_string()
    }

    #[test]
    fn both_starts_with_and_without_moves() {
        for text in [
            "startpos".to_owned(),
            "startpos moves e2e4 e7e5".to_owned(),
            format!("fen {KIWIPETE}"),
            format!("fen {KIWIPETE} moves e1g1 e8c8"),
        ] {
            assert_eq!(position(&text).unwrap().to_string(), format!("position {text}"));
        }
        assert_eq!(position("startpos moves").unwrap(), PositionSetup::default());
        let spaced = position("fen 8/8  w\t- moves e2e4").unwrap();
        assert_eq!(spaced.start, StartPosition::Fen("8/8 w -".to_owned()));
    }

    #[test]
    fn errors_name_the_wrong_argument() {
        assert_eq!(error(""), "position: needs `startpos` or `fen`, found nothing");
        assert_eq!(error("fen"), "position: needs the fields of a FEN, found nothing");
        assert_eq!(error("fen moves e2e4"), "position: needs the fields of a FEN, found nothing");
        assert_eq!(
            error("startpos e2e4"),
            "position: needs `moves` or nothing after startpos, found `e2e4`"
        );
        assert_eq!(
            error("startpos moves e2e4 e7e5 Nf3"),
            "position: move 3 should be written like e2e4 or e7e8q, found `Nf3`"
        );
    }

    #[test]
    fn a_long_game_is_parsed_in_linear_time() {
        let text = format!("startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(250_000));
        assert_eq!(position(&text).unwrap().moves.len(), 1_000_000);
    }
}
