//! What is to be analysed: games, or positions taken for games without moves.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use koel_board::{Epd, Game};

use super::{AnalyzeError, has_extension};
use crate::pgn::{self, Recorded};

/// A game of the file, or a position.
pub(crate) struct Subject {
    pub(crate) recorded: Recorded,
}

/// Everything in a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Subject>, AnalyzeError> {
    let file_error = |error| AnalyzeError::File { path: path.to_owned(), error };
    if has_extension(path, "pgn") {
        let file = File::open(path).map_err(file_error)?;
        let game = |(number, read): (usize, io::Result<Result<Recorded, String>>)| {
            let wrong = |error| AnalyzeError::Game { path: path.to_owned(), number, error };
            Ok(Subject { recorded: read.map_err(file_error)?.map_err(wrong)? })
        };
        return (1..).zip(pgn::read_games(file)).map(game).collect();
    }
    if !has_extension(path, "epd") {
        return Err(AnalyzeError::Sort(path.to_owned()));
    }
    let text = fs::read_to_string(path).map_err(file_error)?;
    let lines = (1..).zip(text.lines());
    let is_position = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let position = |(number, line): (usize, &str)| {
        let wrong = |error| AnalyzeError::Line { path: path.to_owned(), number, error };
        Ok(of_epd(&line.parse().map_err(wrong)?))
    };
    lines.filter(|(_, line)| is_position(line)).map(position).collect()
}

fn of_epd(epd: &Epd) -> Subject {
    let name = epd.operand("id").unwrap_or("?").replace('\\', "\\\\").replace('"', "\\\"");
    let tags =
        format!("[Event \"{name}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n[Result \"*\"]\n", epd.position);
    let game = Game::new(epd.position.clone());
    Subject { recorded: Recorded { tags, game, result: "*".to_owned() } }
}
