//! Position keys: the numbers, and the five sums of them that a position carries.
//!
//! A key is the exclusive or of one random number for each feature of the position (Zobrist,
//! 1970). The numbers come from a fixed seed at compile time, so keys are the same in every build
//! and may be stored in files.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

use shakmaty::{Color, File, Piece, Role, Square};

/// A 64-bit Zobrist key. Equal positions have equal keys; the reverse holds but for collisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;

    #[inline(always)]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:#018x})", self.0)
    }
}

impl fmt::Display for Key {
    /// Sixteen hexadecimal digits behind `0x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// The keys of a position, kept up to date by every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Everything that makes two positions the same under the rules: placement, side to move,
    /// castling rights, and the en-passant file if such a capture is legal.
    pub position: Key,
    /// The pawns of both sides.
    pub pawn: Key,
    /// The knights and bishops of both sides.
    pub minor: Key,
    /// All pieces but pawns, the king included, for `[black, white]`.
    pub non_pawn: [Key; 2],
}

impl Keys {
    /// Adds or takes away `change`, the number of a feature of `piece`, wherever it belongs.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, piece: Piece, change: Key) {
        let masked = |condition: bool| Key(change.0 & u64::from(condition).wrapping_neg());
        let is_pawn = piece.role == Role::Pawn;
        self.position ^= change;
        self.pawn ^= masked(is_pawn);
        self.minor ^= masked(matches!(piece.role, Role::Knight | Role::Bishop));
        self.non_pawn[piece.color as usize] ^= masked(!is_pawn);
    }
}

/// The random numbers behind the keys, for whoever builds on them (cycle tables, say).
pub struct Zobrist {
    /// By colour (`[black, white]`), role (pawn first) and square.
    pub pieces: [[[Key; 64]; 6]; 2],
    /// By the square of a rook that may still castle.
    pub castling_rooks: [Key; 64],
    /// By the file on which an en-passant capture is legal.
    pub en_passant_files: [Key; 8],
    /// Present when Black is to move.
    pub black_to_move: Key,
}

impl Zobrist {
    /// The numbers of every Koel: drawn with SplitMix64 (Steele, Lea and Flood, 2014).
    pub const KOEL: Zobrist = Zobrist::from_seed(0x4b6f_656c_2032_3032);

    const fn from_seed(seed: u64) -> Zobrist {
        let mut state = seed;
        let mut pieces = [[[Key(0); 64]; 6]; 2];
        let mut index = 0;
        while index < 2 * 6 * 64 {
            pieces[index / 384][index / 64 % 6][index % 64] = next_number(&mut state);
            index += 1;
        }
        let mut castling_rooks = [Key(0); 64];
        let mut square = 0;
        while square < 64 {
            castling_rooks[square] = next_number(&mut state);
            square += 1;
        }
        let mut en_passant_files = [Key(0); 8];
        let mut file = 0;
        while file < 8 {
            en_passant_files[file] = next_number(&mut state);
            file += 1;
        }
        let black_to_move = next_number(&mut state);
        Zobrist { pieces, castling_rooks, en_passant_files, black_to_move }
    }
}

/// One step of SplitMix64.
const fn next_number(state: &mut u64) -> Key {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Key(z ^ (z >> 31))
}

static ZOBRIST: Zobrist = Zobrist::KOEL;

/// The number of `piece` standing on `square`.
#[inline(always)]
pub(crate) fn of_piece(piece: Piece, square: Square) -> Key {
    ZOBRIST.pieces[piece.color as usize][piece.role as usize - 1][square.to_usize()]
}

/// The number of the right to castle with the rook on `square`.
#[inline(always)]
pub(crate) fn of_castling_rook(square: Square) -> Key {
    ZOBRIST.castling_rooks[square.to_usize()]
}

/// The number of a legal en-passant capture on `file`.
#[inline(always)]
pub(crate) fn of_en_passant(file: File) -> Key {
    ZOBRIST.en_passant_files[file.to_usize()]
}

/// The number that is present when `turn` is Black.
#[inline(always)]
pub(crate) fn of_turn(turn: Color) -> Key {
    if turn.is_black() { ZOBRIST.black_to_move } else { Key(0) }
}
