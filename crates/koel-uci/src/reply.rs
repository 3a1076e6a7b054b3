//! The replies from an engine to a GUI or match runner.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;
use crate::info::Info;
use crate::move_text::MoveText;
use crate::options::OptionDeclaration;
use crate::print::OneLine;
use crate::tokens::Tokens;

/// A reply: one line from an engine to a GUI or match runner.
///
/// ```
/// use koel_uci::Reply;
///
/// let reply: Reply = "bestmove e2e4 ponder e7e5".parse()?;
/// let Reply::BestMove { best: Some(best), .. } = reply else { panic!("no move") };
/// assert_eq!(best.as_str(), "e2e4");
/// # Ok::<(), koel_uci::ParseError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: the name of the engine.
    Name(String),
    /// `id author`: the author of the engine.
    Author(String),
    /// `option`: the declaration of an option.
    Option(OptionDeclaration),
    /// `uciok`: the end of the reply to `uci`.
    UciOk,
    /// `readyok`: the reply to `isready`.
    ReadyOk,
    /// `info`: the progress of the search, or text.
    Info(Box<Info>),
    /// `bestmove`: the result of the search.
    BestMove {
        /// The move to play; `None`, printed as `(none)`, if there is no legal move.
        best: Option<MoveText>,
        /// The expected reply of the opponent, to ponder on.
        ponder: Option<MoveText>,
    },
    /// Any other line, unchanged but for its line end: `registration`, `copyprotection`, a printed
    /// board, a blank line.
    Other(String),
}

impl Reply {
    /// Creates an error message: `info string error: ...`.
    ///
    /// ```
    /// use koel_uci::{Command, Reply};
    ///
    /// let error = Command::parse("debug maybe").unwrap_err();
    /// assert_eq!(
    ///     Reply::error(error).to_string(),
    ///     "info string error: debug: needs `on` or `off`, found `maybe`"
    /// );
    /// ```
    pub fn error(error: impl fmt::Display) -> Reply {
        Reply::text(format_args!("error: {error}"))
    }

    /// Creates a text for the user: `info string ...`.
    pub fn text(text: impl fmt::Display) -> Reply {
        Info { string: Some(text.to_string()), ..Info::default() }.into()
    }

    /// Creates a `bestmove` without a ponder move.
    pub fn best_move(best: Option<MoveText>) -> Reply {
        Reply::BestMove { best, ponder: None }
    }
}

impl From<Info> for Reply {
    fn from(info: Info) -> Reply {
        Reply::Info(Box::new(info))
    }
}

/// Parses a line, with or without line end.
///
/// # Errors
/// Only for a `bestmove` without a move and an invalid `option` declaration, which cannot be
/// repaired by ignoring a word.
impl FromStr for Reply {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Reply, ParseError> {
        let mut tokens = Tokens::new(line);
        Ok(match tokens.next() {
            Some("id") => match tokens.next() {
                Some("name") => Reply::Name(tokens.text()),
                Some("author") => Reply::Author(tokens.text()),
                _ => other(line),
            },
            Some("option") => Reply::Option(OptionDeclaration::parse(tokens)?),
            Some("uciok") => Reply::UciOk,
            Some("readyok") => Reply::ReadyOk,
            Some("info") => Info::parse(tokens).into(),
            Some("bestmove") => best_move(tokens)?,
            _ => other(line),
        })
    }
}

fn other(line: &str) -> Reply {
    Reply::Other(OneLine(line.trim_end_matches(['\r', '\n'])).to_string())
}

/// Parses the words after `bestmove`. An invalid ponder move is ignored, since it is only a hint.
fn best_move(mut tokens: Tokens<'_>) -> Result<Reply, ParseError> {
    let word = tokens.next();
    let best = word.and_then(MoveText::read);
    if best.is_none() && !matches!(word, Some("(none)" | "none" | "NULL")) {
        return Err(ParseError::argument("bestmove", "a move such as e2e4, or (none)", word));
    }
    let ponder = match tokens.next() {
        Some("ponder") => tokens.accept(MoveText::read),
        _ => None,
    };
    Ok(Reply::BestMove { best, ponder })
}

/// Writes the reply as a single line, without line end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {}", OneLine(name)),
            Reply::Author(author) => write!(f, "id author {}", OneLine(author)),
            Reply::Option(declaration) => declaration.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove { best, ponder } => {
                match best {
                    Some(best) => write!(f, "bestmove {best}")?,
                    None => f.write_str("bestmove (none)")?,
                }
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Reply::Other(line) => OneLine(line).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Reply {
        line.parse().unwrap()
    }

    #[test]
    fn the_reply_to_uci_is_parsed() {
        assert_eq!(parse("id name Koel  0.1\r\n"), Reply::Name("Koel  0.1".to_owned()));
        assert_eq!(parse("id author A. Name, B. Name").to_string(), "id author A. Name, B. Name");
        assert_eq!(parse(" uciok\r"), Reply::UciOk);
        assert_eq!(parse("readyok\r\n"), Reply::ReadyOk);
        assert_eq!(parse("registration checking").to_string(), "registration checking");
        assert_eq!(parse("  +---+ \n"), Reply::Other("  +---+ ".to_owned()));
        assert_eq!(parse(""), Reply::Other(String::new()));
        assert_eq!(parse("id elo 5"), Reply::Other("id elo 5".to_owned()));
    }

    #[test]
    fn all_forms_of_best_moves_are_parsed() {
        let e2e4 = MoveText::read("e2e4");
        for (line, best, ponder) in [
            ("bestmove e2e4", e2e4, None),
            ("bestmove e2e4 ponder e7e5", e2e4, MoveText::read("e7e5")),
            ("bestmove e2e4 ponder", e2e4, None),
            ("bestmove e2e4 ponder (none)", e2e4, None),
            ("bestmove (none)", None, None),
            ("bestmove NULL", None, None),
            ("bestmove 0000", Some(MoveText::NULL), None),
        ] {
            assert_eq!(parse(line), Reply::BestMove { best, ponder }, "{line}");
        }
        let error = "bestmove Nf3".parse::<Reply>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "bestmove: needs a move such as e2e4, or (none), found `Nf3`"
        );
        assert!("bestmove".parse::<Reply>().is_err());
    }

    #[test]
    fn a_line_break_never_starts_a_second_reply() {
        assert_eq!(Reply::text("a\nbestmove e2e4").to_string(), "info string a bestmove e2e4");
    }
}
