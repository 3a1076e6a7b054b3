//! A UCI session around an engine: the part of the protocol that is the same for all engines.

use std::ops::ControlFlow;

use crate::command::{Command, SetOption};
use crate::go::Go;
use crate::info::Info;
use crate::move_text::MoveText;
use crate::options::{OptionValue, Options};
use crate::position::PositionSetup;
use crate::reply::Reply;

/// The error of an engine: any error with a one-line message.
pub type EngineError = Box<dyn std::error::Error>;

/// An engine: its name, options, position setup and search. [`UciSession`] provides the protocol.
///
/// ```
/// use koel_uci::{UciSession, Engine, Go, Info, MoveText, PositionSetup, EngineError};
///
/// struct Fool;
///
/// impl Engine for Fool {
///     fn name(&self) -> String {
///         "Fool".to_owned()
///     }
///     fn author(&self) -> String {
///         "nobody".to_owned()
///     }
///     fn set_position(&mut self, _: &PositionSetup) -> Result<(), EngineError> {
///         Ok(())
///     }
///     fn search(&mut self, _: &Go, _: &mut dyn FnMut(Info)) -> Result<Option<MoveText>, EngineError> {
///         Ok(Some("f2f3".parse()?))
///     }
/// }
///
/// let mut session = UciSession::new(Fool);
/// let mut output = Vec::new();
/// for line in ["uci", "position startpos", "go infinite", "stop", "quit"] {
///     let _ = session.handle_line(line, &mut |reply| output.push(reply.to_string()));
/// }
/// assert_eq!(output, ["id name Fool", "id author nobody", "uciok", "bestmove f2f3"]);
/// ```
pub trait Engine {
    /// Returns the name of the engine.
    fn name(&self) -> String;

    /// Returns the author of the engine.
    fn author(&self) -> String;

    /// Returns the options of the engine. Called once.
    fn options(&self) -> Options {
        Options::default()
    }

    /// Sets an option: `name` as declared, `value` of the declared type and within its limits.
    ///
    /// # Errors
    /// If the value cannot be used, for example because a file does not exist.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), EngineError> {
        let _ = (name, value);
        Ok(())
    }

    /// Prepares for a new game.
    fn new_game(&mut self) {}

    /// Sets the start position and the moves played.
    ///
    /// # Errors
    /// If the position or a move is illegal. The previous position should be kept then.
    fn set_position(&mut self, setup: &PositionSetup) -> Result<(), EngineError>;

    /// Searches and returns the move to play, `None` if there is no legal move. `report` sends `info`
    /// lines during the search.
    ///
    /// The errors of `go` have been reported; [`Go::end`] tells what ends the search.
    ///
    /// The search runs on the thread that calls [`UciSession::handle_line`]. For long searches, read
    /// the lines on another thread, which sets a stop flag at `stop` that the search polls.
    ///
    /// # Errors
    /// If there is no result. The GUI keeps waiting for `bestmove` then, so this is for internal
    /// errors only.
    fn search(
        &mut self,
        go: &Go,
        report: &mut dyn FnMut(Info),
    ) -> Result<Option<MoveText>, EngineError>;

    /// Runs a command outside the protocol, given by its first word and the rest of the line.
    ///
    /// # Errors
    /// If the command is unknown or its arguments are invalid.
    fn custom_command(&mut self, name: &str, arguments: &str) -> Result<(), EngineError> {
        let _ = arguments;
        Err(format!("unknown command `{name}`").into())
    }
}

/// A UCI session of an engine: command lines in, replies out. Input and output are up to the caller.
#[derive(Debug)]
pub struct UciSession<E> {
    engine: E,
    options: Options,
    /// The result of an infinite or ponder search, held until `stop` or `ponderhit`.
    held: Option<Reply>,
}

impl<E: Engine> UciSession<E> {
    /// Creates a session.
    pub fn new(engine: E) -> UciSession<E> {
        let options = engine.options();
        UciSession { engine, options, held: None }
    }

