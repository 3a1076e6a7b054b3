//! The squares that the side not to move attacks.

use shakmaty::{Bitboard, Color, Role, attacks};

use crate::position::Position;
use crate::sliders;

/// The squares that the side not to move attacks, seen through the king of the side to move.
///
/// ```
/// use koel_board::{Bitboard, Position, Role, Square};
///
/// //   a b c d e f g h
/// // 7 . . p . . . . .   Black's pawn attacks b6 and d6: no square for a piece of White.
/// let position = Position::from_fen("4k3/2p5/8/8/8/8/8/Q3K3 w - - 0 1")?;
/// let threats = position.threats();
/// let by_pawn = Bitboard::from(Square::B6) | Bitboard::from(Square::D6);
/// assert_eq!(threats.by_pawns, by_pawn);
/// assert_eq!(threats.by_less_than(Role::Queen), by_pawn);
/// assert!(threats.all.contains(Square::E7), "the king's");
/// # Ok::<(), koel_board::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// Those attacked by pawns.
    pub by_pawns: Bitboard,
    /// Those attacked by pawns or minor pieces.
    pub by_minors: Bitboard,
    /// Those attacked by pawns, minor pieces or rooks.
    pub by_rooks: Bitboard,
    /// All: exactly the squares that the king of the side to move may not enter.
    pub all: Bitboard,
}

impl Threats {
    /// No attacked squares.
    pub const NONE: Threats = Threats {
        by_pawns: Bitboard::EMPTY,
        by_minors: Bitboard::EMPTY,
        by_rooks: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Returns the squares attacked by pieces of less value than this one; none for a king.
    #[inline(always)]
    #[must_use]
    pub fn by_less_than(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.by_pawns,
            Role::Rook => self.by_minors,
            Role::Queen => self.by_rooks,
        }
    }
}

impl Position {
    /// Returns the squares attacked by the side not to move.
    #[must_use]
    pub fn threats(&self) -> Threats {
        let (us, them) = (self.turn(), !self.turn());
        let occupied = self.occupied() ^ self.pieces(us, Role::King);
        let by_pawns = self.pawn_threats();
        let mut by_minors = by_pawns;
        for knight in self.pieces(them, Role::Knight) {
            by_minors |= attacks::knight_attacks(knight);
        }
        for bishop in self.pieces(them, Role::Bishop) {
            by_minors |= sliders::bishop_attacks(bishop, occupied);
        }
        let mut by_rooks = by_minors;
        for rook in self.pieces(them, Role::Rook) {
            by_rooks |= sliders::rook_attacks(rook, occupied);
        }
        let mut all = by_rooks | attacks::king_attacks(self.king(them));
        for queen in self.pieces(them, Role::Queen) {
            all |=
                sliders::bishop_attacks(queen, occupied) | sliders::rook_attacks(queen, occupied);
        }
        Threats { by_pawns, by_minors, by_rooks, all }
    }

    /// Returns the squares attacked by the pawns of the side not to move.
    #[inline(always)]
    pub(crate) fn pawn_threats(&self) -> Bitboard {
        const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
        const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;
        let pawns = self.pieces(!self.turn(), Role::Pawn);
        let (towards_a, towards_h) = (pawns.0 & NOT_A_FILE, pawns.0 & NOT_H_FILE);
        Bitboard(match !self.turn() {
            Color::White => (towards_a << 7) | (towards_h << 9),
            Color::Black => (towards_a >> 9) | (towards_h >> 7),
        })
    }
}
