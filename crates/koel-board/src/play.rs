//! Making moves. Pieces and keys change here only, always together.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, Piece, Role, Square};

use crate::fen_error::MAX_CLOCK;
use crate::key::{self, Key, role_index};
use crate::moves::Move;
use crate::observer::Observer;
use crate::position::Position;

impl Position {
    /// Makes a legal move in place. There is no unmake: a search keeps the position of each ply and
    /// makes the move on a copy (copy-make).
    ///
    /// # Panics
    /// Debug builds panic on a move that [`Position::is_legal`] rejects. In release builds such a
    /// move leaves a meaningless position, without undefined behaviour.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let mut position = Position::start();
    /// for text in ["e4", "e5", "Nf3"] {
    ///     position.play(position.parse_san(text)?);
    /// }
    /// let fen = position.to_string();
    /// assert_eq!(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    /// # Ok::<(), koel_board::ParseMoveError>(())
    /// ```
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        self.play_observed(m, &mut ());
    }

    /// Returns the position after a legal move. In a hot loop use `clone` and [`Position::play`]
    /// instead: the value returned here is copied twice.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, m: Move) -> Position {
        let mut child = self.clone();
        child.play(m);
        child
    }

    /// Makes a legal move and reports the changes of the placement to `observer`.
    ///
    /// # Panics
    /// See [`Position::play`].
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, m: Move, observer: &mut O) {
        debug_assert!(self.is_legal(m), "{m:?} in {self}");
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let piece = Piece { color: us, role };

        self.clear_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK as u16);
        self.update_castling_rights(role, from, to);
        if m.is_castling() {
            self.castle(from, to, observer);
        } else {
            if let Some(role) = self.captured_role(m) {
                self.remove(Piece { color: !us, role }, capture_square(m), observer);
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
            self.fullmove_number = (self.fullmove_number + 1).min(MAX_CLOCK);
        }
        self.switch_turn();
        if m.is_double_push() {
            self.set_en_passant(to);
        }
        self.update_checkers_and_pins();
    }

    /// Returns the key after a legal move, computed without making the move, for the prefetch of
    /// the transposition table entry. The key is approximate: castling, promotions, lost castling
    /// rights and a new en-passant right are left out.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// // What a search prefetches: the key of a child before it is made.
    /// let position = Position::start();
    /// let m = position.parse_uci("g1f3")?;
    /// assert_eq!(position.key_after(m), position.after(m).key());
    /// # Ok::<(), koel_board::ParseMoveError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn key_after(&self, m: Move) -> Key {
        let (from, to) = (m.from(), m.to());
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let piece = Piece { color: self.turn, role };
        let mut after = self.keys.position ^ key::side_key(Color::Black);
        after ^= key::piece_key(piece, from) ^ key::piece_key(piece, to);
        if let Some(role) = self.captured_role(m) {
            after ^= key::piece_key(Piece { color: !self.turn, role }, capture_square(m));
        }
        if let Some(square) = self.en_passant {
            after ^= key::en_passant_key(square.file());
        }
        after
    }

    /// Makes a null move: the side to move changes, and an en-passant right ends. The halfmove
    /// clock does not advance.
    ///
    /// # Panics
    /// Debug builds panic if the side to move is in check, where a null move is not allowed.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let mut position = Position::start();
    /// position.play_null();
    /// assert!(position.turn().is_black());
    /// assert_ne!(position.key(), Position::start().key());
    /// ```
    pub fn play_null(&mut self) {
        debug_assert!(!self.is_check(), "null move in check: {self}");
        self.clear_en_passant();
        if self.turn.is_black() {
            self.fullmove_number = (self.fullmove_number + 1).min(MAX_CLOCK);
        }
        self.switch_turn();
        self.update_checkers_and_pins();
    }

    #[inline(always)]
    fn switch_turn(&mut self) {
        self.turn = !self.turn;
        self.keys.position ^= key::side_key(Color::Black);
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.position ^= key::en_passant_key(square.file());
        }
    }

    /// Sets the en-passant square of a double push to `to`, if such a capture is legal.
    fn set_en_passant(&mut self, to: Square) {
        let us = self.turn;
        let square = Square::new(to as u32 ^ 8);
        let capturers = attacks::pawn_attacks(!us, square) & self.pieces(us, Role::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_safe(from, square)) {
            self.en_passant = Some(square);
            self.keys.position ^= key::en_passant_key(square.file());
        }
    }

    /// Removes the castling rights that end when a king moves, or when a rook moves or is captured.
    #[inline(always)]
    fn update_castling_rights(&mut self, role: Role, from: Square, to: Square) {
        let mut touched = Bitboard::from(from) | Bitboard::from(to);
        if role == Role::King {
            touched |= self.color(self.turn);
        }
        for rook in self.castling_rooks & touched {
            self.keys.position ^= key::castling_key(rook);
        }
        self.castling_rooks &= !touched;
    }

    fn castle<O: Observer>(&mut self, king: Square, rook: Square, observer: &mut O) {
        let color = self.turn;
        let side = CastlingSide::from_king_side(rook > king);
        let king_piece = Piece { color, role: Role::King };
        let rook_piece = Piece { color, role: Role::Rook };
        // Both are removed before either is placed: in Chess960 they may swap squares.
        self.remove(king_piece, king, observer);
        self.remove(rook_piece, rook, observer);
        self.put(king_piece, side.king_to(color), observer);
        self.put(rook_piece, side.rook_to(color), observer);
    }

    #[inline(always)]
    fn put<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = Some(piece.role);
        self.keys.toggle(piece, key::piece_key(piece, square));
        observer.placed(piece, square);
    }

    #[inline(always)]
    fn remove<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(square));
        self.roles[square.to_usize()] = None;
        self.keys.toggle(piece, key::piece_key(piece, square));
        observer.removed(piece, square);
    }

    #[inline(always)]
    fn shift<O: Observer>(&mut self, piece: Piece, from: Square, to: Square, observer: &mut O) {
        self.toggle(piece, Bitboard::from(from) | Bitboard::from(to));
        self.roles[from.to_usize()] = None;
        self.roles[to.to_usize()] = Some(piece.role);
        self.keys.toggle(piece, key::piece_key(piece, from) ^ key::piece_key(piece, to));
        observer.moved(piece, from, to);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        self.by_role[role_index(piece.role)] ^= squares;
        self.by_color[piece.color as usize] ^= squares;
    }

    /// Returns the role that a capture takes.
    #[inline(always)]
    fn captured_role(&self, m: Move) -> Option<Role> {
        if m.is_capture() { self.role_at(capture_square(m)) } else { None }
    }
}

/// Returns the square of the piece that a capture takes.
#[inline(always)]
fn capture_square(m: Move) -> Square {
    if m.is_en_passant() { Square::new(m.to() as u32 ^ 8) } else { m.to() }
}
