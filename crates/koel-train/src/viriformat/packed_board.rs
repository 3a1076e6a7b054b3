//! A position in 32 bytes.

use koel_board::{Color, Position, Role, Square};

use super::error::ViriformatError;
use crate::placement::{EMPTY, placement};
use crate::training_game::GameResult;

/// Bytes of a packed position.
pub(super) const BOARD_BYTES: usize = 32;

/// The code of a rook with castling rights, in place of that of a rook.
const CASTLING_ROOK: u8 = 6;
/// The bit set in the code of a black piece.
const BLACK: u8 = 8;
/// The value that stands for no en passant square.
const NO_SQUARE: u8 = 64;
/// The bit set beside the en passant square when Black is to move.
const BLACK_TO_MOVE: u8 = 128;

const ROLE_LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

/// Packs a position and the result of its game. The score field stays zero.
pub(super) fn pack_board(position: &Position, result: GameResult) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    bytes[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    for (index, square) in position.occupied().into_iter().enumerate() {
        bytes[8 + index / 2] |= piece_code(position, square) << (4 * (index % 2));
    }
    let side = if position.turn().is_black() { BLACK_TO_MOVE } else { 0 };
    bytes[24] = side | position.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
    let number = u16::try_from(position.fullmove_number()).unwrap_or(u16::MAX);
    bytes[26..28].copy_from_slice(&number.to_le_bytes());
    bytes[30] = match result {
        GameResult::Win(Color::Black) => 0,
        GameResult::Draw => 1,
        GameResult::Win(Color::White) => 2,
    };
    bytes
}

fn piece_code(position: &Position, square: Square) -> u8 {
    let role = position.role_at(square).unwrap_or(Role::Pawn);
    let code = match position.castling_rooks().contains(square) {
        true => CASTLING_ROOK,
        false => role as u8 - 1,
    };
    if position.color(Color::Black).contains(square) { code | BLACK } else { code }
}

/// Unpacks a position and the result of its game.
pub(super) fn unpack_board(
    bytes: &[u8; BOARD_BYTES],
) -> Result<(Position, GameResult), ViriformatError> {
    let result = match bytes[30] {
        0 => GameResult::Win(Color::Black),
        1 => GameResult::Draw,
        2 => GameResult::Win(Color::White),
        _ => return Err(ViriformatError::Board("invalid result")),
    };
    Ok((Position::from_fen(&fen(bytes)?)?, result))
}

/// Returns the position as FEN, from which [`Position::from_fen`] checks that it is legal.
fn fen(bytes: &[u8; BOARD_BYTES]) -> Result<String, ViriformatError> {
    let mut squares = [EMPTY; 64];
    let mut castling = String::new();
    let occupied = bytes[..8].iter().rev().fold(0, |all: u64, &byte| all << 8 | u64::from(byte));
    if occupied.count_ones() > 32 {
        return Err(ViriformatError::Board("more than 32 pieces"));
    }
    let occupied_squares = (0..64).filter(|square| occupied >> square & 1 == 1);
    for (index, square) in occupied_squares.enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let cased = |letter: char| {
            if code & BLACK == 0 { letter.to_ascii_uppercase() } else { letter }
        };
        squares[square] = match code & !BLACK {
            CASTLING_ROOK => {
                castling.push(cased(char::from(b'a' + square as u8 % 8)));
                cased('r')
            }
            code => {
                let letter = ROLE_LETTERS.get(usize::from(code));
                cased(*letter.ok_or(ViriformatError::Board("invalid piece"))?)
            }
        };
    }
    let turn = if bytes[24] & BLACK_TO_MOVE == 0 { 'w' } else { 'b' };
    let en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_SQUARE => "-".to_owned(),
        square @ 0..NO_SQUARE => Square::new(u32::from(square)).to_string(),
        _ => return Err(ViriformatError::Board("invalid en passant square")),
    };
    let castling = if castling.is_empty() { "-" } else { &castling };
    let (clock, number) = (bytes[25], u16::from_le_bytes([bytes[26], bytes[27]]));
    Ok(format!("{} {turn} {castling} {en_passant} {clock} {number}", placement(&squares)))
}
