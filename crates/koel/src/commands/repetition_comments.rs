//! Annotation of the threefold repetitions that occurred or were available in the games of a PGN
//! file.

use std::io::{self, BufRead, Write};

use koel_board::Position;
use koel_pgn::{Annotation, GameReader, PgnEntry, PgnGame};

use crate::commands::cycles::{CycleRow, cycle_rows};

/// Writes the games in which a threefold repetition occurred or was available, with comments. A
/// faulty game is replaced by a `%` line with the error.
///
/// # Errors
/// The input cannot be read or the output cannot be written.
pub(crate) fn annotate(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for entry in GameReader::new(input) {
        match entry? {
            PgnEntry::Game(game) => {
                output.write_all(with_comments(&game).unwrap_or_default().as_bytes())?;
            }
            PgnEntry::Faulty(faulty) => {
                writeln!(output, "% line {}: {}\n", faulty.line, faulty.error)?;
            }
            PgnEntry::Text(_) => {}
        }
    }
    Ok(())
}

/// Returns the game with comments on its threefold repetitions, or `None` if there are none.
fn with_comments(pgn: &PgnGame) -> Option<String> {
    // Every position is taken as the root, so that only the third occurrence counts.
    let rows = cycle_rows(&pgn.game, usize::MAX);
    if !rows.iter().any(|row| row.draw || row.upcoming.is_some()) {
        return None;
    }
    Some(pgn.with_annotations(|ply, position, _| {
        let comment = comment(&rows[ply], position).unwrap_or_default();
        let comment = comment.split_whitespace().map(str::to_owned).collect();
        Annotation { comment, ..Annotation::default() }
    }))
}

/// Returns the comment on a threefold repetition.
fn comment(row: &CycleRow, position: &Position) -> Option<String> {
    let move_back = row.upcoming.as_ref().and_then(|text| position.parse_uci(text).ok());
    let available = move_back.map(|m| format!("{} repeats for the third time", position.san(m)));
    match (row.draw.then_some(row.occurrences), available) {
        (None, None) => None,
        (Some(times), None) => Some(format!("on the board {times} times")),
        (None, available) => available,
        (Some(times), Some(available)) => Some(format!("on the board {times} times; {available}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn annotated(pgn: &str) -> String {
        let mut output = Vec::new();
        annotate(pgn.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    const SHUFFLE: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1/2-1/2";

    #[test]
    fn games_without_repetition_are_left_out() {
        assert_eq!(annotated("[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0\n"), "");
    }

    #[test]
    fn available_and_actual_repetitions_are_marked() {
        let text = annotated(&format!("[Event \"a \\\"b\\\"\"]\n\n1. e4 *\n\n{SHUFFLE}\n"));
        let expected = "\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 \
            { Ng8 repeats for the third time } 4... Ng8\n\
            { on the board 3 times; Nf3 repeats for the third time } 5. e4 1/2-1/2\n\n";
        assert!(text.split_whitespace().eq(expected.split_whitespace()), "{text}");
    }

    #[test]
    fn a_faulty_game_does_not_end_the_file() {
        let text = annotated(&format!("1. e4 e4 *\n\n{SHUFFLE}\n"));
        assert!(text.starts_with("% line 1: "), "{text}");
        assert!(text.contains("4. Ng1 {"), "{text}");
    }
}
