//! Zobrist hashing: the keys of single features and the five incremental keys of a position.
//!
//! A position's key is the exclusive or of one random number for each feature of the position
//! (Zobrist, 1970). The numbers are computed from a fixed seed at compile time, so keys are the
//! same in every build and may be stored in files.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

use koel_random::Rng;
use shakmaty::{Color, File, Piece, Role, Square};

/// A 64-bit Zobrist key. Equal positions have equal keys; different positions have different keys
/// except for rare collisions.
///
/// ```
/// use koel_board::{Key, Position};
///
/// // Two orders of moves, one position.
/// let mut keys = [["g1f3", "g8f6", "b1c3"], ["b1c3", "g8f6", "g1f3"]].map(|moves| {
///     let mut position = Position::start();
///     for text in moves {
///         position.play(position.parse_uci(text).unwrap());
///     }
///     position.key()
/// });
/// assert_eq!(keys[0], keys[1]);
/// assert_ne!(keys[0], Position::start().key());
/// assert_eq!(Key(255).to_string(), "0x00000000000000ff");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Writes `0x` and sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// The Zobrist keys of a position, updated incrementally by every move.
///
/// ```
/// use koel_board::Position;
///
/// // A move of a knight changes the keys of the position, of the minor pieces and of White's
/// // pieces, and leaves those of the pawns and of Black's pieces.
/// let position = Position::start();
/// let after = position.after(position.parse_uci("g1f3")?);
/// let (before, after) = (position.keys(), after.keys());
/// assert_ne!(before.position, after.position);
/// assert_ne!(before.minor, after.minor);
/// assert_eq!(before.pawn, after.pawn);
/// let [black, white] = [0, 1].map(|color| before.non_pawn[color] == after.non_pawn[color]);
/// assert!(black && !white);
/// # Ok::<(), koel_board::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The key of the whole position: placement, side to move, castling rights, and the en-passant
    /// file if such a capture is legal.
    pub position: Key,
    /// The key of the pawns of both sides.
    pub pawn: Key,
    /// The key of the knights and bishops of both sides.
    pub minor: Key,
    /// The keys of all pieces but pawns, kings included, of `[black, white]`.
    pub non_pawn: [Key; 2],
}

impl Keys {
    /// Adds or removes the Zobrist key `change` of `piece` in every key that contains it.
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

/// The Zobrist keys of single features, public for tables that are built on them (such as the
/// cuckoo tables of repetition detection).
///
/// ```
/// use koel_board::{Color, Position, Role, Square, Zobrist, role_index};
///
/// // A knight's move and the change of sides, as a difference of keys.
/// let position = Position::start();
/// let after = position.after(position.parse_uci("g1f3")?);
/// let knight = &Zobrist::KOEL.pieces[Color::White as usize][role_index(Role::Knight)];
/// let change = knight[Square::G1 as usize] ^ knight[Square::F3 as usize];
/// assert_eq!(position.key() ^ after.key(), change ^ Zobrist::KOEL.black_to_move);
/// # Ok::<(), koel_board::ParseMoveError>(())
/// ```
pub struct Zobrist {
    /// The keys of the pieces by colour (`[black, white]`), [role](role_index) and square.
    pub pieces: [[[Key; 64]; 6]; 2],
    /// The keys of the castling rights, by the square of the rook.
    pub castling_rooks: [Key; 64],
    /// The keys of a legal en-passant capture, by file.
    pub en_passant_files: [Key; 8],
    /// The key of Black to move.
    pub black_to_move: Key,
}

impl Zobrist {
    /// The keys that all versions of Koel use.
    pub const KOEL: Zobrist = Zobrist::from_seed(0x4b6f_656c_2032_3032);

    const fn from_seed(seed: u64) -> Zobrist {
        let mut rng = Rng::new(seed);
        let mut pieces = [[[Key(0); 64]; 6]; 2];
        let mut index = 0;
        while index < 2 * 6 * 64 {
            pieces[index / 384][index / 64 % 6][index % 64] = Key(rng.next_u64());
            index += 1;
        }
        let mut castling_rooks = [Key(0); 64];
        let mut square = 0;
        while square < 64 {
            castling_rooks[square] = Key(rng.next_u64());
            square += 1;
        }
        let mut en_passant_files = [Key(0); 8];
        let mut file = 0;
        while file < 8 {
            en_passant_files[file] = Key(rng.next_u64());
            file += 1;
        }
        let black_to_move = Key(rng.next_u64());
        Zobrist { pieces, castling_rooks, en_passant_files, black_to_move }
    }
}

static ZOBRIST: Zobrist = Zobrist::KOEL;

/// Returns the index of a role in arrays by role: 0 for pawns to 5 for kings.
#[inline(always)]
#[must_use]
pub const fn role_index(role: Role) -> usize {
    role as usize - 1
}

/// Returns the Zobrist key of `piece` on `square`.
#[inline(always)]
pub(crate) fn piece_key(piece: Piece, square: Square) -> Key {
    ZOBRIST.pieces[piece.color as usize][role_index(piece.role)][square.to_usize()]
}

/// Returns the Zobrist key of the right to castle with the rook on `square`.
#[inline(always)]
pub(crate) fn castling_key(square: Square) -> Key {
    ZOBRIST.castling_rooks[square.to_usize()]
}

/// Returns the Zobrist key of a legal en-passant capture on `file`.
#[inline(always)]
pub(crate) fn en_passant_key(file: File) -> Key {
    ZOBRIST.en_passant_files[file.to_usize()]
}

/// Returns the Zobrist key of the side to move, which is zero for White.
#[inline(always)]
pub(crate) fn side_key(turn: Color) -> Key {
    if turn.is_black() { ZOBRIST.black_to_move } else { Key(0) }
}
