//! Plays an engine against a function, without the command line of `koel-arena`:
//! `cargo run -p koel-arena --no-default-features --example engine_against_function -- PROGRAM`.
#![allow(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;
use std::time::Duration;

use koel_arena::koel_uci::{Go, MoveText, PositionSetup};
use koel_arena::shakmaty::uci::UciMove;
use koel_arena::shakmaty::{CastlingMode, Chess, KnownOutcome, Move, Outcome, Position};
use koel_arena::statistics::Trinomial;
use koel_arena::{CancelToken, EngineProcess, EngineSpec, Timeouts};

const GAMES: u32 = 4;
const NODES: u64 = 1_000;
const MAX_PLIES: usize = 300;

/// The function: it takes the most valuable piece, and otherwise plays the first legal move.
fn greedy(position: &Chess) -> Option<Move> {
    let moves = position.legal_moves();
    moves.into_iter().max_by_key(|m| m.capture().map_or(0, |role| role as u8))
}

fn search(
    engine: &mut EngineProcess,
    played: &[MoveText],
) -> Result<Option<MoveText>, Box<dyn Error>> {
    let setup = PositionSetup { moves: played.to_vec(), ..PositionSetup::default() };
    let go = Go::default().with_nodes(NODES);
    let time = Duration::from_secs(30);
    Ok(engine.search(&setup.to_string(), &go, time, CancelToken::NEVER)?.best)
}

/// Plays a game. Returns the points of the function in halves.
fn play(engine: &mut EngineProcess, engine_is_white: bool) -> Result<usize, Box<dyn Error>> {
    engine.new_game(CancelToken::NEVER)?;
    let (mut position, mut played) = (Chess::new(), Vec::new());
    while !position.is_game_over() && played.len() < MAX_PLIES {
        let m = if position.turn().is_white() == engine_is_white {
            let best = search(engine, &played)?.ok_or("no move")?;
            best.as_str().parse::<UciMove>()?.to_move(&position)?
        } else {
            greedy(&position).ok_or("the game is over")?
        };
        played.push(UciMove::from_move(m, CastlingMode::Standard).to_string().parse()?);
        position.play_unchecked(m);
    }
    Ok(match position.outcome() {
        Outcome::Known(KnownOutcome::Decisive { winner }) => {
            if winner.is_white() == engine_is_white { 0 } else { 2 }
        }
        _ => 1,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::args().nth(1).ok_or("name the program of an engine")?;
    let spec = EngineSpec::new("engine", program).with_option("Hash", 16);
    let mut engine = EngineProcess::start(&spec, Timeouts::default(), CancelToken::NEVER)?;
    let mut games = Trinomial::default();
    for game in 0..GAMES {
        games.add(play(&mut engine, game % 2 == 0)?);
    }
    let [losses, draws, wins] = games.0;
    println!("the function against {}: +{wins} -{losses} ={draws}", engine.name());
    println!("Elo {}", games.strength().elo);
    Ok(())
}
