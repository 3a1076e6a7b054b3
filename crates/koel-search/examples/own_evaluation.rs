//! Koel's search with an evaluation of twenty lines: it plays 100 games against itself, each a few
//! moves from the start, every move checked.
#![allow(clippy::print_stdout, reason = "an example")]

use koel_board::{Color, Game, Position, Role};
use koel_eval::{Centipawns, Evaluation};
use koel_search::{Limits, Searcher};

/// Material, and a little for each move that is possible.
fn evaluate(position: &Position) -> Centipawns {
    const VALUES: [(Role, i32); 5] = [
        (Role::Pawn, 100),
        (Role::Knight, 300),
        (Role::Bishop, 310),
        (Role::Rook, 500),
        (Role::Queen, 900),
    ];
    let material = |color: Color| -> i32 {
        let count = |role| position.pieces(color, role).count() as i32;
        VALUES.iter().map(|&(role, value)| value * count(role)).sum()
    };
    let us = position.turn();
    Centipawns(material(us) - material(!us) + 2 * position.count_legal_moves() as i32)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut searcher = Searcher::new(1, Evaluation::custom(evaluate))?;
    let openings = Position::start().legal_moves();
    let mut outcomes = std::collections::BTreeMap::<String, u32>::new();
    let mut moves = 0;
    for number in 0..100 {
        let mut game = Game::default();
        game.play(openings[number % openings.len()])?;
        let replies = game.position().legal_moves();
        game.play(replies[number / openings.len()])?;
        searcher.new_game();
        while game.outcome().is_none() && game.moves().len() < 300 {
            let Some(m) = searcher.search(&game, &Limits::to_depth(3)).best_move else { break };
            // An illegal move would be an error.
            game.play(m)?;
        }
        moves += game.moves().len();
        *outcomes.entry(format!("{:?}", game.outcome())).or_default() += 1;
    }
    println!("100 games, {moves} plies, all legal: {outcomes:?}");
    Ok(())
}
