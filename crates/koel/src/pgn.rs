//! Games in PGN: read, written with comments, annotated where a repetition was available or came
//! about.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::ops::ControlFlow::{self, Break, Continue};

use koel_board::{Game, Position};
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};

use crate::cycles::{CycleRow, cycle_rows};

/// The widest line that the PGN standard allows to write.
const WIDTH: usize = 79;

/// Writes those games, with comments, in which the third occurrence of a position was to be had by
/// a move, or came about. A game with an illegal move is passed over with a word.
///
/// # Errors
/// The input cannot be read or the output not written.
pub(crate) fn annotate(input: impl Read, mut output: impl Write) -> io::Result<()> {
    for (number, read) in (1..).zip(read_games(input)) {
        match read? {
            Ok(game) => output.write_all(game.annotated().unwrap_or_default().as_bytes())?,
            Err(error) => writeln!(output, "% game {number}: {error}\n")?,
        }
    }
    Ok(())
}

/// The games of a file, one by one. What is wrong with one is said instead of it.
pub(crate) fn read_games(
    input: impl Read,
) -> impl Iterator<Item = io::Result<Result<Recorded, String>>> {
    let mut reader = Reader::new(input);
    std::iter::from_fn(move || reader.read_game(&mut GameReader).transpose())
}

/// A game of a file.
pub(crate) struct Recorded {
    /// As they stand in the file.
    pub(crate) tags: String,
    pub(crate) game: Game,
    pub(crate) result: String,
}

/// The tags as text, and the position that they set up.
type Tags = (String, Option<Position>);

struct GameReader;

impl Visitor for GameReader {
    type Tags = Tags;
    type Movetext = Recorded;
    type Output = Result<Recorded, String>;

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

    fn begin_movetext(&mut self, (tags, start): Tags) -> ControlFlow<Self::Output, Recorded> {
        let game = start.map(Game::new).unwrap_or_default();
        Continue(Recorded { tags, game, result: "*".to_owned() })
    }

    fn san(&mut self, recorded: &mut Recorded, san: SanPlus) -> ControlFlow<Self::Output> {
        let game = &mut recorded.game;
        match game.position().parse_san(&san.to_string()) {
            Ok(m) => game.play(m).map_or_else(|error| Break(Err(error.to_string())), Continue),
            Err(error) => Break(Err(error.to_string())),
        }
    }

    fn outcome(&mut self, recorded: &mut Recorded, outcome: Outcome) -> ControlFlow<Self::Output> {
        recorded.result = outcome.to_string();
        Continue(())
    }

    fn end_game(&mut self, recorded: Recorded) -> Self::Output {
        Ok(recorded)
    }
}

impl Recorded {
    /// The game with comments, if there is anything to say about it.
    fn annotated(&self) -> Option<String> {
        // Over the board every position is the root: only the third time counts.
        let rows = cycle_rows(&self.game, usize::MAX);
        if !rows.iter().any(|row| row.draw || row.upcoming.is_some()) {
            return None;
        }
        Some(self.written(|ply, position| comment(&rows[ply], position)))
    }

    /// The game with comments on its positions, each given the plies before it.
    pub(crate) fn written(
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
        format!("{}{gap}{}\n\n", self.tags, wrapped(&words.join(" ")))
    }
}

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

/// Stands for a space at which a line is not to be broken.
pub(crate) const NO_BREAK: char = '\u{a0}';

fn wrapped(text: &str) -> String {
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
    fn the_chance_and_the_third_time_are_marked() {
        let text = annotated(&format!("[Event \"a \\\"b\\\"\"]\n\n1. e4 *\n\n{SHUFFLE}\n"));
        let expected = "\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 \
            { Ng8 repeats for the third time } 4... Ng8\n\
            { on the board 3 times; Nf3 repeats for the third time } 5. e4 1/2-1/2\n\n";
        assert!(text.split_whitespace().eq(expected.split_whitespace()), "{text}");
    }

    #[test]
    fn a_wrong_game_does_not_end_the_file() {
        let text = annotated(&format!("1. e4 e4 *\n\n{SHUFFLE}\n"));
        assert!(text.starts_with("% game 1: "), "{text}");
        assert!(text.contains("4. Ng1 {"), "{text}");
    }
}
