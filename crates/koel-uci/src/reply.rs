//! What an engine says to a GUI or a match runner.

use std::fmt;
use std::str::FromStr;

use crate::declaration::OptionDeclaration;
use crate::error::{Found, ReplyError};
use crate::info::Info;
use crate::move_text::MoveText;
use crate::print::OneLine;
use crate::tokens::Tokens;

/// One line from an engine to a GUI or a match runner.
///
/// ```
/// use koel_uci::Reply;
///
/// let reply: Reply = "bestmove e2e4 ponder e7e5".parse()?;
/// let Reply::BestMove { best: Some(best), .. } = reply else { panic!("no move") };
/// assert_eq!(best.as_str(), "e2e4");
/// # Ok::<(), koel_uci::ReplyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: what the engine is called.
    Name(String),
    /// `id author`: who made it.
    Author(String),
    /// `option`: something the user can set.
    Option(OptionDeclaration),
    /// `uciok`: the introduction is over.
    UciOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info`: how the search is getting on.
    Info(Box<Info>),
    /// `bestmove`: the search is over.
    BestMove {
        /// The move to play; `None`, printed as `(none)`, when there is no legal one.
        best: Option<MoveText>,
        /// The reply expected, to ponder on.
        ponder: Option<MoveText>,
    },
    /// Any other line as it stands, without its end: `registration`, `copyprotection`, a drawn
    /// board, a blank line, noise.
    Other(String),
}

impl Reply {
    /// Tells the user what went wrong: `info string error: ...`.
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

    /// Tells the user something: `info string ...`.
    pub fn text(text: impl fmt::Display) -> Reply {
        Info::text(text).into()
    }

    /// The end of a search without a move to ponder on.
    pub fn best_move(best: Option<MoveText>) -> Reply {
        Reply::BestMove { best, ponder: None }
    }
}

impl From<Info> for Reply {
    fn from(info: Info) -> Reply {
        Reply::Info(Box::new(info))
    }
}

/// Reads one line, with or without its end.
///
/// # Errors
/// Only for a `bestmove` without a move and an `option` that declares nothing sound: what cannot
/// be repaired by passing over a word.
impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Reply, ReplyError> {
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

/// A ponder move that is none is as good as missing: it is only a hint.
fn best_move(mut tokens: Tokens<'_>) -> Result<Reply, ReplyError> {
    let best = match tokens.next() {
        Some("(none)" | "none" | "NULL") => None,
        Some(word) => match MoveText::read(word) {
            None => return Err(ReplyError::BestMove { found: Found::word(word) }),
            best => best,
        },
        None => return Err(ReplyError::BestMove { found: Found::NOTHING }),
    };
    let ponder = match tokens.next() {
        Some("ponder") => tokens.accept(MoveText::read),
        _ => None,
    };
    Ok(Reply::BestMove { best, ponder })
}

/// Prints the line without its end, and always one line.
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
    fn the_introduction_is_read() {
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
    fn best_moves_of_every_dialect() {
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
