//! Legality of arbitrary moves, checks and mates in one.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square};

use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::{rays, sliders};

impl Position {
    /// Returns true if `m` is one of [`Position::legal_moves`]. The answer is correct for any 16
    /// bits: the shared transposition table may return the move of another position, or a torn
    /// entry.
    ///
    /// ```
    /// use koel_board::{Move, Position};
    ///
    /// let position = Position::start();
    /// let m = position.parse_uci("e2e4")?;
    /// assert!(position.is_legal(m));
    /// assert!(!position.after(m).is_legal(m));
    /// assert!(!position.is_legal(Move::NONE));
    /// # Ok::<(), koel_board::ParseMoveError>(())
    /// ```
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let (Some(kind), Some(role)) = (m.kind(), self.role_at(from)) else { return false };
        if !self.color(us).contains(from) {
            return false;
        }
        let is_pawn = role == Role::Pawn;
        let is_pseudo_legal = match kind {
            MoveKind::CastleShort | MoveKind::CastleLong => {
                return role == Role::King && self.is_legal_castling(to, kind);
            }
            MoveKind::EnPassant => {
                return is_pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn_attacks(us, from).contains(to)
                    && self.en_passant_is_safe(from, to);
            }
            MoveKind::DoublePush => is_pawn && self.can_push(from, to, 16),
            MoveKind::Quiet => {
                !self.occupied().contains(to)
                    && if is_pawn {
                        self.can_push(from, to, 8) && !is_on_back_rank(to)
                    } else {
                        self.attacks_square(role, from, to)
                    }
            }
            MoveKind::Capture => {
                self.color(!us).contains(to)
                    && self.attacks_square(role, from, to)
                    && !(is_pawn && is_on_back_rank(to))
            }
            MoveKind::Promotion(_) => is_pawn && self.can_push(from, to, 8) && is_on_back_rank(to),
            MoveKind::PromotionCapture(_) => {
                is_pawn
                    && self.color(!us).contains(to)
                    && self.attacks_square(role, from, to)
                    && is_on_back_rank(to)
            }
        };
        is_pseudo_legal && self.leaves_king_safe(role, from, to)
    }

    fn is_legal_castling(&self, rook: Square, kind: MoveKind) -> bool {
        let ours = self.castling_rooks & self.color(self.turn);
        let is_short = rook > self.king(self.turn);
        ours.contains(rook) && is_short == (kind == MoveKind::CastleShort) && self.can_castle(rook)
    }

    /// Returns true if a pawn of the side to move can advance from `from` to `to`; `distance` is
    /// the difference of the square indices, 8 or 16.
    fn can_push(&self, from: Square, to: Square, distance: i32) -> bool {
        let us = self.turn;
        let forward = us.fold_wb(distance, -distance);
        let path = attacks::between(from, to) | Bitboard::from(to);
        to as i32 - from as i32 == forward
            && (distance == 8 || from.rank() == us.relative_rank(Rank::Second))
            && path.is_disjoint(self.occupied())
    }

    /// Returns true if a piece of the side to move on `from` attacks `to`.
    fn attacks_square(&self, role: Role, from: Square, to: Square) -> bool {
        let attacked = match role {
            Role::Pawn => attacks::pawn_attacks(self.turn, from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => sliders::bishop_attacks(from, self.occupied()),
            Role::Rook => sliders::rook_attacks(from, self.occupied()),
            Role::Queen => {
                sliders::bishop_attacks(from, self.occupied())
                    | sliders::rook_attacks(from, self.occupied())
            }
            Role::King => attacks::king_attacks(from),
        };
        attacked.contains(to)
    }

    /// Returns true if the king of the side to move is not in check after a pseudo-legal move other
    /// than castling and en passant.
    fn leaves_king_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let us = self.turn;
        if role == Role::King {
            let occupied = self.occupied() ^ Bitboard::from(from);
            return (self.attackers(to, occupied) & self.color(!us)).is_empty();
        }
        let king = self.king(us);
        let resolves_check = match self.checkers.single_square() {
            None => self.checkers.is_empty(),
            Some(checker) => to == checker || attacks::between(king, checker).contains(to),
        };
        resolves_check && (!self.pinned.contains(from) || attacks::ray(king, from).contains(to))
    }

    /// Returns true if a legal move gives check.
    ///
    /// # Panics
    /// Debug builds panic if the move is not legal.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// // The bishop leaves the rook's file: a discovered check.
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1")?;
    /// assert!(position.gives_check(position.parse_uci("e2a6")?));
    /// assert!(!position.gives_check(position.parse_uci("e1f1")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        debug_assert!(self.is_legal(m), "{m:?} in {self}");
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(them);
        let (from, to) = (m.from(), m.to());
        if m.is_castling() {
            let side = CastlingSide::from_king_side(to > from);
            let rook_to = side.rook_to(us);
            let stay = self.occupied() ^ Bitboard::from(from) ^ Bitboard::from(to);
            let occupied = stay | Bitboard::from(side.king_to(us)) | Bitboard::from(rook_to);
            return sliders::rook_attacks(rook_to, occupied).contains(king)
                || self.is_discovered_check(
                    king,
                    Bitboard::from(from) | Bitboard::from(to),
                    occupied,
                );
        }
        let mut occupied = (self.occupied() ^ Bitboard::from(from)) | Bitboard::from(to);
        let mut left = Bitboard::from(from);
        if m.is_en_passant() {
            let taken = Square::new(to as u32 ^ 8);
            occupied ^= Bitboard::from(taken);
            left |= taken;
        }
        let is_line_to_king = |square| (attacks::between(square, king) & occupied).is_empty();
        let (diagonals, orthogonals) = (rays::diagonals(king), rays::orthogonals(king));
        // Lines on an empty board come first: most squares are on none, and lines with blockers
        // take longer.
        let is_direct = match m.promotion().or(self.role_at(from)).unwrap_or(Role::Pawn) {
            Role::Pawn => attacks::pawn_attacks(us, to).contains(king),
            Role::Knight => attacks::knight_attacks(to).contains(king),
            Role::Bishop => diagonals.contains(to) && is_line_to_king(to),
            Role::Rook => orthogonals.contains(to) && is_line_to_king(to),
            Role::Queen => (diagonals | orthogonals).contains(to) && is_line_to_king(to),
            Role::King => false,
        };
        is_direct
            || ((diagonals | orthogonals).intersects(left)
                && (m.is_en_passant() || is_line_to_king(from))
                && self.is_discovered_check(king, left, occupied))
    }

    /// Returns true if leaving the squares `left` discovers an attack on `king` by a slider of the
    /// side to move.
    fn is_discovered_check(&self, king: Square, left: Bitboard, occupied: Bitboard) -> bool {
        let us = self.turn;
        let diagonal = rays::diagonals(king);
        let orthogonal = rays::orthogonals(king);
        (diagonal.intersects(left)
            && (sliders::bishop_attacks(king, occupied) & self.diagonal_sliders(us) & !left).any())
            || (orthogonal.intersects(left)
                && (sliders::rook_attacks(king, occupied) & self.orthogonal_sliders(us) & !left)
                    .any())
    }

    /// Returns a legal move that gives checkmate, if there is one.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?;
    /// assert_eq!(position.mate_in_one().map(|m| position.san(m)).as_deref(), Some("Ra8#"));
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[must_use]
    pub fn mate_in_one(&self) -> Option<Move> {
        self.legal_moves()
            .into_iter()
            .find(|&m| self.gives_check(m) && !self.after(m).has_legal_moves())
    }
}

fn is_on_back_rank(square: Square) -> bool {
    Bitboard::BACKRANKS.contains(square)
}
