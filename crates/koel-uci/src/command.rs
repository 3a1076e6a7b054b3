//! The commands from a GUI or match runner to an engine.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;
use crate::go::Go;
use crate::position::PositionSetup;
use crate::print::OneLine;
use crate::tokens::Tokens;

/// A command: one line from a GUI or match runner to an engine.
///
/// The first word selects the command. The protocol specifies that unknown words before a command
/// are skipped (`joho debug on`); here such a line is [`Command::Other`], which the engine can run
/// (`bench`, `d`, `eval`) or report as an error, because a typing error should not be ignored
/// silently. Words after a command without arguments are ignored, as the protocol specifies:
/// `stop now` is `stop`.
///
/// ```
/// use koel_uci::Command;
///
/// assert_eq!(Command::parse("isready\r\n")?, Some(Command::IsReady));
/// assert_eq!(Command::parse("   ")?, None);
/// let error = Command::parse("position here").unwrap_err();
/// assert_eq!(error.to_string(), "position: needs `startpos` or `fen`, found `here`");
/// # Ok::<(), koel_uci::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: send the identification and the options, then `uciok`.
    Uci,
    /// `debug on` or `debug off`: send more or fewer `info string` lines.
    Debug(bool),
    /// `isready`: send `readyok` when all previous commands are done; during a search at once.
    IsReady,
    /// `setoption`: set an option or press a button.
    SetOption(SetOption),
    /// `register` with its arguments. Engines without registration ignore it.
    Register(String),
    /// `ucinewgame`: the next position is from a new game.
    NewGame,
    /// `position`: set the position and the moves played.
    Position(PositionSetup),
    /// `go`: start a search or a perft.
    Go(Go),
    /// `stop`: end the search and send the best move.
    Stop,
    /// `ponderhit`: the opponent has played the expected move; continue as a normal search.
    PonderHit,
    /// `quit`: exit the program.
    Quit,
    /// Any other line, such as `bench 12` or `d`.
    Other {
        /// The first word.
        name: String,
        /// The rest of the line, unchanged but for surrounding whitespace.
        arguments: String,
    },
}

/// The arguments of `setoption`, not yet validated: use
/// [`Options::interpret`](crate::Options::interpret).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The name of the option, its words separated by single spaces.
    pub name: String,
    /// The rest of the line, unchanged. `None` without the word `value`, as for buttons; empty if
    /// nothing follows it.
    pub value: Option<String>,
}

impl Command {
    /// Parses a line, with or without line end; returns `None` for a blank line.
    ///
    /// # Errors
    /// If the command is known but its arguments are invalid. The command should be reported and
    /// not executed. `go` gives no error, because it must be answered: see [`Go::errors`].
    pub fn parse(line: &str) -> Result<Option<Command>, ParseError> {
        let mut tokens = Tokens::new(line);
        let Some(name) = tokens.next() else { return Ok(None) };
        Ok(Some(match name {
            "uci" => Command::Uci,
            "debug" => match tokens.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                other => return Err(ParseError::argument("debug", "`on` or `off`", other)),
            },
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(SetOption::parse(tokens)?),
            "register" => Command::Register(tokens.text()),
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(PositionSetup::parse(tokens)?),
            "go" => Command::Go(Go::parse(tokens)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            _ => Command::Other { name: name.to_owned(), arguments: tokens.text() },
        }))
    }
}

impl SetOption {
    fn parse(mut tokens: Tokens<'_>) -> Result<SetOption, ParseError> {
        let wrong = |expected, found| Err(ParseError::argument("setoption", expected, found));
        match tokens.next() {
            Some("name") => {}
            other => return wrong("`name` and an option's name", other),
        }
        let after_name = tokens.peek();
        let (name, has_value) = tokens.phrase_until("value");
        if name.is_empty() {
            return wrong("an option's name", after_name);
        }
        Ok(SetOption { name, value: has_value.then(|| tokens.text()) })
    }
}

impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Command, ParseError> {
        Command::parse(line)?.ok_or(ParseError::Empty)
    }
}

/// Writes the command as a single line, without line end.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(is_on) => write!(f, "debug {}", if *is_on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption(set) => set.fmt(f),
            Command::Register(rest) => with_rest(f, "register", rest),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(setup) => setup.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Other { name, arguments } => with_rest(f, name, arguments),
        }
    }
}

/// Writes the complete command.
impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", OneLine(&self.name))?;
        match &self.value {
            Some(value) => with_rest(f, " value", value),
            None => Ok(()),
        }
    }
}

fn with_rest(f: &mut fmt::Formatter<'_>, word: &str, rest: &str) -> fmt::Result {
    let gap = if rest.is_empty() { "" } else { " " };
    write!(f, "{}{gap}{}", OneLine(word), OneLine(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        line.parse().unwrap()
    }

    fn error(line: &str) -> String {
        line.parse::<Command>().unwrap_err().to_string()
    }

    fn set(name: &str, value: Option<&str>) -> Command {
        Command::SetOption(SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    }

    #[test]
    fn single_words_with_any_whitespace() {
        for (line, command) in [
            ("uci", Command::Uci),
            ("\t isready \r\n", Command::IsReady),
            ("\u{feff}ucinewgame", Command::NewGame),
            ("stop now", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("debug\ton", Command::Debug(true)),
            ("debug off", Command::Debug(false)),
            ("register later", Command::Register("later".to_owned())),
        ] {
            assert_eq!(parse(line), command);
        }
    }

    #[test]
    fn options_with_spaces_and_without_values() {
        assert_eq!(parse("setoption name Hash value 64"), set("Hash", Some("64")));
        assert_eq!(parse("setoption name  Clear   Hash"), set("Clear Hash", None));
        assert_eq!(parse("setoption name Clear Hash value\r\n"), set("Clear Hash", Some("")));
        let path = "C:\\My  tables;D:\\value tables";
        let line = format!("setoption name SyzygyPath value {path}");
        assert_eq!(parse(&line), set("SyzygyPath", Some(path)));
        assert_eq!(parse(&line).to_string(), line);
    }

    #[test]
    fn unknown_commands_keep_their_arguments() {
        let bench = Command::Other { name: "bench".to_owned(), arguments: "16 1  13".to_owned() };
        assert_eq!(parse("bench 16 1  13\r\n"), bench);
        let unknown = parse("joho debug on");
        assert!(matches!(unknown, Command::Other { name, .. } if name == "joho"));
        assert!(matches!(parse("UCI"), Command::Other { .. }));
    }

    #[test]
    fn errors_name_the_wrong_argument() {
        assert_eq!(error(" "), "the line is empty");
        assert_eq!(error("debug"), "debug: needs `on` or `off`, found nothing");
        assert_eq!(
            error("setoption Hash 5"),
            "setoption: needs `name` and an option's name, found `Hash`"
        );
        assert_eq!(
            error("setoption name value 3"),
            "setoption: needs an option's name, found `value`"
        );
    }

    #[test]
    fn a_line_break_never_starts_a_second_command() {
        assert_eq!(set("a", Some("b\nquit")).to_string(), "setoption name a value b quit");
    }
}
