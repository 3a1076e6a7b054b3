//! A position in 32 bytes and a move in two.

use koel_board::{Color, Move, MoveKind, Position, Role, Square};

use super::ViriformatError;
use crate::training_game::GameResult;

/// Bytes of a packed position.
pub(crate) const BOARD_BYTES: usize = 32;

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
    let number = u16::try_from(position.fullmove_number()).unwrap_or(u16::MAX);
    let pieces = pack_pieces(position, CASTLING_ROOK);
    let mut bytes = pack_fields(position.occupied().0, pieces, position.turn(), number);
    if let Some(square) = position.en_passant() {
        bytes[24] = bytes[24] & BLACK_TO_MOVE | square as u8;
    }
    bytes[25] = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
    bytes[30] = match result {
        GameResult::Win(Color::Black) => 0,
        GameResult::Draw => 1,
        GameResult::Win(Color::White) => 2,
    };
    bytes
}

/// Packs a position without en passant square.
pub(crate) fn pack_fields(
    occupied: u64,
    pieces: [u8; 16],
    turn: Color,
    number: u16,
) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[8..24].copy_from_slice(&pieces);
    bytes[24] = NO_SQUARE | if turn.is_black() { BLACK_TO_MOVE } else { 0 };
    bytes[26..28].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// Returns four bits for each piece in the order of squares: its role, and 8 for Black. A rook with
/// castling rights has a code of its own.
pub(crate) fn pack_pieces(position: &Position, castling_rook: u8) -> [u8; 16] {
    let mut pieces = [0; 16];
    for (index, square) in position.occupied().into_iter().enumerate() {
        let code = match position.castling_rooks().contains(square) {
            true => castling_rook,
            false => position.role_at(square).unwrap_or(Role::Pawn) as u8 - 1,
        };
        let color = if position.color(Color::Black).contains(square) { BLACK } else { 0 };
        pieces[index / 2] |= (code | color) << (4 * (index % 2));
    }
    pieces
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

/// Returns a position as FEN, from which [`Position::from_fen`] checks that it is legal.
pub(crate) fn fen(bytes: &[u8; BOARD_BYTES]) -> Result<String, ViriformatError> {
    let mut squares = [' '; 64];
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

/// Returns the placement field of a FEN for the letters of the pieces on a1, b1, ..., h8, with
/// blanks for empty squares.
fn placement(squares: &[char; 64]) -> String {
    let rank = |squares: &[char]| {
        let runs = squares.chunk_by(|&a, &b| a == ' ' && b == ' ');
        runs.map(|run| if run[0] == ' ' { run.len().to_string() } else { run[0].to_string() })
            .collect::<String>()
    };
    squares.chunks(8).rev().map(rank).collect::<Vec<_>>().join("/")
}

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

const PROMOTED: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Packs a move. Captures are not marked: the reader finds them on the board.
pub(super) fn pack_move(m: Move) -> u16 {
    let squares = m.from() as u16 | (m.to() as u16) << 6;
    let code = |role| PROMOTED.iter().position(|&other| other == role).unwrap_or(0) as u16;
    match m.kind() {
        Some(MoveKind::EnPassant) => squares | EN_PASSANT,
        Some(MoveKind::CastleShort | MoveKind::CastleLong) => squares | CASTLING,
        Some(MoveKind::Promotion(role) | MoveKind::PromotionCapture(role)) => {
            squares | code(role) << 12 | PROMOTION
        }
        _ => squares,
    }
}

/// Unpacks a move in a position. It need not be legal there.
pub(super) fn unpack_move(bits: u16, position: &Position) -> Move {
    let from = Square::new(u32::from(bits) & 63);
    let to = Square::new((u32::from(bits) >> 6) & 63);
    let is_capture = position.occupied().contains(to);
    let promoted = PROMOTED[usize::from(bits >> 12 & 3)];
    let is_double_push =
        position.role_at(from) == Some(Role::Pawn) && (from as u8).abs_diff(to as u8) == 16;
    let kind = match bits & PROMOTION {
        PROMOTION if is_capture => MoveKind::PromotionCapture(promoted),
        PROMOTION => MoveKind::Promotion(promoted),
        CASTLING if to > from => MoveKind::CastleShort,
        CASTLING => MoveKind::CastleLong,
        EN_PASSANT => MoveKind::EnPassant,
        _ if is_capture => MoveKind::Capture,
        _ if is_double_push => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    };
    Move::new(from, to, kind)
}
