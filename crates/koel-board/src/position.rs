//! The position type and its accessors.

use std::hash::{Hash, Hasher};

use shakmaty::attacks;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::key::{self, Key, Keys, role_index};
use crate::{rays, sliders};

/// A legal chess position. It takes 200 bytes and is cheap to copy (copy-make).
///
/// A `Position` is created from a FEN ([`Position::from_fen`]), from shakmaty, or by a legal move,
/// and is always legal: each side has one king, the side not to move is not in check, no pawn is on
/// the first or last rank, every castling right has its king and rook in place, and there is an
/// en-passant square only if such a capture is legal.
///
/// Keys, checkers and pinned pieces are updated by [`Position::play`]; everything else is computed
/// on request.
///
/// Equal positions have everything in common that a FEN states, the move counters too. For
/// repetitions compare [keys](Position::key), which ignore the counters. The default is the
/// starting position of standard chess.
///
/// ```
/// use koel_board::{Color, Position};
///
/// let mut position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
/// let m = position.parse_uci("e2e4").unwrap();
/// let after = position.after(m); // copy-make
/// position.play(m); // the same in place
/// assert!(position == after && position.key() == after.key());
/// assert_eq!(position.turn(), Color::Black);
/// assert_eq!(position.legal_moves().len(), 5);
/// ```
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

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The key stands for all but the move counters.
        (self.key(), self.halfmove_clock, self.fullmove_number).hash(state);
    }
}

/// The placement of the pieces, and the keys.
impl Position {
    /// Returns the side to move.
    #[inline(always)]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the pieces of a colour.
    #[inline(always)]
    #[must_use]
    pub fn color(&self, color: Color) -> Bitboard {
        self.by_color[color as usize]
    }

    /// Returns the pieces of a role, of both colours.
    #[inline(always)]
    #[must_use]
    pub fn role(&self, role: Role) -> Bitboard {
        self.by_role[role_index(role)]
    }

    /// Returns the pieces of a colour and role.
    ///
    /// ```
    /// use koel_board::{Bitboard, Color, Position, Role};
    ///
    /// let position = Position::start();
    /// assert_eq!(position.pieces(Color::White, Role::Pawn), Bitboard(0xff00));
    /// assert_eq!(position.pieces(Color::White, Role::Knight).count(), 2);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// Returns the bishops and queens of a colour.
    #[inline(always)]
    #[must_use]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// Returns the rooks and queens of a colour.
    #[inline(always)]
    #[must_use]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// Returns the occupied squares.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Returns the role of the piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square.to_usize()]
    }

    /// Returns the piece on a square.
    ///
    /// ```
    /// use koel_board::{Color, Piece, Position, Role, Square};
    ///
    /// let position = Position::start();
    /// let queen = Piece { color: Color::White, role: Role::Queen };
    /// assert_eq!(position.piece_at(Square::D1), Some(queen));
    /// assert_eq!(position.piece_at(Square::D4), None);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::from_white(self.color(Color::White).contains(square));
        self.role_at(square).map(|role| Piece { color, role })
    }

    /// Returns the square of a king.
    #[inline(always)]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        // Every position has both kings; the mask only avoids a panicking branch in the hot path.
        let king = self.pieces(color, Role::King);
        debug_assert!(king.any());
        Square::new(king.0.trailing_zeros() & 63)
    }

    /// Returns the Zobrist key of the position, equal for positions that are equal by the rules of
    /// repetition.
    #[inline(always)]
    #[must_use]
    pub fn key(&self) -> Key {
        self.keys.position
    }

    /// Returns all keys of the position.
    #[inline(always)]
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Computes all keys from scratch, to verify the incremental ones.
    #[must_use]
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                keys.toggle(piece, key::piece_key(piece, square));
            }
        }
        for rook in self.castling_rooks {
            keys.position ^= key::castling_key(rook);
        }
        if let Some(square) = self.en_passant {
            keys.position ^= key::en_passant_key(square.file());
        }
        keys.position ^= key::side_key(self.turn);
        keys
    }
}

