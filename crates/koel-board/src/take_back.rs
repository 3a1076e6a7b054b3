//! Taking moves back: the alternative to playing them on a copy.
//!
//! Both are measured in `docs/results.md`. Taking back is faster where positions are all there is,
//! as in perft; in the search, where a node keeps its position, the copy is.

use shakmaty::{Bitboard, CastlingSide, Piece, Role, Square};

use crate::key::Keys;
use crate::moves::Move;
use crate::position::Position;

/// What a move destroys, and what is cheaper to keep than to compute again.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    keys: Keys,
    checkers: Bitboard,
    pinned: Bitboard,
    castling_rooks: Bitboard,
    halfmove_clock: u16,
    en_passant: Option<Square>,
    taken: Option<Role>,
}

/// The square of what a capture takes.
#[inline(always)]
pub(crate) fn taken_on(m: Move) -> Square {
    if m.is_en_passant() { Square::new(m.to() as u32 ^ 8) } else { m.to() }
}

impl Position {
    /// What a capture takes.
    #[inline(always)]
    pub(crate) fn taken_by(&self, m: Move) -> Option<Role> {
        if m.is_capture() { self.role_at(taken_on(m)) } else { None }
    }

    /// What [`Position::take_back`] will need: to be asked before `m` is played. For a null move
    /// that is [`Move::NONE`].
    ///
    /// # Examples
    /// ```
    /// use koel_board::Position;
    ///
    /// let mut position = Position::start();
    /// for m in position.legal_moves() {
    ///     let undo = position.undo_of(m);
    ///     position.play(m);
    ///     position.take_back(m, &undo);
    /// }
    /// assert!(position == Position::start());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn undo_of(&self, m: Move) -> Undo {
        Undo {
            keys: self.keys,
            checkers: self.checkers,
            pinned: self.pinned,
            castling_rooks: self.castling_rooks,
            halfmove_clock: self.halfmove_clock,
            en_passant: self.en_passant,
            taken: self.taken_by(m),
        }
    }

    /// Takes back `m`, the last move played, with what [`Position::undo_of`] said before it.
    ///
    /// Any other pair leaves a position without meaning, though never an unsafe one.
    #[inline]
    pub fn take_back(&mut self, m: Move, undo: &Undo) {
        self.restore(undo);
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        if m.is_castling() {
            let side = CastlingSide::from_king_side(to > from);
            self.lift(Piece { color: us, role: Role::King }, side.king_to(us));
            self.lift(Piece { color: us, role: Role::Rook }, side.rook_to(us));
            self.set_down(Piece { color: us, role: Role::King }, from);
            self.set_down(Piece { color: us, role: Role::Rook }, to);
            return;
        }
        let arrived = self.role_at(to).unwrap_or(Role::Pawn);
        let left = if m.promotion().is_some() { Role::Pawn } else { arrived };
        self.lift(Piece { color: us, role: arrived }, to);
        self.set_down(Piece { color: us, role: left }, from);
        if let Some(role) = undo.taken {
            self.set_down(Piece { color: !us, role }, taken_on(m));
        }
    }

    /// Takes back a null move, the last move played, with what [`Position::undo_of`] said before it.
    #[inline]
    pub fn take_back_null(&mut self, undo: &Undo) {
        self.restore(undo);
    }

    #[inline(always)]
    fn restore(&mut self, undo: &Undo) {
        self.turn = !self.turn;
        self.fullmove_number -= u32::from(self.turn.is_black());
        self.keys = undo.keys;
        self.checkers = undo.checkers;
        self.pinned = undo.pinned;
        self.castling_rooks = undo.castling_rooks;
        self.halfmove_clock = undo.halfmove_clock;
        self.en_passant = undo.en_passant;
    }

    #[inline(always)]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = None;
    }

    #[inline(always)]
    fn set_down(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = Some(piece.role);
    }
}
