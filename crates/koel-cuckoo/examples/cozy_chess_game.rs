//! Reports the cycles of a game, with the positions of cozy-chess: a board that keeps its Zobrist
//! keys private, and whose own key contains en passant after every double push.
//!
//! `cargo run -p koel-cuckoo --example cozy_chess_game -- g1f3 g8f6 f3g1`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::fmt::Write;

use cozy_chess::{
    Board, BoardBuilder, Color, Move, Piece, Rank, Square, get_king_moves, util::parse_uci_move,
};
use koel_cuckoo::{CycleTable, CycleTableError, KeyStack, ZobristKey};

const LINE: &str = "e2e4 g8f6 g1f3 f6g8 f3g1";

const PIECES: [Piece; 5] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

fn table() -> Result<CycleTable, CycleTableError> {
    let start = Board::default();
    let passed = start.null_move().expect("the starting position is no check");
    CycleTable::try_from_differences(difference, start.hash() ^ passed.hash())
}

/// Returns the XOR of the keys of two positions that differ by the square of this piece alone.
fn difference(index: usize, from: koel_cuckoo::Square, to: koel_cuckoo::Square) -> u64 {
    let (piece, color) = (PIECES[index % 5], Color::ALL[index / 5]);
    let [from, to] = [from, to].map(|square| Square::index(square.index()));
    let is_far = |&corner: &Square| {
        [from, to].into_iter().all(|square| corner != square && !get_king_moves(corner).has(square))
    };
    // A square is near one corner at most, so two corners are left for the kings.
    let mut corners = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().filter(is_far);
    let mut builder = BoardBuilder::empty();
    // The other side is to move, so that the piece may give check.
    builder.side_to_move = !color;
    for side in Color::ALL {
        if (piece, color) != (Piece::King, side) {
            let corner = corners.next().expect("a free corner");
            *builder.square_mut(corner) = Some((Piece::King, side));
        }
    }
    let key = |square| {
        let mut builder = builder.clone();
        *builder.square_mut(square) = Some((piece, color));
        builder.build().expect("a legal position").hash()
    };
    key(from) ^ key(to)
}

/// Returns the key of a position, with en passant only if such a capture is legal.
fn key(board: &Board) -> ZobristKey {
    let Some(file) = board.en_passant() else { return ZobristKey(board.hash()) };
    let side = board.side_to_move();
    let target = Square::new(file, Rank::Sixth.relative_to(side));
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let is_legal = board.generate_moves_for(pawns, |moves| moves.to.has(target));
    ZobristKey(if is_legal { board.hash() } else { board.hash_without_ep() })
}

/// Returns true if the move is neither a capture (castling counts as one here) nor a pawn move.
fn is_reversible(board: &Board, played: Move) -> bool {
    board.piece_on(played.from) != Some(Piece::Pawn) && !board.occupied().has(played.to)
}

fn report(moves: &[String]) -> Result<String, Box<dyn Error>> {
    let table = table()?;
    let mut board = Board::default();
    let mut history = KeyStack::new(key(&board), moves.len());
    let mut report = String::new();
    for text in moves {
        let played = parse_uci_move(&board, text).map_err(|error| error.to_string())?;
        let reversible = is_reversible(&board, played);
        board.try_play(played).map_err(|error| error.to_string())?;
        history.push(key(&board), reversible);
        let now = history.with_occupied(board.occupied().0);
        write!(report, "{text}: on the board {} time(s)", history.occurrences())?;
        if let Some(cycle) = table.upcoming_repetition(&now, |_| true) {
            write!(report, ", {}{} returns to {} plies ago", cycle.from, cycle.to, cycle.plies)?;
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
fn a_position_after_a_double_push_is_recognised() -> Result<(), Box<dyn Error>> {
    let moves: Vec<String> = LINE.split(' ').map(str::to_owned).collect();
    let report = report(&moves)?;
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[3], "f6g8: on the board 1 time(s), f3g1 returns to 3 plies ago");
    assert_eq!(lines[4], "f3g1: on the board 2 time(s), g8f6 returns to 3 plies ago");
    Ok(())
}

#[test]
fn en_passant_is_part_of_the_key_where_it_is_legal() -> Result<(), Box<dyn Error>> {
    let parse = |fen: &str| fen.parse::<Board>().map_err(|error| error.to_string());
    let legal = parse("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")?;
    assert_eq!(key(&legal).0, legal.hash());
    let pinned = parse("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1")?;
    assert_eq!(key(&pinned).0, pinned.hash_without_ep());
    Ok(())
}