/// Checks, pins, castling and en-passant rights, clocks, attacks and material.
impl Position {
    /// Returns the pieces that give check to the side to move.
    ///
    /// ```
    /// use koel_board::{Bitboard, Position, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/1B6/8/8/8/4K3 b - - 0 1")?;
    /// assert_eq!(position.checkers(), Bitboard::from(Square::B5));
    /// assert!(position.is_check());
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns true if the side to move is in check.
    #[inline(always)]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the absolutely pinned pieces of the side to move: they may move only along the line
    /// through their king and the pinning slider.
    ///
    /// ```
    /// use koel_board::{Bitboard, Position, Square};
    ///
    /// //   a b c d e f g h
    /// // 8 . . . . r . . k   The pawn may not leave the e-file: the king is behind it.
    /// // 2 . . . . P . . .
    /// // 1 . . . . K . . .
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// assert_eq!(position.pinned(), Bitboard::from(Square::E2));
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Returns the rooks of both sides that have a castling right. This set is the complete
    /// description of the castling rights, in standard chess and in Chess960.
    ///
    /// ```
    /// use koel_board::{Bitboard, Position, Square};
    ///
    /// // Black has lost the right to castle short.
    /// let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1")?;
    /// let rooks = [Square::A1, Square::H1, Square::A8];
    /// assert_eq!(position.castling_rooks(), rooks.into_iter().collect::<Bitboard>());
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// Returns the en-passant square, if an en-passant capture is legal.
    ///
    /// ```
    /// use koel_board::{Position, Square};
    ///
    /// // A square that the FEN names and no pawn can capture on is no en-passant square.
    /// let fen = |black_pawn| format!("4k3/8/8/8/{black_pawn}/8/8/4K3 b - e3 0 1");
    /// let possible = Position::from_fen(&fen("3pP3"))?;
    /// assert_eq!(possible.en_passant(), Some(Square::E3));
    /// assert_eq!(Position::from_fen(&fen("p3P3"))?.en_passant(), None);
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the number of plies since the last capture or pawn move, without null moves; at most
    /// [`MAX_CLOCK`](crate::MAX_CLOCK).
    #[inline(always)]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Returns the move number of the game, counted from 1 and increased after Black's moves up to
    /// [`MAX_CLOCK`](crate::MAX_CLOCK).
    #[inline(always)]
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Returns all pieces of both sides that attack `square`, with `occupied` as the blockers of
    /// sliders.
    ///
    /// ```
    /// use koel_board::{Bitboard, Position, Square};
    ///
    /// //   a b c d e f g h
    /// // 5 . . . p . . . .   The pawn on d5 is attacked by the pawn on e4 and by the rook on d1;
    /// // 4 . . . . P . . .   no black piece defends it.
    /// // 1 . . . R K . . .
    /// let position = Position::from_fen("k7/8/8/3p4/4P3/8/8/3RK3 w - - 0 1")?;
    /// let attackers = position.attackers(Square::D5, position.occupied());
    /// assert_eq!(attackers, Bitboard::from(Square::E4) | Bitboard::from(Square::D1));
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
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
            | (sliders::bishop_attacks(square, occupied) & diagonal)
            | (sliders::rook_attacks(square, occupied) & orthogonal)
    }

    /// Returns true if neither side has mating material: bare kings, a single knight, or only
    /// bishops that are all on squares of one colour.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// // Two bishops on squares of one colour cannot mate; knight against knight could.
    /// let bishops = Position::from_fen("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1")?;
    /// let knights = Position::from_fen("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1")?;
    /// assert!(bishops.is_insufficient_material() && !knights.is_insufficient_material());
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
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

    /// Returns true if `color` has a piece other than its king and pawns.
    #[inline(always)]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.color(color) & !(self.role(Role::Pawn) | self.role(Role::King))).any()
    }

    /// Computes the checkers and pinned pieces of the side to move.
    #[inline(always)]
    pub(crate) fn update_checkers_and_pins(&mut self) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let (ours, occupied) = (self.color(us), self.occupied());
        let mut checkers = (attacks::knight_attacks(king) & self.pieces(them, Role::Knight))
            | (attacks::pawn_attacks(us, king) & self.pieces(them, Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        let aligned_sliders = (rays::diagonals(king) & self.diagonal_sliders(them))
            | (rays::orthogonals(king) & self.orthogonal_sliders(them));
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
