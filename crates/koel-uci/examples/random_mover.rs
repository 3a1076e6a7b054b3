//! A complete UCI engine that plays random moves: `koel-uci` for the protocol, shakmaty for the
//! rules. Build it with `cargo build --example random_mover` and add it to any chess GUI.

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write, stdin, stdout};

use koel_uci::{Engine, EngineError, Go, Info, MoveText, PositionSetup, StartPosition, UciSession};
use shakmaty::{CastlingMode::Standard, Chess, Position, fen::Fen, uci::UciMove};

struct RandomMover(Chess);

impl Engine for RandomMover {
    fn name(&self) -> String {
        "Random Mover".to_owned()
    }

    fn author(&self) -> String {
        "nobody".to_owned()
    }

    fn set_position(&mut self, setup: &PositionSetup) -> Result<(), EngineError> {
        let start = match &setup.start {
            StartPosition::Standard => Chess::default(),
            StartPosition::Fen(fen) => fen.as_str().parse::<Fen>()?.into_position(Standard)?,
        };
        self.0 = setup.moves.iter().try_fold(start, |position, text| {
            let played = text.as_str().parse::<UciMove>()?.to_move(&position)?;
            Ok::<_, EngineError>(position.play(played)?)
        })?;
        Ok(())
    }

    fn search(&mut self, _: &Go, _: &mut dyn FnMut(Info)) -> Result<Option<MoveText>, EngineError> {
        let moves = self.0.legal_moves();
        let index = RandomState::new().hash_one(0) as usize % moves.len().max(1);
        let text = moves.get(index).map(|chosen| chosen.to_uci(Standard).to_string());
        Ok(text.map(|text| text.parse()).transpose()?)
    }
}

fn main() -> std::io::Result<()> {
    let mut session = UciSession::new(RandomMover(Chess::default()));
    for line in stdin().lock().lines() {
        if session.handle_line(&line?, &mut |reply| drop(writeln!(stdout(), "{reply}"))).is_break()
        {
            break;
        }
        stdout().flush()?;
    }
    Ok(())
}
