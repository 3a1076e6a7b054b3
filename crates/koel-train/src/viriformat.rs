//! Games in viriformat, the format of the trainer of the viridithas engine, which other trainers
//! read as well.
//!
//! A game is a packed position of 32 bytes, then for each ply two bytes of move and two of score,
//! then four bytes of zero. All numbers are little-endian, all scores from White's view. The
//! author of viridithas specified the format in the crate `viriformat`.
//!
//! Files of earlier versions also have positions of search trees, each before its game as a game of
//! one move with a mark in the byte that the format leaves free. They are passed over.

pub(crate) mod packed;

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use koel_board::{FenError, Move};
use koel_files::ANY_SIZE;
use thiserror::Error;

use crate::training_game::{ScoredMove, TrainingGame};
use packed::{BOARD_BYTES, pack_board, pack_move, unpack_board, unpack_move};

/// Bytes of a move and its score.
const PLY_BYTES: usize = 4;
/// The free byte of a packed position, and its value for a position of a search tree.
const MARK: usize = 31;
const TREE_POSITION: u8 = 1;

/// Reasons why bytes are not a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ViriformatError {
    /// The input could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The packed position breaks the format.
    #[error("packed position: {0}")]
    Board(&'static str),
    /// The packed position is not a legal position.
    #[error("packed position: {0}")]
    Position(#[from] FenError),
    /// A move is not legal where it is played: the number of plies before it, and what was read.
    #[error("ply {0}: {1:?} is not legal")]
    IllegalMove(usize, Move),
    /// The input ends within a game.
    #[error("the file ends within a game")]
    Unfinished,
}

/// Writes a game.
///
/// # Errors
/// The writer fails.
pub fn write_game(game: &TrainingGame, writer: &mut impl Write) -> io::Result<()> {
    let mut bytes = pack_board(&game.start, game.result).to_vec();
    for scored in &game.moves {
        bytes.extend(pack_move(scored.played).to_le_bytes());
        bytes.extend(scored.white_score.to_le_bytes());
    }
    bytes.extend([0; PLY_BYTES]);
    writer.write_all(&bytes)
}

/// A reader of consecutive games that keeps the byte offset of the end of the last one.
#[derive(Debug)]
pub struct GameReader<R> {
    input: R,
    /// The bytes taken, those of an unfinished game included.
    taken: u64,
    offset: u64,
}

impl<R: BufRead> GameReader<R> {
    /// Creates a reader from input that begins with a game.
    pub fn new(input: R) -> GameReader<R> {
        GameReader { input, taken: 0, offset: 0 }
    }

    /// Returns the number of bytes of the games read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next game, all of whose moves are legal, or `None` at the end of the input.
    ///
    /// # Errors
    /// The input ends within a game, cannot be read, or holds an illegal game.
    pub fn next_game(&mut self) -> Result<Option<TrainingGame>, ViriformatError> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        loop {
            let (game, mark) = self.take_moves()?;
            self.taken += (BOARD_BYTES + PLY_BYTES * (game.moves.len() + 1)) as u64;
            if mark != TREE_POSITION {
                self.offset = self.taken;
                return Ok(Some(game));
            }
        }
    }

    /// Takes a packed position with its moves, and returns its mark too.
    fn take_moves(&mut self) -> Result<(TrainingGame, u8), ViriformatError> {
        let board = self.take::<BOARD_BYTES>()?;
        let (start, result) = unpack_board(&board)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        loop {
            let bytes = self.take::<PLY_BYTES>()?;
            if bytes == [0; PLY_BYTES] {
                return Ok((TrainingGame { start, moves, result }, board[MARK]));
            }
            let [low, high, score @ ..] = bytes;
            let played = unpack_move(u16::from_le_bytes([low, high]), &position);
            if !position.is_legal(played) {
                return Err(ViriformatError::IllegalMove(moves.len(), played));
            }
            position.play(played);
            moves.push(ScoredMove { played, white_score: i16::from_le_bytes(score) });
        }
    }

    /// Takes the next bytes of a game.
    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], ViriformatError> {
        let mut bytes = [0; COUNT];
        self.input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ViriformatError::Unfinished,
            _ => ViriformatError::Io(error),
        })?;
        Ok(bytes)
    }
}

/// Calls `visit` with each game of a file, at most `limit`, and returns the end of the last in
/// bytes. A file that is still being written may end within a game, which is left out.
///
/// # Errors
/// The file cannot be read or is damaged.
pub(crate) fn for_each_game(
    path: &Path,
    limit: u32,
    mut visit: impl FnMut(&TrainingGame),
) -> Result<u64> {
    let mut read = || {
        let file = koel_files::open(path, ANY_SIZE)?;
        let mut games = GameReader::new(BufReader::with_capacity(1 << 20, file));
        for _ in 0..limit {
            match games.next_game() {
                Ok(Some(game)) => visit(&game),
                Ok(None) | Err(ViriformatError::Unfinished) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(games.offset())
    };
    read().map_err(|error| anyhow!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
