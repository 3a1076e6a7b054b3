//! The position of the hot path and the questions it answers about itself.

use shakmaty::attacks;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::key::{self, Key, Keys};
use crate::rays;

/// A legal chess position: 200 bytes, made to be copied.
///
/// A `Position` comes from a FEN ([`Position::from_fen`]), from shakmaty, or from another position
/// by a legal move, so every one of them is legal: one king a side, the side not to move not in
/// check, no pawns on the first and last ranks, castling rights that can be used, and an
/// en-passant square only where such a capture is legal.
///
/// Keys, checkers and pinned pieces are kept up to date by [`Position::play`]; the rest is
/// computed on request.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) roles: [Option<Role>; 64],
    pub(crate) keys: Keys,
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
    pub(crate) castling_rooks: Bitboard,
    pub(crate) fullmove_number: u32,
    pub(crate) halfmove_clock: u16,
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
}

/// What stands where, and the keys of it.
impl Position {
    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares that hold pieces of a colour.
    #[inline(always)]
    #[must_use]
    pub fn color(&self, color: Color) -> Bitboard {
        self.by_color[color as usize]
    }

    /// The squares that hold pieces of a role, of both colours.
    #[inline(always)]
    #[must_use]
    pub fn role(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }

    /// The squares that hold pieces of a colour and role.
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The bishops and queens of a colour.
    #[inline(always)]
    #[must_use]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// The rooks and queens of a colour.
    #[inline(always)]
    #[must_use]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// All squares that are not empty.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The role of the piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square.to_usize()]
    }

    /// The piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::from_white(self.color(Color::White).contains(square));
        self.role_at(square).map(|role| Piece { color, role })
    }

    /// The square of a king.
    #[inline(always)]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        // Every position has both kings; the fallback only keeps a panic out of the hot path.
        let king = self.pieces(color, Role::King);
        debug_assert!(king.any());
        Square::new(king.0.trailing_zeros() & 63)
    }

    /// The key of the whole position; equal for positions that are the same under the rules.
    #[inline(always)]
    #[must_use]
    pub fn key(&self) -> Key {
        self.keys.position
    }

    /// All keys of the position.
    #[inline(always)]
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The keys computed from nothing, to hold the incremental ones against.
    #[must_use]
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                keys.toggle(piece, key::of_piece(piece, square));
            }
        }
        for rook in self.castling_rooks {
            keys.position ^= key::of_castling_rook(rook);
        }
        if let Some(square) = self.en_passant {
            keys.position ^= key::of_en_passant(square.file());
        }
        keys.position ^= key::of_turn(self.turn);
        keys
    }
}

/// Rights, clocks and dangers.
impl Position {
    /// Pieces that give check to the side to move.
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Pieces of the side to move that shield their king from a slider: they may move only along
    /// the line through both.
    #[inline(always)]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rooks of both sides that may still castle. This one set says all there is to say about
    /// castling rights, in standard chess and in Chess960.
    #[inline(always)]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// The square behind a pawn that has just advanced by two, if it can legally be taken there.
    #[inline(always)]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move; null moves do not count.
    #[inline(always)]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the present move in the game, from 1.
    #[inline(always)]
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// All pieces of both sides that attack `square`, with only the squares in `occupied` in the
    /// way of sliders.
    #[must_use]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        let orthogonal = self.role(Role::Rook) | self.role(Role::Queen);
        let white_pawns = self.pieces(Color::White, Role::Pawn);
        let black_pawns = self.pieces(Color::Black, Role::Pawn);
        (attacks::pawn_attacks(Color::Black, square) & white_pawns)
            | (attacks::pawn_attacks(Color::White, square) & black_pawns)
            | (attacks::knight_attacks(square) & self.role(Role::Knight))
            | (attacks::king_attacks(square) & self.role(Role::King))
            | (attacks::bishop_attacks(square, occupied) & diagonal)
            | (attacks::rook_attacks(square, occupied) & orthogonal)
    }

    /// The squares attacked by the side not to move, seen through the king of the side to move:
    /// exactly the squares that this king may not enter.
    #[must_use]
    pub fn threats(&self) -> Bitboard {
        let (us, them) = (self.turn, !self.turn);
        let occupied = self.occupied() ^ self.pieces(us, Role::King);
        let mut threats = pawn_attacks_of(them, self.pieces(them, Role::Pawn))
            | attacks::king_attacks(self.king(them));
        for knight in self.pieces(them, Role::Knight) {
            threats |= attacks::knight_attacks(knight);
        }
        for slider in self.diagonal_sliders(them) {
            threats |= attacks::bishop_attacks(slider, occupied);
        }
        for slider in self.orthogonal_sliders(them) {
            threats |= attacks::rook_attacks(slider, occupied);
        }
        threats
    }

    /// Whether neither side has the material to mate by any sequence of legal moves, as far as
    /// material alone tells: bare kings, one minor piece in all, or bishops of one square colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        bishops.is_disjoint(Bitboard::DARK_SQUARES) || bishops.is_disjoint(Bitboard::LIGHT_SQUARES)
    }

    /// Whether `color` has anything besides its king and pawns.
    #[inline(always)]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) & !(self.role(Role::Pawn) | self.role(Role::King))).any()
    }

    /// Finds who checks and who is pinned, for the side to move.
    #[inline(always)]
    pub(crate) fn find_checkers_and_pins(&mut self) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let (ours, occupied) = (self.color(us), self.occupied());
        let mut checkers = (attacks::knight_attacks(king) & self.pieces(them, Role::Knight))
            | (attacks::pawn_attacks(us, king) & self.pieces(them, Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        let aligned_sliders = (rays::diagonal(king) & self.diagonal_sliders(them))
            | (rays::orthogonal(king) & self.orthogonal_sliders(them));
        for slider in aligned_sliders {
            let blockers = attacks::between(king, slider) & occupied;
            if blockers.is_empty() {
                checkers |= slider;
            } else if !blockers.more_than_one() {
                pinned |= blockers & ours;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }
}

/// All squares attacked by `pawns` of `color`.
#[inline(always)]
pub(crate) fn pawn_attacks_of(color: Color, pawns: Bitboard) -> Bitboard {
    const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
    const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;
    let (towards_a, towards_h) = (pawns.0 & NOT_A_FILE, pawns.0 & NOT_H_FILE);
    Bitboard(match color {
        Color::White => (towards_a << 7) | (towards_h << 9),
        Color::Black => (towards_a >> 9) | (towards_h >> 7),
    })
}
