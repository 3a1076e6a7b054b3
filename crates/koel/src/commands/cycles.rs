//! The command `koel cycles`: repetitions of a line of moves, as a search sees them.

use koel_board::{CastlingNotation, Game, Move, Position};
use koel_cuckoo::{Cycle, KeyStack, ZobristKey};
use koel_search::CYCLES;

/// The repetition data of one position of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub(crate) struct CycleRow {
    /// Plies since the first position.
    pub(crate) index: usize,
    /// The move that led to this position, in UCI notation; none for the first position.
    #[cfg_attr(feature = "cli", serde(rename = "move"))]
    pub(crate) played: Option<String>,
    pub(crate) fen: String,
    /// The Zobrist key: `0x` and sixteen hexadecimal digits.
    pub(crate) key: String,
    /// The number of occurrences so far, this one included.
    pub(crate) occurrences: usize,
    /// True if a search from the root scores the position as a draw by repetition.
    pub(crate) draw: bool,
    /// The move that leads to the nearest earlier position which would be such a draw.
    pub(crate) upcoming: Option<String>,
    /// The index of an earlier position after the root from which one reversible move leads here.
    pub(crate) no_progress: Option<usize>,
}

/// Returns the repetition data of every position of a game, as seen by a search from the position
/// after `root` plies. Positions before the root are treated as if they were the root.
pub(crate) fn cycle_rows(game: &Game, root: usize) -> Vec<CycleRow> {
    let mut history = KeyStack::new(key(game.start()), game.moves().len());
    let mut rows = Vec::with_capacity(game.moves().len() + 1);
    let mut before = None::<Position>;
    let played = std::iter::once(None).chain(game.moves().map(Some));
    for (index, (position, played)) in game.positions().zip(played).enumerate() {
        if index > 0 {
            // Reversible: neither a pawn move nor a capture.
            history.push(key(&position), position.halfmove_clock() > 0);
        }
        let ply = index.saturating_sub(root);
        let occupied = position.occupied().0;
        let upcoming = history.upcoming_repetition(&CYCLES, occupied, ply);
        let no_progress = history.no_progress(&CYCLES, occupied, ply);
        rows.push(CycleRow {
            index,
            played: before.as_ref().zip(played).map(|(before, m)| uci(before, m)),
            fen: position.to_string(),
            key: position.key().to_string(),
            occurrences: history.occurrences(),
            draw: history.is_draw_by_repetition(ply),
            upcoming: upcoming.and_then(|cycle| cycle_move(&position, &cycle)),
            no_progress: no_progress.map(|cycle| index - cycle.plies),
        });
        before = Some(position);
    }
    rows
}

/// Formats the rows as a table.
#[cfg(feature = "cli")]
pub(crate) fn table(rows: &[CycleRow]) -> String {
    use std::fmt::Write;

    let mut text =
        "  ply  move   key                 times  draw  upcoming  no progress since\n".to_owned();
    for row in rows {
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let (played, upcoming) = (or_dash(&row.played), or_dash(&row.upcoming));
        let (key, times) = (&row.key, row.occurrences);
        let draw = if row.draw { "yes" } else { "-" };
        let origin = or_dash(&row.no_progress.map(|index| index.to_string()));
        let index = row.index;
        let line = format!(
            "{index:>5}  {played:<5}  {key}  {times:>5}  {draw:<4}  {upcoming:<8}  {origin}"
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn key(position: &Position) -> ZobristKey {
    ZobristKey(position.key().0)
}

/// Returns the legal move between the squares of a cycle.
fn cycle_move(position: &Position, cycle: &Cycle) -> Option<String> {
    let is_cycle_move = |m: &Move| {
        let (from, to) = (m.from().to_usize(), m.to().to_usize());
        !m.is_castling() && (from, to) == (cycle.from.index(), cycle.to.index())
    };
    let m = position.legal_moves().into_iter().find(is_cycle_move);
    debug_assert!(m.is_some(), "a move to an earlier position is legal");
    m.map(|m| uci(position, m))
}

fn uci(position: &Position, m: Move) -> String {
    position.uci(m, CastlingNotation::Standard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(fen: &str, moves: &str, root: usize) -> Vec<CycleRow> {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        cycle_rows(&game, root)
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn the_repetitions_of_a_shuffle_depend_on_the_root() {
        let rows_from = |root| rows(koel_board::START_FEN, SHUFFLE, root);
        let occurrences = rows_from(0).iter().map(|row| row.occurrences).collect::<Vec<_>>();
        assert_eq!(occurrences, [1, 1, 1, 1, 2, 2, 2, 2, 3]);
        let draws = |root| {
            rows_from(root).iter().filter(|row| row.draw).map(|row| row.index).collect::<Vec<_>>()
        };
        assert_eq!(draws(0), [5, 6, 7, 8], "the second occurrence strictly after the root");
        assert_eq!(draws(8), [8], "the third occurrence is a draw anywhere");
        let upcoming = rows_from(0).into_iter().map(|row| row.upcoming).collect::<Vec<_>>();
        assert_eq!(upcoming[3], None);
        assert_eq!(upcoming[4].as_deref(), Some("g1f3"));
    }

    #[test]
    fn triangulation_is_no_progress() {
        // White has reached with four moves the position that Ka2-a1 would have reached at ply 2.
        let line = "a1a2 h8g8 a2b2 g8h8 b2b1 h8g8 b1a1";
        let origins = |root| {
            let rows = rows("7k/8/8/8/8/8/8/K7 w - - 0 1", line, root);
            rows.into_iter().map(|row| row.no_progress).collect::<Vec<_>>()
        };
        let none = [None; 7].as_slice();
        assert_eq!(origins(0), [none, &[Some(2)]].concat());
        assert_eq!(origins(1), origins(0));
        assert_eq!(origins(2), [none, &[None]].concat(), "the origin must lie after the root");
    }
}
