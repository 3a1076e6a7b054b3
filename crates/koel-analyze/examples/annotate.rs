//! Annotates the games of a file by an evaluation of one's own: the material after each move.
//! Arguments: the file and the output.
#![allow(clippy::print_stderr, reason = "an example")]

use koel_analyze::{AnalysisEngine, EngineFailure, FileAnalysis, PositionAnalysis};
use koel_board::{Game, Position, Role};
use koel_uci::Score;

/// An engine that takes the move after which it has most.
struct Greedy;

/// The material of the side to move less that of the other, in centipawns.
fn material(position: &Position) -> i32 {
    const VALUES: [(Role, i32); 5] = [
        (Role::Pawn, 100),
        (Role::Knight, 300),
        (Role::Bishop, 300),
        (Role::Rook, 500),
        (Role::Queen, 900),
    ];
    let us = position.turn();
    let difference =
        |role| position.pieces(us, role).count() as i32 - position.pieces(!us, role).count() as i32;
    VALUES.iter().map(|&(role, value)| value * difference(role)).sum()
}

impl AnalysisEngine for Greedy {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        Ok(())
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let position = game.positions().nth(plies).ok_or("the game is shorter")?;
        let moves = position.legal_moves().into_iter();
        let best =
            moves.map(|m| (-material(&position.after(m)), m)).max_by_key(|&(value, _)| value);
        Ok(best.map(|(value, best)| {
            let expected = 1.0 / (1.0 + (-f64::from(value) / 300.0).exp());
            PositionAnalysis::new(best, Score::Centipawns(value), expected)
        }))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("expected a file of games and a file for the output".into());
    };
    let files = FileAnalysis { output: Some(output.into()), ..FileAnalysis::new(file) };
    let skipped = files.run(|| Ok(Greedy), &|| false, &mut std::io::stderr())?;
    eprintln!("{skipped} games were not read to their end");
    Ok(())
}
