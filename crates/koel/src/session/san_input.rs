//! Moves in Standard Algebraic Notation in the input of a terminal, where moves are printed in it.

use koel_board::{Game, Move, Position};
use koel_uci::{Command, PositionSetup, StartPosition};

use crate::session::Session;
use crate::session::job::InputLine;

impl Session<'_> {
    /// Returns the command of a line that could not be read, with its moves taken as Standard
    /// Algebraic Notation, if that makes it one. Programs write moves as UCI has them.
    pub(super) fn with_san(&self, text: &str, input: InputLine) -> InputLine {
        if self.terminal.is_none() {
            return input;
        }
        let in_uci = match &input {
            Err(_) => self.position_in_uci(text),
            Ok(Command::Go(go)) if !go.errors.is_empty() => self.go_in_uci(text),
            Ok(_) => None,
        };
        in_uci.map_or(input, |text| text.parse())
    }

    fn position_in_uci(&self, text: &str) -> Option<String> {
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
        for word in moves.split_whitespace() {
            match read_move(game.position(), word) {
                Some(m) if game.play(m).is_ok() => {
                    translated += &format!(" {}", m.uci(self.settings.castling()));
                }
                // The error names this word.
                _ => translated += &format!(" {word}"),
            }
        }
        Some(translated)
    }

    fn go_in_uci(&self, text: &str) -> Option<String> {
        let (start, words) = text.split_once(" searchmoves ")?;
        let position = self.game.position();
        let translate = |word| match read_move(position, word) {
            Some(m) => m.uci(self.settings.castling()),
            None => str::to_owned(word),
        };
        let words: Vec<_> = words.split_whitespace().map(translate).collect();
        Some(format!("{start} searchmoves {}", words.join(" ")))
    }
}

/// Reads a legal move in either notation.
fn read_move(position: &Position, word: &str) -> Option<Move> {
    position.parse_uci(word).or_else(|_| position.parse_san(word)).ok()
}
