//! A whole UCI engine around a move drawn at random: `koel-uci` for the protocol, shakmaty for the
//! rules. Build it with `cargo build --example random_mover` and add it to any chess GUI.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write, stdin, stdout};

use koel_uci::{Command, OptionDeclaration, OptionValue, Options, Reply};
use koel_uci::{PositionSetup, StartPosition};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct RandomMover {
    options: Options,
    castling: CastlingMode,
    position: Chess,
    /// A move that waits for `stop` or `ponderhit`.
    held: Option<Reply>,
}

impl RandomMover {
    fn answer(&mut self, command: Command) -> Outcome<Vec<Reply>> {
        match command {
            Command::Uci => {
                let id = [Reply::Name("Random Mover".into()), Reply::Author("nobody".into())];
                let options = self.options.iter().cloned().map(Reply::Option);
                return Ok(id.into_iter().chain(options).chain([Reply::UciOk]).collect());
            }
            Command::IsReady => return Ok(vec![Reply::ReadyOk]),
            Command::SetOption(set) => {
                if let ("UCI_Chess960", OptionValue::Check(on)) = self.options.interpret(&set)? {
                    self.castling = CastlingMode::from_chess960(on);
                }
            }
            Command::Position(setup) => self.position = self.set_up(&setup)?,
            Command::Go(go) if go.infinite || go.ponder => self.held = Some(self.draw()?),
            Command::Go(_) => return Ok(vec![self.draw()?]),
            Command::Stop | Command::PonderHit => return Ok(Vec::from_iter(self.held.take())),
            Command::Other { name, .. } => return Err(format!("unknown command {name}").into()),
            Command::Debug(_) | Command::Register(_) | Command::NewGame | Command::Quit => {}
        }
        Ok(vec![])
    }

    fn set_up(&self, setup: &PositionSetup) -> Outcome<Chess> {
        let start = match &setup.start {
            StartPosition::Standard => Chess::default(),
            StartPosition::Fen(fen) => fen.as_str().parse::<Fen>()?.into_position(self.castling)?,
        };
        setup.moves.iter().try_fold(start, |position, text| {
            let played = text.as_str().parse::<UciMove>()?.to_move(&position)?;
            Ok(position.play(played)?)
        })
    }

    fn draw(&self) -> Outcome<Reply> {
        let moves = self.position.legal_moves();
        let dice = RandomState::new().hash_one(0) as usize % moves.len().max(1);
        let text = moves.get(dice).map(|drawn| drawn.to_uci(self.castling).to_string());
        Ok(Reply::best_move(text.map(|text| text.parse()).transpose()?))
    }
}

fn main() -> Outcome<()> {
    let options = Options::new([OptionDeclaration::check("UCI_Chess960", false)])?;
    let (castling, position) = (CastlingMode::Standard, Chess::default());
    let mut mover = RandomMover { options, castling, position, held: None };
    for line in stdin().lock().lines() {
        let replies = match Command::parse(&line?) {
            Ok(Some(Command::Quit)) => break,
            Ok(command) => command.map_or(Ok(vec![]), |command| mover.answer(command)),
            Err(error) => Err(error.into()),
        };
        for reply in replies.unwrap_or_else(|error| vec![Reply::error(error)]) {
            writeln!(stdout(), "{reply}")?;
        }
        stdout().flush()?;
    }
    Ok(())
}