    /// Handles a command line and passes the replies to `reply`. Returns `Break` for `quit`.
    ///
    /// Errors are reported as `info string error`.
    pub fn handle_line(&mut self, line: &str, reply: &mut dyn FnMut(Reply)) -> ControlFlow<()> {
        let result = match Command::parse(line) {
            Ok(None) => Ok(()),
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => self.handle_command(command, reply),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = result {
            reply(Reply::error(error));
        }
        ControlFlow::Continue(())
    }

    fn handle_command(
        &mut self,
        command: Command,
        reply: &mut dyn FnMut(Reply),
    ) -> Result<(), EngineError> {
        match command {
            Command::Uci => self.introduce(reply),
            Command::IsReady => reply(Reply::ReadyOk),
            Command::SetOption(set) => self.set_option(&set)?,
            Command::NewGame => self.engine.new_game(),
            Command::Position(setup) => self.engine.set_position(&setup)?,
            Command::Go(go) => self.go(&go, reply)?,
            Command::Stop | Command::PonderHit => self.held.take().into_iter().for_each(reply),
            Command::Other { name, arguments } => self.engine.custom_command(&name, &arguments)?,
            Command::Debug(_) | Command::Register(_) | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self, reply: &mut dyn FnMut(Reply)) {
        reply(Reply::Name(self.engine.name()));
        reply(Reply::Author(self.engine.author()));
        self.options.iter().cloned().map(Reply::Option).for_each(&mut *reply);
        reply(Reply::UciOk);
    }

    fn set_option(&mut self, set: &SetOption) -> Result<(), EngineError> {
        let (name, value) = self.options.interpret(set)?;
        self.engine.set_option(name, value)
    }

    /// Runs a search. The result of an infinite or ponder search is held until the GUI asks for it,
    /// as the protocol requires.
    fn go(&mut self, go: &Go, reply: &mut dyn FnMut(Reply)) -> Result<(), EngineError> {
        if self.held.is_some() {
            return Err("go: a search is running; send `stop` first".into());
        }
        go.errors.iter().map(Reply::error).for_each(&mut *reply);
        let best = self.engine.search(go, &mut |info| reply(info.into()))?;
        let best_move = Reply::best_move(best);
        if go.infinite || go.ponder {
            self.held = Some(best_move);
        } else {
            reply(best_move);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::OptionDeclaration;

    /// Plays the last move of the position, or the move set by its option.
    #[derive(Default)]
    struct Parrot {
        last: Option<MoveText>,
        games: u32,
    }

    impl Engine for Parrot {
        fn name(&self) -> String {
            "Parrot".to_owned()
        }

        fn author(&self) -> String {
            "nobody".to_owned()
        }

        fn options(&self) -> Options {
            Options::new([OptionDeclaration::text("Word", "")]).unwrap()
        }

        fn set_option(&mut self, _: &str, value: OptionValue) -> Result<(), EngineError> {
            let OptionValue::Text(text) = value else { return Err("no text".into()) };
            self.last = Some(text.parse()?);
            Ok(())
        }

        fn new_game(&mut self) {
            self.games += 1;
        }

        fn set_position(&mut self, setup: &PositionSetup) -> Result<(), EngineError> {
            self.last = setup.moves.last().copied();
            Ok(())
        }

        fn search(
            &mut self,
            _: &Go,
            report: &mut dyn FnMut(Info),
        ) -> Result<Option<MoveText>, EngineError> {
            report(Info { depth: Some(self.games), ..Info::default() });
            Ok(self.last)
        }
    }

    fn replies(lines: &[&str]) -> Vec<String> {
        let mut session = UciSession::new(Parrot::default());
        let mut output = Vec::new();
        for line in lines {
            if session.handle_line(line, &mut |reply| output.push(reply.to_string())).is_break() {
                output.push("the end".to_owned());
            }
        }
        output
    }

    #[test]
    fn uci_is_answered_with_id_and_options() {
        let option = "option name Word type string default <empty>";
        let expected = ["id name Parrot", "id author nobody", option, "uciok", "readyok"];
        assert_eq!(replies(&["uci", "", "isready"]), expected);
    }

    #[test]
    fn go_is_answered_with_a_best_move() {
        let lines = ["ucinewgame", "position startpos moves e2e4 e7e5", "go depth 3", "quit"];
        assert_eq!(replies(&lines), ["info depth 1", "bestmove e7e5", "the end"]);
        assert_eq!(replies(&["go"]), ["info depth 0", "bestmove (none)"]);
        let lines = ["setoption name word value a7a8q", "go nodes 1"];
        assert_eq!(replies(&lines)[1], "bestmove a7a8q");
    }

    #[test]
    fn an_infinite_search_holds_its_best_move_until_stop() {
        for (go, end) in [("go infinite", "stop"), ("go ponder wtime 5", "ponderhit")] {
            assert_eq!(replies(&[go, "isready"]), ["info depth 0", "readyok"]);
            let output = replies(&[go, "go depth 1", end, end]);
            assert_eq!(output.len(), 3, "{output:?}");
            assert!(output[1].starts_with("info string error: go: "), "{output:?}");
            assert_eq!(output[2], "bestmove (none)");
        }
        assert!(replies(&["stop", "ponderhit"]).is_empty());
    }

    #[test]
    fn a_damaged_go_is_reported_and_answered() {
        let output = replies(&["go depth x", "go wtime 5 quickly winc"]);
        let [first, report, best, second, third, ..] = output.as_slice() else {
            panic!("{output:?}")
        };
        assert_eq!((report.as_str(), best.as_str()), ("info depth 0", "bestmove (none)"));
        for error in [first, second, third] {
            assert!(error.starts_with("info string error: go: "), "{output:?}");
        }
        assert_eq!(output.len(), 7);
    }

    #[test]
    fn errors_are_reported_as_info_string() {
        for line in ["debug x", "setoption name Hush", "setoption name Word value !", "hello"] {
            let output = replies(&[line, "isready"]);
            assert!(output[0].starts_with("info string error: "), "{line}: {output:?}");
            assert_eq!(output[1], "readyok");
        }
    }
}
