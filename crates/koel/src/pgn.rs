//! Games in PGN: reading, writing with comments, and annotation of threefold repetitions that
//! occurred or were available.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::{Game, Position};
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};

use crate::cycles::{CycleRow, cycle_rows};

/// The longest line of the PGN export format.
const WIDTH: usize = 79;

/// Writes the games in which a threefold repetition occurred or was available, with comments. A
/// game with an illegal move is replaced by a `%` line with the error.
///
/// # Errors
/// The input cannot be read or the output not written.
pub(crate) fn annotate(input: impl Read, mut output: impl Write) -> io::Result<()> {
    for (number, read) in (1..).zip(read_games(input)) {
        match read? {
            Ok(game) => {
                output.write_all(game.with_repetition_comments().unwrap_or_default().as_bytes())?
            }
            Err(error) => writeln!(output, "% game {number}: {error}\n")?,
        }
    }
    Ok(())
}

/// Reads the games of a file one by one. A faulty game gives an error message.
pub(crate) fn read_games(
    input: impl Read,
) -> impl Iterator<Item = io::Result<Result<PgnGame, String>>> {
    let mut reader = Reader::new(input);
    std::iter::from_fn(move || reader.read_game(&mut GameReader).transpose())
}

/// A game of a PGN file.
pub(crate) struct PgnGame {
    /// The tag section as text.
    pub(crate) tags: String,
    pub(crate) game: Game,
    pub(crate) result: String,
}

/// The tags as text, and the position that they set up.
type Tags = (String, Option<Position>);

struct GameReader;

impl Visitor for GameReader {
    type Tags = Tags;
    type Movetext = PgnGame;
    type Output = Result<PgnGame, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        Continue((String::new(), None))
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let (text, start) = tags;
        let value = value.decode_utf8_lossy();
        if name.eq_ignore_ascii_case(b"FEN") {
            match Position::from_fen(&value) {
                Ok(position) => *start = Some(position),
                Err(error) => return Break(Err(error.to_string())),
            }
        }
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{} \"{escaped}\"]", String::from_utf8_lossy(name));
        Continue(())
    }

    fn begin_movetext(&mut self, (tags, start): Tags) -> ControlFlow<Self::Output, PgnGame> {
        let game = start.map(Game::new).unwrap_or_default();
        Continue(PgnGame { tags, game, result: "*".to_owned() })
    }

    fn san(&mut self, pgn: &mut PgnGame, san: SanPlus) -> ControlFlow<Self::Output> {
        let game = &mut pgn.game;
        match game.position().parse_san(&san.to_string()) {
            Ok(m) => game.play(m).map_or_else(|error| Break(Err(error.to_string())), Continue),
            Err(error) => Break(Err(error.to_string())),
        }
    }

    fn outcome(&mut self, pgn: &mut PgnGame, outcome: Outcome) -> ControlFlow<Self::Output> {
        pgn.result = outcome.to_string();
        Continue(())
    }

    fn end_game(&mut self, pgn: PgnGame) -> Self::Output {
        Ok(pgn)
    }
}

impl PgnGame {
    /// Returns the game with comments on its threefold repetitions, or `None` if there are none.
    fn with_repetition_comments(&self) -> Option<String> {
        // Every position is taken as the root, so that only the third occurrence counts.
        let rows = cycle_rows(&self.game, usize::MAX);
        if !rows.iter().any(|row| row.draw || row.upcoming.is_some()) {
            return None;
        }
        Some(self.with_comments(|ply, position| comment(&rows[ply], position)))
    }

    /// Returns the game as PGN with a comment on each position for which the function, given the
    /// ply, returns one.
    pub(crate) fn with_comments(
        &self,
        mut comment: impl FnMut(usize, &Position) -> Option<String>,
    ) -> String {
        let mut words = Vec::new();
        let mut after_comment = true;
        let mut following = self.game.moves();
        for (ply, position) in self.game.positions().enumerate() {
            let comment = comment(ply, &position);
            after_comment |= comment.is_some();
            words.extend(comment);
            let Some(m) = following.next() else { break };
            if position.turn().is_white() {
                words.push(format!("{}.", position.fullmove_number()));
            } else if after_comment {
                words.push(format!("{}...", position.fullmove_number()));
            }
            words.push(position.san(m));
            after_comment = false;
        }
        words.push(self.result.clone());
        let gap = if self.tags.is_empty() { "" } else { "\n" };
        format!("{}{gap}{}\n\n", self.tags, wrap(&words.join(" ")))
    }
}

/// Returns the comment on a threefold repetition.
fn comment(row: &CycleRow, position: &Position) -> Option<String> {
    let move_back = row.upcoming.as_ref().and_then(|text| position.parse_uci(text).ok());
    let available = move_back.map(|m| format!("{} repeats for the third time", position.san(m)));
    match (row.draw.then_some(row.occurrences), available) {
        (None, None) => None,
        (Some(times), None) => Some(format!("{{ on the board {times} times }}")),
        (None, Some(available)) => Some(format!("{{ {available} }}")),
        (Some(times), Some(available)) => {
            Some(format!("{{ on the board {times} times; {available} }}"))
        }
    }
}

/// A space at which no line break is allowed.
pub(crate) const NO_BREAK: char = '\u{a0}';

/// Breaks a text into lines.
fn wrap(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 {
            let fits = column + 1 + word.chars().count() <= WIDTH;
            lines.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        let word = word.replace(NO_BREAK, " ");
        lines.push_str(&word);
        column += word.len();
    }
    lines
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
        assert!(text.starts_with("% game 1: "), "{text}");
        assert!(text.contains("4. Ng1 {"), "{text}");
    }
}
