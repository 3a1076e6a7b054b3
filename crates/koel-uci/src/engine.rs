//! From an engine to a UCI program: what all of them do alike.

use std::ops::ControlFlow;

use crate::command::{Command, SetOption};
use crate::go::Go;
use crate::info::Info;
use crate::move_text::MoveText;
use crate::options::{OptionValue, Options};
use crate::position::PositionSetup;
use crate::reply::Reply;

/// Why an engine does not do what it was told: anything that can be said in a line.
pub type Refusal = Box<dyn std::error::Error>;

/// What is different in every engine. [`Conversation`] makes a UCI program of it.
///
/// ```
/// use koel_uci::{Conversation, Engine, Go, Info, MoveText, PositionSetup, Refusal};
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
///     fn set_position(&mut self, _: &PositionSetup) -> Result<(), Refusal> {
///         Ok(())
///     }
///     fn think(&mut self, _: &Go, _: &mut dyn FnMut(Info)) -> Result<Option<MoveText>, Refusal> {
///         Ok(Some("f2f3".parse()?))
///     }
/// }
///
/// let mut conversation = Conversation::new(Fool);
/// let mut said = Vec::new();
/// for line in ["uci", "position startpos", "go infinite", "stop", "quit"] {
///     let _ = conversation.hear(line, &mut |reply| said.push(reply.to_string()));
/// }
/// assert_eq!(said, ["id name Fool", "id author nobody", "uciok", "bestmove f2f3"]);
/// ```
pub trait Engine {
    /// What it is called.
    fn name(&self) -> String;

    /// Who made it.
    fn author(&self) -> String;

    /// What a user can set. It is asked once.
    fn options(&self) -> Options {
        Options::default()
    }

    /// An option has been set: its name as declared, and a value that it may have.
    ///
    /// # Errors
    /// Whatever is wrong with it all the same, such as a file that is not there.
    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), Refusal> {
        let _ = (name, value);
        Ok(())
    }

    /// What comes next is another game.
    fn new_game(&mut self) {}

    /// This is the game so far.
    ///
    /// # Errors
    /// A position or a move that is not legal. The position before should be kept.
    fn set_position(&mut self, setup: &PositionSetup) -> Result<(), Refusal>;

    /// The move to play, `None` if there is no legal one. `report` may be called on the way.
    ///
    /// This is the whole search, on the thread that calls [`Conversation::hear`]. Where it may take
    /// long, let another thread read the lines and raise a flag at `stop`, at which this looks.
    ///
    /// # Errors
    /// Why there is no answer. The GUI goes on waiting for one, so this is for what should never
    /// happen.
    fn think(&mut self, go: &Go, report: &mut dyn FnMut(Info))
    -> Result<Option<MoveText>, Refusal>;

    /// A command outside the protocol: its first word and the rest of the line.
    ///
    /// # Errors
    /// It is not known, or what follows it makes no sense.
    fn obey(&mut self, name: &str, arguments: &str) -> Result<(), Refusal> {
        let _ = arguments;
        Err(format!("unknown command `{name}`").into())
    }
}

/// An engine that is spoken to: lines in, replies out. Whoever holds it reads and writes.
#[derive(Debug)]
pub struct Conversation<E> {
    engine: E,
    options: Options,
    /// A result that waits for `stop` or `ponderhit`.
    held: Option<Reply>,
}

impl<E: Engine> Conversation<E> {
    /// Begins one.
    pub fn new(engine: E) -> Conversation<E> {
        let options = engine.options();
        Conversation { engine, options, held: None }
    }

