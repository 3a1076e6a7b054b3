//! What a GUI or a match runner says to an engine.

use std::fmt;
use std::str::FromStr;

use crate::error::{CommandError, Found};
use crate::go::Go;
use crate::position::PositionSetup;
use crate::print::OneLine;
use crate::tokens::Tokens;

/// One line from a GUI or a match runner to an engine.
///
/// The first word decides. The protocol would have an engine skip words it does not know until one
/// fits (`joho debug on`); here such a line is [`Command::Other`], for the engine to run (`bench`,
/// `d`, `eval`) or to complain about, since a typing error answered by silence helps nobody.
/// Words behind a command that takes none are passed over, as the protocol asks: `stop now` stops.
///
/// ```
/// use koel_uci::Command;
///
/// assert_eq!(Command::parse("isready\r\n")?, Some(Command::IsReady));
/// assert_eq!(Command::parse("   ")?, None);
/// let error = Command::parse("go depth abc").unwrap_err();
/// assert_eq!(error.to_string(), "go: depth needs a whole number of plies, found `abc`");
/// # Ok::<(), koel_uci::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself and your options, then say `uciok`.
    Uci,
    /// `debug on` or `debug off`: say more, or less, in `info string` lines.
    Debug(bool),
    /// `isready`: say `readyok` when all before is done; also during a search, without ending it.
    IsReady,
    /// `setoption`: set one option, or press one button.
    SetOption(SetOption),
    /// `register`, with what follows. Engines that need no registration pass over it.
    Register(String),
    /// `ucinewgame`: what comes next is another game.
    NewGame,
    /// `position`: this is the game so far.
    Position(PositionSetup),
    /// `go`: search, or count.
    Go(Go),
    /// `stop`: end the search and say the best move found.
    Stop,
    /// `ponderhit`: the opponent has played the move you ponder on; go on searching on your time.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// Anything else, such as `bench 12` or `d`.
    Other {
        /// The first word.
        name: String,
        /// The rest of the line as it stands, without the whitespace around it.
        arguments: String,
    },
}

/// A wish to set an option, not yet held against the options there are:
/// [`Options::interpret`](crate::Options::interpret) does that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The option's name, its words one space apart.
    pub name: String,
    /// The rest of the line as it stands. `None` when the word `value` is missing, as for buttons;
    /// empty when nothing follows it.
    pub value: Option<String>,
}

impl Command {
    /// Reads one line, with or without its line end; `None` for a blank one.
    ///
    /// # Errors
    /// When the command is known but what follows it makes no sense. Nothing was understood then,
    /// and nothing should be done but tell the user.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut tokens = Tokens::new(line);
        let Some(name) = tokens.next() else { return Ok(None) };
        Ok(Some(match name {
            "uci" => Command::Uci,
            "debug" => Command::Debug(on_or_off(tokens.next())?),
            "isready" => Command::IsReady,
            "setoption" => Command::SetOption(SetOption::parse(tokens)?),
            "register" => Command::Register(tokens.text()),
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(PositionSetup::parse(tokens)?),
            "go" => Command::Go(Go::parse(tokens)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            _ => Command::Other { name: name.to_owned(), arguments: tokens.text() },
        }))
    }
}

fn on_or_off(word: Option<&str>) -> Result<bool, CommandError> {
    match word {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        other => Err(CommandError::Argument {
            command: "debug",
            expected: "`on` or `off`",
            found: Found::from(other),
        }),
    }
}

impl SetOption {
    fn parse(mut tokens: Tokens<'_>) -> Result<SetOption, CommandError> {
        let wrong = |expected, word| CommandError::Argument {
            command: "setoption",
            expected,
            found: Found::from(word),
        };
        match tokens.next() {
            Some("name") => {}
            other => return Err(wrong("`name` and an option's name", other)),
        }
        let after_name = tokens.peek();
        let (name, has_value) = tokens.phrase_until("value");
        if name.is_empty() {
            return Err(wrong("an option's name", after_name));
        }
        Ok(SetOption { name, value: has_value.then(|| tokens.text()) })
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        Command::parse(line)?.ok_or(CommandError::Empty)
    }
}

/// Prints the line without its end, and always one line.
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

/// Prints the whole command.
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
    fn other_commands_keep_their_arguments() {
        let bench = Command::Other { name: "bench".to_owned(), arguments: "16 1  13".to_owned() };
        assert_eq!(parse("bench 16 1  13\r\n"), bench);
        let unknown = parse("joho debug on");
        assert!(matches!(unknown, Command::Other { name, .. } if name == "joho"));
        assert!(matches!(parse("UCI"), Command::Other { .. }));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(error(" "), "an empty line is no command");
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
