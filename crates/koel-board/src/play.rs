//! Playing moves: the only place where pieces and keys change, always together.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, Piece, Role, Square};

use crate::key::{self, Key};
use crate::moves::Move;
use crate::observer::Observer;
use crate::position::Position;
use crate::take_back::taken_on;

impl Position {
    /// Plays a legal move, for good or on a copy; [`Position::undo_of`] is the other way.
    ///
    /// # Panics
    /// Debug builds panic on a move that [`Position::is_legal`] refuses; in release builds such a
    /// move leaves a position without meaning, though never an unsafe one.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        self.play_observed(m, &mut ());
    }

    /// The position after a legal move. In a hot loop clone and play in place instead: what is
    /// returned by value is copied twice.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, m: Move) -> Position {
        let mut child = self.clone();
        child.play(m);
        child
    }

    /// Plays a legal move and tells `observer` what it does to the placement.
    ///
    /// # Panics
    /// As [`Position::play`].
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, m: Move, observer: &mut O) {
        debug_assert!(self.is_legal(m), "{m:?} in {self}");
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let piece = Piece { color: us, role };

        self.forget_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.lose_castling_rights(role, from, to);
        if m.is_castling() {
            self.castle(from, to, observer);
        } else {
            if let Some(role) = self.taken_by(m) {
                self.remove(Piece { color: !us, role }, taken_on(m), observer);
            }
            match m.promotion() {
                None => self.shift(piece, from, to, observer),
                Some(promoted) => {
                    self.remove(piece, from, observer);
                    self.put(Piece { color: us, role: promoted }, to, observer);
                }
            }
            if role == Role::Pawn || m.is_capture() {
                self.halfmove_clock = 0;
            }
        }
        if us.is_black() {
            self.fullmove_number += 1;
        }
        self.pass_turn();
        if m.is_double_push() {
            self.allow_en_passant(to);
        }
        self.find_checkers_and_pins();
    }

    /// The key after a legal move, but for what castling, promotions, the loss of a right to castle
    /// and a new right to take in passing change: for the table to be fetched before the move is
    /// played.
    #[inline(always)]
    #[must_use]
    pub fn key_after(&self, m: Move) -> Key {
        let (from, to) = (m.from(), m.to());
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let piece = Piece { color: self.turn, role };
        let mut foreseen = self.keys.position ^ key::of_turn(Color::Black);
        foreseen ^= key::of_piece(piece, from) ^ key::of_piece(piece, to);
        if let Some(role) = self.taken_by(m) {
            foreseen ^= key::of_piece(Piece { color: !self.turn, role }, taken_on(m));
        }
        if let Some(square) = self.en_passant {
            foreseen ^= key::of_en_passant(square.file());
        }
        foreseen
    }

    /// Passes: the side to move changes and nothing else happens. The halfmove clock stands still.
    ///
    /// # Panics
    /// Debug builds panic if the side to move is in check, since it may not pass.
    pub fn play_null(&mut self) {
        debug_assert!(!self.is_check(), "null move in check: {self}");
        self.forget_en_passant();
        if self.turn.is_black() {
            self.fullmove_number += 1;
        }
        self.pass_turn();
        self.find_checkers_and_pins();
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.keys.position ^= key::of_turn(Color::Black);
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.position ^= key::of_en_passant(square.file());
        }
    }

    /// Notes the square behind the pawn that has just come to `to`, if it can be taken there.
    fn allow_en_passant(&mut self, to: Square) {
        let us = self.turn;
        let square = Square::new(to as u32 ^ 8);
        let takers = attacks::pawn_attacks(!us, square) & self.pieces(us, Role::Pawn);
        if takers.into_iter().any(|taker| self.en_passant_is_safe(taker, square)) {
            self.en_passant = Some(square);
            self.keys.position ^= key::of_en_passant(square.file());
        }
    }

    /// Rights go when a king moves, or when a rook with a right moves or is taken.
    #[inline(always)]
    fn lose_castling_rights(&mut self, role: Role, from: Square, to: Square) {
        let mut touched = Bitboard::from(from) | Bitboard::from(to);
        if role == Role::King {
            touched |= self.color(self.turn);
        }
        for rook in self.castling_rooks & touched {
            self.keys.position ^= key::of_castling_rook(rook);
        }
        self.castling_rooks &= !touched;
    }

    fn castle<O: Observer>(&mut self, king: Square, rook: Square, observer: &mut O) {
        let color = self.turn;
        let side = CastlingSide::from_king_side(rook > king);
        let king_piece = Piece { color, role: Role::King };
        let rook_piece = Piece { color, role: Role::Rook };
        // Both leave before either arrives: in Chess960 they may take each other's square.
        self.remove(king_piece, king, observer);
        self.remove(rook_piece, rook, observer);
        self.put(king_piece, side.king_to(color), observer);
        self.put(rook_piece, side.rook_to(color), observer);
    }

    #[inline(always)]
    fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = Some(piece.role);
        self.keys.toggle(piece, key::of_piece(piece, square));
        observer.placed(piece, square);
    }

    #[inline(always)]
    fn remove<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = None;
        self.keys.toggle(piece, key::of_piece(piece, square));
        observer.removed(piece, square);
    }

    #[inline(always)]
    fn shift<O: Observer>(&mut self, piece: Piece, from: Square, to: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(from) | Bitboard::from(to));
        self.roles[from.to_usize()] = None;
        self.roles[to.to_usize()] = Some(piece.role);
        self.keys.toggle(piece, key::of_piece(piece, from) ^ key::of_piece(piece, to));
        observer.moved(piece, from, to);
    }

    #[inline(always)]
    pub(crate) fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        self.by_role[piece.role as usize - 1] ^= squares;
        self.by_color[piece.color as usize] ^= squares;
    }
}