    /// Obeys a line, and says what there is to say. `Break` when it was `quit`.
    ///
    /// What is wrong with a line is said as an `info string error`.
    pub fn hear(&mut self, line: &str, say: &mut dyn FnMut(Reply)) -> ControlFlow<()> {
        let obeyed = match Command::parse(line) {
            Ok(None) => Ok(()),
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => self.obey(command, say),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = obeyed {
            say(Reply::error(error));
        }
        ControlFlow::Continue(())
    }

    fn obey(&mut self, command: Command, say: &mut dyn FnMut(Reply)) -> Result<(), Refusal> {
        match command {
            Command::Uci => self.introduce(say),
            Command::IsReady => say(Reply::ReadyOk),
            Command::SetOption(set) => self.set_option(&set)?,
            Command::NewGame => self.engine.new_game(),
            Command::Position(setup) => self.engine.set_position(&setup)?,
            Command::Go(go) => self.go(&go, say)?,
            Command::Stop | Command::PonderHit => self.held.take().into_iter().for_each(say),
            Command::Other { name, arguments } => self.engine.obey(&name, &arguments)?,
            Command::Debug(_) | Command::Register(_) | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self, say: &mut dyn FnMut(Reply)) {
        say(Reply::Name(self.engine.name()));
        say(Reply::Author(self.engine.author()));
        self.options.iter().cloned().map(Reply::Option).for_each(&mut *say);
        say(Reply::UciOk);
    }

    fn set_option(&mut self, set: &SetOption) -> Result<(), Refusal> {
        let (name, value) = self.options.interpret(set)?;
        self.engine.set_option(name, value)
    }

    /// A result is not said before the GUI wants it: it would be an answer to nothing.
    fn go(&mut self, go: &Go, say: &mut dyn FnMut(Reply)) -> Result<(), Refusal> {
        if self.held.is_some() {
            return Err("go: not before `stop` has ended the search".into());
        }
        let best = self.engine.think(go, &mut |info| say(info.into()))?;
        let reply = Reply::best_move(best);
        if go.infinite || go.ponder {
            self.held = Some(reply);
        } else {
            say(reply);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::OptionDeclaration;

    /// Plays the move that it was last given, or what its option says.
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

        fn set_option(&mut self, _: &str, value: OptionValue) -> Result<(), Refusal> {
            let OptionValue::Text(text) = value else { return Err("no text".into()) };
            self.last = Some(text.parse()?);
            Ok(())
        }

        fn new_game(&mut self) {
            self.games += 1;
        }

        fn set_position(&mut self, setup: &PositionSetup) -> Result<(), Refusal> {
            self.last = setup.moves.last().copied();
            Ok(())
        }

        fn think(
            &mut self,
            _: &Go,
            report: &mut dyn FnMut(Info),
        ) -> Result<Option<MoveText>, Refusal> {
            report(Info { depth: Some(self.games), ..Info::default() });
            Ok(self.last)
        }
    }

    fn says(lines: &[&str]) -> Vec<String> {
        let mut conversation = Conversation::new(Parrot::default());
        let mut said = Vec::new();
        for line in lines {
            if conversation.hear(line, &mut |reply| said.push(reply.to_string())).is_break() {
                said.push("the end".to_owned());
            }
        }
        said
    }

    #[test]
    fn it_introduces_itself() {
        let option = "option name Word type string default <empty>";
        let expected = ["id name Parrot", "id author nobody", option, "uciok", "readyok"];
        assert_eq!(says(&["uci", "", "isready"]), expected);
    }

    #[test]
    fn it_plays() {
        let lines = ["ucinewgame", "position startpos moves e2e4 e7e5", "go depth 3", "quit"];
        assert_eq!(says(&lines), ["info depth 1", "bestmove e7e5", "the end"]);
        assert_eq!(says(&["go"]), ["info depth 0", "bestmove (none)"]);
        let lines = ["setoption name word value a7a8q", "go nodes 1"];
        assert_eq!(says(&lines)[1], "bestmove a7a8q");
    }

    #[test]
    fn no_move_is_said_before_its_time() {
        for (go, end) in [("go infinite", "stop"), ("go ponder wtime 5", "ponderhit")] {
            assert_eq!(says(&[go, "isready"]), ["info depth 0", "readyok"]);
            let said = says(&[go, "go depth 1", end, end]);
            assert_eq!(said.len(), 3, "{said:?}");
            assert!(said[1].starts_with("info string error: go: "), "{said:?}");
            assert_eq!(said[2], "bestmove (none)");
        }
        assert!(says(&["stop", "ponderhit"]).is_empty());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for line in ["go depth x", "setoption name Hush", "setoption name Word value !", "hello"] {
            let said = says(&[line, "isready"]);
            assert!(said[0].starts_with("info string error: "), "{line}: {said:?}");
            assert_eq!(said[1], "readyok");
        }
    }
}
