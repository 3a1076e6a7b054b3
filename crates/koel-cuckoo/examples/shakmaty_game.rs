//! Reports the cycles of a game, with shakmaty's positions and Zobrist keys.
//!
//! `cargo run -p koel-cuckoo --example shakmaty_game -- g1f3 g8f6 f3g1`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::fmt::Write;

use koel_cuckoo::{CycleTable, KeyStack, ZobristKey};
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Chess, Color, EnPassantMode, Piece, Position, Role, Square, uci::UciMove};

const LINE: &str = "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 e1e2 e8e7 e2f3 e7e8 f3e3 e8e7 e3d3";

fn table() -> CycleTable {
    let kinds = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let keys = core::array::from_fn(|piece| {
        let piece = Piece { color: Color::ALL[piece / 5], role: kinds[piece % 5] };
        Square::ALL.map(|square| Zobrist64::zobrist_for_piece(square, piece).0)
    });
    CycleTable::new(&keys, Zobrist64::zobrist_for_white_turn().0)
}

fn key(position: &Chess) -> ZobristKey {
    ZobristKey(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0)
}

fn report(moves: &[String]) -> Result<String, Box<dyn Error>> {
    let table = table();
    let mut position = Chess::default();
    let mut history = KeyStack::new(key(&position), moves.len());
    let mut report = String::new();
    for text in moves {
        let played = text.parse::<UciMove>()?.to_move(&position)?;
        position.play_unchecked(played);
        history.push(key(&position), !played.is_zeroing() && !played.is_castle());
        let now = history.with_occupied(position.board().occupied().0);
        write!(report, "{text}: on the board {} time(s)", history.occurrences())?;
        if let Some(cycle) = table.upcoming_repetition(&now, |_| true) {
            write!(report, ", {}{} returns to {} plies ago", cycle.from, cycle.to, cycle.plies)?;
        }
        if let Some(cycle) = table.no_progress(&now, usize::MAX) {
            write!(report, ", {}{} led here {} plies ago", cycle.from, cycle.to, cycle.plies)?;
        }
        report.push('\n');
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut moves: Vec<String> = std::env::args().skip(1).collect();
    if moves.is_empty() {
        moves.extend(LINE.split(' ').map(str::to_owned));
    }
    print!("{}", report(&moves)?);
    Ok(())
}

#[test]
fn the_line_repeats_twice_and_loses_a_move() -> Result<(), Box<dyn Error>> {
    let moves: Vec<String> = LINE.split(' ').map(str::to_owned).collect();
    let report = report(&moves)?;
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines.len(), moves.len());
    assert_eq!(lines[2], "f3g1: on the board 1 time(s), f6g8 returns to 3 plies ago");
    assert_eq!(lines[3], "f6g8: on the board 2 time(s), g1f3 returns to 3 plies ago");
    assert_eq!(lines[12], "e3d3: on the board 1 time(s), e2d3 led here 5 plies ago");
    Ok(())
}
