//! Games as bytes, in the format of the viridithas engine's trainer, which other trainers read.
//!
//! A game is a packed position of 32 bytes, then two bytes of move and two of score for each ply,
//! then four bytes of zero; all numbers are little-endian, all scores from White's view. The
//! format was specified by the author of viridithas in the crate `viriformat`.

mod packed_board;
mod packed_move;

use std::io::{self, Read, Write};

use koel_board::{FenError, Move};
use thiserror::Error;

use crate::record::{GameRecord, Ply};
use packed_board::{BOARD_BYTES, pack_board, unpack_board};
use packed_move::{pack_move, unpack_move};

/// Bytes of a move and its score.
const PLY_BYTES: usize = 4;

/// Why bytes are not a game.
#[derive(Debug, Error)]
pub enum ViriformatError {
    /// The input could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The packed position breaks the format.
    #[error("packed position: {0}")]
    Board(&'static str),
    /// The packed position is no legal position.
    #[error("packed position: {0}")]
    Position(#[from] FenError),
    /// A move is not legal where it is played.
    #[error("ply {ply}: {found:?} is not legal")]
    IllegalMove {
        /// How many plies were played before it.
        ply: usize,
        /// The move as read.
        found: Move,
    },
    /// The input ends within a game.
    #[error("the file ends within a game")]
    Unfinished,
}

/// Writes a game.
///
/// # Errors
/// Those of the writer.
pub fn write_game(game: &GameRecord, writer: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(BOARD_BYTES + PLY_BYTES * (game.plies.len() + 1));
    bytes.extend(pack_board(&game.start, game.winner));
    for ply in &game.plies {
        bytes.extend(pack_move(ply.played).to_le_bytes());
        bytes.extend(ply.white_score.to_le_bytes());
    }
    bytes.extend([0; PLY_BYTES]);
    writer.write_all(&bytes)
}

/// Reads games one after another and says where each of them ended.
#[derive(Debug)]
pub struct GameReader<R> {
    input: R,
    offset: u64,
}

impl<R: Read> GameReader<R> {
    /// Reads from the start of a game. The input is asked for a few bytes at a time: buffer it.
    pub fn new(input: R) -> GameReader<R> {
        GameReader { input, offset: 0 }
    }

    /// How many bytes the games read so far take.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game, or `None` at the end of the input. Every move of it is legal.
    ///
    /// # Errors
    /// The input ends within a game or cannot be read, or its bytes are no legal game.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, ViriformatError> {
        let mut board = [0; BOARD_BYTES];
        match self.fill(&mut board)? {
            0 => return Ok(None),
            BOARD_BYTES => {}
            _ => return Err(ViriformatError::Unfinished),
        }
        let (start, winner) = unpack_board(&board)?;
        let mut game = GameRecord { start, plies: Vec::new(), winner };
        let mut position = game.start.clone();
        loop {
            let mut bytes = [0; PLY_BYTES];
            if self.fill(&mut bytes)? != PLY_BYTES {
                return Err(ViriformatError::Unfinished);
            }
            if bytes == [0; PLY_BYTES] {
                break;
            }
            let [low, high, score @ ..] = bytes;
            let played = unpack_move(u16::from_le_bytes([low, high]), &position);
            if !position.is_legal(played) {
                let ply = game.plies.len();
                return Err(ViriformatError::IllegalMove { ply, found: played });
            }
            position.play(played);
            game.plies.push(Ply { played, white_score: i16::from_le_bytes(score) });
        }
        self.offset += (BOARD_BYTES + PLY_BYTES * (game.plies.len() + 1)) as u64;
        Ok(Some(game))
    }

    /// Fills the buffer as far as there is input.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests;
