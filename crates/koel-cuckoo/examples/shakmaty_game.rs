//! Reports the cycles of a game, with shakmaty's positions and Zobrist keys.
//!
//! `cargo run -p koel-cuckoo --example shakmaty_game -- g1f3 g8f6 f3g1`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use koel_cuckoo::{CycleTable, KeyHistory, ZobristKey};
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

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let table = table();
    let mut moves: Vec<String> = std::env::args().skip(1).collect();
    if moves.is_empty() {
        moves.extend(LINE.split(' ').map(str::to_owned));
    }
    let mut position = Chess::default();
    let mut history = KeyHistory::new(key(&position), moves.len());
    for text in &moves {
        let played = text.parse::<UciMove>()?.to_move(&position)?;
        position.play_unchecked(played);
        history.push(key(&position), !played.is_zeroing() && !played.is_castle());
        let now = history.with_occupied(position.board().occupied().0);
        print!("{text}: on the board {} time(s)", history.occurrences());
        if let Some(cycle) = table.upcoming_repetition(&now, |_| true) {
            print!(", {}{} returns to {} plies ago", cycle.from, cycle.to, cycle.plies);
        }
        if let Some(cycle) = table.no_progress(&now, usize::MAX) {
            print!(", {}{} led here {} plies ago", cycle.from, cycle.to, cycle.plies);
        }
        println!();
    }
    Ok(())
}
