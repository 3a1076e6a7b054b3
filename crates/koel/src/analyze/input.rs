//! The input of `koel analyze`: games, or positions as games without moves.

use std::io;
use std::path::Path;

use koel_board::{Epd, Game};
use koel_files::{ANY_SIZE, IN_MEMORY};

use super::error::AnalyzeError;
use super::format::has_extension;
use crate::pgn::{self, PgnGame};

/// Reads all games or positions of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<PgnGame>, AnalyzeError> {
    let file_error = |error| AnalyzeError::File { path: path.to_owned(), error };
    if has_extension(path, "pgn") {
        let file = koel_files::open(path, ANY_SIZE).map_err(file_error)?;
        let game = |(number, read): (usize, io::Result<Result<PgnGame, String>>)| {
            let wrong = |error| AnalyzeError::Game { path: path.to_owned(), number, error };
            read.map_err(file_error)?.map_err(wrong)
        };
        return (1..).zip(pgn::read_games(file)).map(game).collect();
    }
    if !has_extension(path, "epd") {
        return Err(AnalyzeError::UnknownFormat(path.to_owned()));
    }
    let text = koel_files::read_to_string(path, IN_MEMORY).map_err(file_error)?;
    let lines = (1..).zip(text.lines());
    let is_position = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let position = |(number, line): (usize, &str)| {
        let wrong = |error| AnalyzeError::Line { path: path.to_owned(), number, error };
        Ok(from_epd(&line.parse().map_err(wrong)?))
    };
    lines.filter(|(_, line)| is_position(line)).map(position).collect()
}

/// Converts an EPD record to a game without moves.
fn from_epd(epd: &Epd) -> PgnGame {
    let name = epd.operand("id").unwrap_or("?").replace('\\', "\\\\").replace('"', "\\\"");
    let tags =
        format!("[Event \"{name}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n[Result \"*\"]\n", epd.position);
    let game = Game::new(epd.position.clone());
    PgnGame { tags, game, result: "*".to_owned() }
}
