//! The input of `koel analyze`: games, or positions as games without moves.

use std::path::Path;

use koel_board::{Epd, Game};
use koel_files::IN_MEMORY;

use crate::error::AnalyzeError;
use crate::pgn::{self, FaultyGame, PgnGame, Tags};

/// The games or positions of a file, and warnings on those that cannot be read.
pub(crate) struct Input {
    pub(crate) format: InputFormat,
    /// Each with its number in the file, from 1.
    pub(crate) games: Vec<(usize, Result<PgnGame, FaultyGame>)>,
    /// One for each game or line that is skipped.
    pub(crate) warnings: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputFormat {
    Games,
    Positions,
}

impl Input {
    /// Reads a file. Its format is recognised by its content.
    ///
    /// # Errors
    /// If the file cannot be read, or nothing in it can be analysed.
    pub(crate) fn read(path: &Path) -> Result<Input, AnalyzeError> {
        let file_error = |error| AnalyzeError::File { path: path.to_owned(), error };
        let text = pgn::decode(koel_files::read(path, IN_MEMORY).map_err(file_error)?);
        let input = match InputFormat::of(&text) {
            InputFormat::Games => games(path, &text),
            InputFormat::Positions => positions(path, &text),
        };
        if input.readable().next().is_some() {
            return Ok(input);
        }
        let path = path.to_owned();
        Err(match input.warnings.into_iter().next() {
            Some(first) => AnalyzeError::NothingReadable { first },
            None => AnalyzeError::Empty { path },
        })
    }

    /// Returns the games that can be analysed.
    pub(crate) fn readable(&self) -> impl Iterator<Item = &PgnGame> {
        self.games.iter().filter_map(|(_, game)| game.as_ref().ok())
    }
}

impl InputFormat {
    /// Recognises lines of EPD or FEN by the seven slashes in the first word of one.
    fn of(text: &str) -> InputFormat {
        let is_position = |line: &str| {
            let board = line.split_whitespace().next().unwrap_or_default();
            board.matches('/').count() == 7
        };
        let has_tags = text.lines().any(|line| line.trim_start().starts_with('['));
        let has_positions = text.lines().any(is_position);
        if has_positions && !has_tags { InputFormat::Positions } else { InputFormat::Games }
    }
}

fn games(path: &Path, text: &str) -> Input {
    let mut input = Input { format: InputFormat::Games, games: Vec::new(), warnings: Vec::new() };
    for (number, game) in (1..).zip(pgn::read_games(text)) {
        if let Err(faulty) = &game {
            let player = |color| faulty.tags.value(color).unwrap_or("?");
            input.warnings.push(format!(
                "{}: game {number} ({} - {}): {}",
                path.display(),
                player("White"),
                player("Black"),
                faulty.error
            ));
        }
        input.games.push((number, game));
    }
    input
}

fn positions(path: &Path, text: &str) -> Input {
    let mut input =
        Input { format: InputFormat::Positions, games: Vec::new(), warnings: Vec::new() };
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.parse::<Epd>() {
            Ok(epd) => input.games.push((input.games.len() + 1, Ok(from_epd(&epd)))),
            Err(error) => {
                input.warnings.push(format!("{}: line {number}: {error}", path.display()));
            }
        }
    }
    input
}

/// Converts an EPD record to a game without moves. The operations become a comment.
fn from_epd(epd: &Epd) -> PgnGame {
    let tags = [
        ("Event", epd.operand("id").unwrap_or("?")),
        ("SetUp", "1"),
        ("FEN", &epd.position.to_string()),
        ("Result", "*"),
    ];
    let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let operations = Epd {
        operations: epd.operations.iter().filter(|op| op.opcode != "id").cloned().collect(),
        position: epd.position.clone(),
    };
    // The four fields of the position come first.
    let operations = operations.to_string().splitn(5, ' ').nth(4).unwrap_or_default().to_owned();
    let game = Game::new(epd.position.clone());
    PgnGame::without_moves(Tags(tags.to_vec()), game, &operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_recognised_by_the_content() {
        let position = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;";
        for (text, format) in [
            (position, InputFormat::Positions),
            (&format!("# comment\n\nbroken\n{position}"), InputFormat::Positions),
            ("1. e4 e5 1/2-1/2", InputFormat::Games),
            (&format!("[FEN \"{position}\"]\n\n1. e4 *"), InputFormat::Games),
            (&format!("[Event \"x\"]\n\n{{\n{position}\n}} 1. e4 *"), InputFormat::Games),
        ] {
            assert_eq!(InputFormat::of(text), format, "{text}");
        }
    }

    #[test]
    fn operations_become_a_comment() {
        let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\"; c0 \"a b\";";
        let game = from_epd(&epd.parse().unwrap());
        let text = game.with_annotations(|_, _| pgn::Annotation::default());
        assert!(text.ends_with("\n\n{bm Rd8#; c0 \"a b\";} *\n\n"), "{text}");
        assert_eq!(game.tags.value("Event"), Some("back rank"));
    }
}
