//! A complete UCI engine that plays random moves: `koel-uci` for the protocol, shakmaty for the
//! rules. Build it with `cargo build --example random_mover` and add it to any chess GUI.

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write, stdin, stdout};

use koel_uci::{Command, PositionSetup, Reply, StartPosition};
use shakmaty::{CastlingMode::Standard, Chess, Position, fen::Fen, uci::UciMove};

fn set_up(setup: &PositionSetup) -> Result<Chess, Box<dyn Error>> {
    let start = match &setup.start {
        StartPosition::Standard => Chess::default(),
        StartPosition::Fen(fen) => fen.as_str().parse::<Fen>()?.into_position(Standard)?,
    };
    setup.moves.iter().try_fold(start, |position, text| {
        let played = text.as_str().parse::<UciMove>()?.to_move(&position)?;
        Ok(position.play(played)?)
    })
}

/// Every `go` is answered at once, so that `stop` and `ponderhit` have nothing to do.
fn best_move(position: &Chess) -> Result<Reply, Box<dyn Error>> {
    let moves = position.legal_moves();
    let index = RandomState::new().hash_one(0) as usize % moves.len().max(1);
    let text = moves.get(index).map(|chosen| chosen.to_uci(Standard).to_string());
    Ok(Reply::best_move(text.map(|text| text.parse()).transpose()?))
}

fn replies(position: &mut Chess, command: Command) -> Result<Vec<Reply>, Box<dyn Error>> {
    let (name, author) = ("Random Mover".to_owned(), "nobody".to_owned());
    Ok(match command {
        Command::Uci => vec![Reply::Name(name), Reply::Author(author), Reply::UciOk],
        Command::IsReady => vec![Reply::ReadyOk],
        Command::Position(setup) => {
            *position = set_up(&setup)?;
            Vec::new()
        }
        Command::Go(_) => vec![best_move(position)?],
        _ => Vec::new(),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut position = Chess::default();
    for line in stdin().lock().lines() {
        let replies = match Command::parse(&line?) {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => replies(&mut position, command),
            Ok(None) => continue,
            Err(error) => Err(error.into()),
        };
        for reply in replies.unwrap_or_else(|error| vec![Reply::error(error)]) {
            writeln!(stdout(), "{reply}")?;
        }
    }
    Ok(())
}
