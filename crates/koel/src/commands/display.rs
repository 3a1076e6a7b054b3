//! The command `d`: a position as text.

use std::fmt::Write;

use koel_board::{CastlingNotation, File, Game, Move, Position, Rank, Square};

use crate::commands::cycles::{CycleRow, cycle_rows};

/// The notation of moves in output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MoveNotation {
    /// That of the protocol, for programs.
    Uci(CastlingNotation),
    /// Standard Algebraic Notation, for people.
    San,
}

impl MoveNotation {
    /// Returns a legal move of this position as text.
    pub(crate) fn write(self, position: &Position, m: Move) -> String {
        match self {
            MoveNotation::Uci(castling) => m.uci(castling),
            MoveNotation::San => position.san(m),
        }
    }
}

/// Returns the data of the position and its repetitions as text.
pub(crate) fn render_data(game: &Game, notation: MoveNotation) -> String {
    let position = game.position();
    let checkers = position.checkers().into_iter().map(|square| square.to_string());
    let mut text = String::new();
    let _ = writeln!(text, "Fen: {position}");
    let _ = writeln!(text, "Key: {}", position.key());
    let _ = writeln!(text, "Checkers: {}", checkers.collect::<Vec<_>>().join(" "));
    let _ = writeln!(text, "Legal moves: {}", position.count_legal_moves());
    let _ = writeln!(text, "Halfmove clock: {}", position.halfmove_clock());
    if let Some((before, last)) = game.positions().zip(game.moves()).last() {
        let _ = writeln!(text, "Last move: {}", notation.write(&before, last));
    }
    text + &repetition_text(game, notation)
}

/// Returns the board with White at the bottom.
pub(crate) fn render_board(game: &Game) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = LINE.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = game.position().piece_at(Square::from_coords(file, rank));
            let _ = write!(text, " | {}", piece.map_or(' ', |piece| piece.char()));
        }
        let _ = write!(text, " | {}\n{LINE}", rank.char());
    }
    text + "   a   b   c   d   e   f   g   h\n\n"
}

/// Describes the repetitions, as seen by a search from the first position.
fn repetition_text(game: &Game, notation: MoveNotation) -> String {
    let Some(CycleRow { occurrences, draw, upcoming, no_progress, .. }) = cycle_rows(game, 0).pop()
    else {
        return String::new();
    };
    let draw = if draw { "yes" } else { "no" };
    let position = game.position();
    let upcoming = upcoming.map_or("none".to_owned(), |text| match position.parse_uci(&text) {
        Ok(m) => notation.write(position, m),
        Err(_) => text,
    });
    let origin = no_progress.map_or("no".to_owned(), |index| format!("since ply {index}"));
    format!(
        "Occurrences: {occurrences}\n\
         For a search from the first position:\n\
         \x20 draw by repetition: {draw}\n\
         \x20 upcoming repetition: {upcoming}\n\
         \x20 no progress: {origin}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn() {
        let board = render_board(&Game::default());
        assert!(board.starts_with(
            " +---+---+---+---+---+---+---+---+\n | r | n | b | q | k | b | n | r | 8\n"
        ));
        let data = render_data(&Game::default(), MoveNotation::San);
        assert!(data.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"));
        assert!(data.contains("Legal moves: 20\n"));
    }
}
