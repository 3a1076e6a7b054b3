//! Moves in Standard Algebraic Notation in the input of a terminal, where moves are printed in it.

use koel_board::{CastlingNotation, Game, Move, ParseMoveError, Position};
use koel_uci::{Command, PositionSetup, StartPosition};

use crate::session::Session;
use crate::session::command_error::CommandError;
use crate::session::job::InputLine;

impl Session<'_> {
    /// Returns the command of a line that could not be read, with its moves taken as Standard
    /// Algebraic Notation, if that makes it one. Programs write moves as UCI has them.
    ///
    /// # Errors
    /// A move of a position is none in either notation.
    pub(super) fn with_san(&self, text: &str, input: InputLine) -> Result<InputLine, CommandError> {
        if self.terminal.is_none() {
            return Ok(input);
        }
        let in_uci = match &input {
            Err(_) => position_in_uci(text).transpose()?,
            Ok(Command::Go(go)) if !go.errors.is_empty() => self.go_in_uci(text),
            Ok(_) => None,
        };
        Ok(in_uci.map_or(input, |text| text.parse()))
    }

    fn go_in_uci(&self, text: &str) -> Option<String> {
        let (start, words) = text.split_once(" searchmoves ")?;
        let position = self.game.position();
        let translate = |word| match read_move(position, word) {
            Ok(m) => m.uci(CastlingNotation::Chess960),
            Err(_) => str::to_owned(word),
        };
        let words: Vec<_> = words.split_whitespace().map(translate).collect();
        Some(format!("{start} searchmoves {}", words.join(" ")))
    }
}

fn position_in_uci(text: &str) -> Option<Result<String, CommandError>> {
    let (start, moves) = text.split_once(" moves ")?;
    let Ok(Command::Position(PositionSetup { start: setup, .. })) = start.parse() else {
        return None;
    };
    let start_position = match setup {
        StartPosition::Standard => Position::start(),
        StartPosition::Fen(fen) => Position::from_faulty_fen(&fen).ok()?.0,
    };
    let mut game = Game::new(start_position);
    let mut translated = format!("{start} moves");
    for (number, word) in (1..).zip(moves.split_whitespace()) {
        let m = match read_move(game.position(), word) {
            Ok(m) => m,
            Err(error) => return Some(Err(CommandError::Move { number, error })),
        };
        game.play(m).ok()?;
        // Castling in a notation that no other move has.
        translated += &format!(" {}", m.uci(CastlingNotation::Chess960));
    }
    Some(Ok(translated))
}

/// Reads a legal move in either notation.
fn read_move(position: &Position, word: &str) -> Result<Move, ParseMoveError> {
    position.parse_uci(word).or_else(|_| position.parse_san(word))
}
