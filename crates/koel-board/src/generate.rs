//! Legal move generation, all moves or in stages.
//!
//! The generator works on sets of destinations, which a [`MoveCollector`] lists or counts. It
//! generates legal moves only: the check mask, pin lines and attacked squares restrict the sets, so
//! that no move has to be made and tested.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square};

use crate::collector::{MoveCollector, MoveCounter, PawnDirection};
use crate::move_list::MoveList;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::{rays, sliders};

impl Position {
    /// Returns all legal moves.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// // The king has three squares; the pawn is pinned by the rook and may only advance.
    /// let position = Position::from_fen("4k3/8/8/4r3/8/8/4P3/4K3 w - - 0 1")?;
    /// let moves = position.legal_moves();
    /// let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    /// moves.sort();
    /// assert_eq!(moves, ["e1d1", "e1d2", "e1f1", "e1f2", "e2e3", "e2e4"]);
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<true, true, _>(&mut list);
        list
    }

    /// Appends the legal captures and promotions to `list`.
    ///
    /// ```
    /// use koel_board::{MoveList, Position};
    ///
    /// let position = Position::from_fen("4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let mut list = MoveList::new();
    /// position.push_noisy_moves(&mut list);
    /// let mut noisy: Vec<String> = list.iter().map(ToString::to_string).collect();
    /// noisy.sort();
    /// assert_eq!(noisy[..2], ["a7a8b", "a7a8n"]);
    /// assert_eq!(noisy[2..], ["a7a8q", "a7a8r", "e4d5"]);
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    pub fn push_noisy_moves(&self, list: &mut MoveList) {
        self.generate::<true, false, _>(list);
    }

    /// Appends the legal moves that are neither captures nor promotions to `list`.
    pub fn push_quiet_moves(&self, list: &mut MoveList) {
        self.generate::<false, true, _>(list);
    }

    /// Appends the legal moves out of check to `list`.
    ///
    /// # Panics
    /// Debug builds panic if the side to move is not in check.
    pub fn push_evasions(&self, list: &mut MoveList) {
        debug_assert!(self.is_check());
        self.generate_in_check::<true, true, _>(list);
    }

    /// Returns the number of legal moves, without listing them.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// assert_eq!(Position::start().count_legal_moves(), 20);
    /// ```
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = MoveCounter(0);
        self.generate::<true, true, _>(&mut count);
        count.0
    }

    /// Returns true if there is a legal move; if not, the position is checkmate or stalemate.
    ///
    /// ```
    /// use koel_board::Position;
    ///
    /// let stalemate = Position::from_fen("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1")?;
    /// assert!(!stalemate.has_legal_moves() && !stalemate.is_check());
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() != 0
    }

    #[inline(always)]
    fn generate<const NOISY: bool, const QUIET: bool, C: MoveCollector>(&self, collector: &mut C) {
        if self.checkers.any() {
            self.generate_in_check::<NOISY, QUIET, C>(collector);
            return;
        }
        let targets = self.target_squares::<NOISY, QUIET>();
        self.king_moves::<QUIET, C>(targets, collector);
        self.pawn_moves::<NOISY, QUIET, C>(!Bitboard::EMPTY, collector);
        self.piece_moves(targets, collector);
        self.pinned_piece_moves(targets, collector);
    }

    /// Generates check evasions: king moves, and unless it is double check, captures of the checker
    /// and interpositions.
    fn generate_in_check<const NOISY: bool, const QUIET: bool, C: MoveCollector>(
        &self,
        collector: &mut C,
    ) {
        let targets = self.target_squares::<NOISY, QUIET>();
        self.king_moves::<false, C>(targets, collector);
        if let Some(checker) = self.checkers.single_square() {
            let check_mask = attacks::between(checker, self.king(self.turn)) | self.checkers;
            self.pawn_moves::<NOISY, QUIET, C>(check_mask, collector);
            self.piece_moves(targets & check_mask, collector);
        }
    }

    /// Returns the destinations of the stage: captures, quiet moves or both.
    #[inline(always)]
    fn target_squares<const NOISY: bool, const QUIET: bool>(&self) -> Bitboard {
        match (NOISY, QUIET) {
            (true, true) => !self.color(self.turn),
            (true, false) => self.color(!self.turn),
            _ => !self.occupied(),
        }
    }

    /// Generates the moves of knights and sliders that are not pinned.
    #[inline(always)]
    fn piece_moves<C: MoveCollector>(&self, targets: Bitboard, collector: &mut C) {
        let us = self.turn;
        let (occupied, theirs, free) = (self.occupied(), self.color(!us), !self.pinned);
        for from in self.pieces(us, Role::Knight) & free {
            collector.piece_moves(from, attacks::knight_attacks(from) & targets, theirs);
        }
        for from in self.diagonal_sliders(us) & free {
            collector.piece_moves(from, sliders::bishop_attacks(from, occupied) & targets, theirs);
        }
        for from in self.orthogonal_sliders(us) & free {
            collector.piece_moves(from, sliders::rook_attacks(from, occupied) & targets, theirs);
        }
    }

    /// Generates the moves of pinned sliders along the line of the pin. Pinned knights cannot move,
    /// and in check no pinned piece can.
    #[inline(always)]
    fn pinned_piece_moves<C: MoveCollector>(&self, targets: Bitboard, collector: &mut C) {
        let us = self.turn;
        let (occupied, theirs, king) = (self.occupied(), self.color(!us), self.king(us));
        for from in self.pinned & self.diagonal_sliders(us) & rays::diagonals(king) {
            let line = attacks::ray(king, from) & targets;
            collector.piece_moves(from, sliders::bishop_attacks(from, occupied) & line, theirs);
        }
        for from in self.pinned & self.orthogonal_sliders(us) & rays::orthogonals(king) {
            let line = attacks::ray(king, from) & targets;
            collector.piece_moves(from, sliders::rook_attacks(from, occupied) & line, theirs);
        }
    }

    /// Generates king moves and castling. Both need to know which squares are attacked, and one
    /// pass over the attackers serves both.
    #[inline(always)]
    fn king_moves<const CASTLING: bool, C: MoveCollector>(
        &self,
        targets: Bitboard,
        collector: &mut C,
    ) {
        let king = self.king(self.turn);
        let steps = attacks::king_attacks(king) & targets;
        let mut squares = steps;
        let mut rooks = Bitboard::EMPTY;
        if CASTLING {
            for rook in self.castling_rooks & self.color(self.turn) {
                if self.is_castling_path_clear(rook) {
                    rooks |= rook;
                    squares |= self.castling_path(rook);
                }
            }
        }
        if squares.is_empty() {
            return;
        }
        let safe = self.safe_squares(squares);
        collector.piece_moves(king, steps & safe, self.color(!self.turn));
        for rook in rooks {
            if self.castling_path(rook).is_subset(safe) {
                collector.single_move(Move::castling(king, rook));
            }
        }
    }

    /// Returns those of `squares` that the opponent does not attack, seen through the king of the
    /// side to move. A slider's attacks are looked up only if one of the remaining squares is on
    /// its lines, which is rarely the case.
    #[inline(always)]
    pub(crate) fn safe_squares(&self, squares: Bitboard) -> Bitboard {
        let (us, them) = (self.turn, !self.turn);
        let occupied = self.occupied() ^ self.pieces(us, Role::King);
        let mut safe = squares & !attacks::king_attacks(self.king(them));
        safe &= !self.pawn_threats();
        for knight in self.pieces(them, Role::Knight) {
            safe &= !attacks::knight_attacks(knight);
        }
        for slider in self.diagonal_sliders(them) {
            if (rays::diagonals(slider) & safe).any() {
                safe &= !sliders::bishop_attacks(slider, occupied);
            }
        }
        for slider in self.orthogonal_sliders(them) {
            if (rays::orthogonals(slider) & safe).any() {
                safe &= !sliders::rook_attacks(slider, occupied);
            }
        }
        safe
    }

    /// Returns the squares that the king crosses when castling with `rook`, including its
    /// destination.
    #[inline(always)]
    fn castling_path(&self, rook: Square) -> Bitboard {
        let king = self.king(self.turn);
        let king_to = CastlingSide::from_king_side(rook > king).king_to(self.turn);
        attacks::between(king, king_to) | Bitboard::from(king_to)
    }

    /// Returns true if no piece obstructs castling with `rook` and the rook is not pinned: in
    /// Chess960 it may shield the king from a slider in the corner behind it.
    #[inline(always)]
    fn is_castling_path_clear(&self, rook: Square) -> bool {
        let king = self.king(self.turn);
        let rook_to = CastlingSide::from_king_side(rook > king).rook_to(self.turn);
        let path = self.castling_path(rook)
            | attacks::between(king, rook)
            | attacks::between(rook, rook_to)
            | Bitboard::from(rook_to);
        let others = self.occupied() ^ Bitboard::from(king) ^ Bitboard::from(rook);
        path.is_disjoint(others) && !self.pinned.contains(rook)
    }

    /// Returns true if castling with `rook`, for which the right exists, is legal.
    pub(crate) fn can_castle(&self, rook: Square) -> bool {
        let path = self.castling_path(rook);
        !self.is_check()
            && self.is_castling_path_clear(rook)
            && path.is_subset(self.safe_squares(path))
    }

    #[inline(always)]
    fn pawn_moves<const NOISY: bool, const QUIET: bool, C: MoveCollector>(
        &self,
        check_mask: Bitboard,
        collector: &mut C,
    ) {
        match self.turn {
            Color::White => self.pawn_moves_of::<true, NOISY, QUIET, C>(check_mask, collector),
            Color::Black => self.pawn_moves_of::<false, NOISY, QUIET, C>(check_mask, collector),
        }
    }

    /// Generates the moves of all pawns at once by shifting their set. A pinned pawn has to stay on
    /// the line to its king, which is a mask for each of the three directions.
    #[inline(always)]
    fn pawn_moves_of<const WHITE: bool, const NOISY: bool, const QUIET: bool, C: MoveCollector>(
        &self,
        check_mask: Bitboard,
        collector: &mut C,
    ) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let (pawns, free) = (self.pieces(us, Role::Pawn), !self.pinned);
        let empty = !self.occupied();
        let promotion_rank = Bitboard::from(if WHITE { Rank::Eighth } else { Rank::First });
        let third_rank = Bitboard::from(if WHITE { Rank::Third } else { Rank::Sixth });

        let pushable = pawns & (free | Bitboard::from(king.file()));
        let one_step = PawnDirection::forward(WHITE).shift(pushable) & empty;
        if QUIET {
            let two_steps =
                PawnDirection::forward(WHITE).shift(one_step & third_rank) & empty & check_mask;
            collector.pawn_pushes(
                one_step & check_mask & !promotion_rank,
                two_steps,
                PawnDirection::forward(WHITE),
            );
        }
        if NOISY {
            let promotions = one_step & check_mask & promotion_rank;
            if promotions.any() {
                collector.promotions(promotions, PawnDirection::forward(WHITE), false);
            }
            let targets = self.color(them) & check_mask;
            let (main, anti) = (free | rays::main_diagonal(king), free | rays::anti_diagonal(king));
            for (direction, line) in [
                (PawnDirection::towards_a(WHITE), if WHITE { anti } else { main }),
                (PawnDirection::towards_h(WHITE), if WHITE { main } else { anti }),
            ] {
                let captures = direction.shift(pawns & line) & targets;
                let promotions = captures & promotion_rank;
                collector.pawn_captures(captures & !promotion_rank, direction);
                if promotions.any() {
                    collector.promotions(promotions, direction, true);
                }
            }
            if let Some(square) = self.en_passant {
                for from in attacks::pawn_attacks(them, square) & pawns {
                    if self.en_passant_is_safe(from, square) {
                        collector.single_move(Move::new(from, square, MoveKind::EnPassant));
                    }
                }
            }
        }
    }

    /// Returns true if the en-passant capture from `from` to `square` does not leave the king of
    /// the side to move in check. Two pawns leave their squares, so pins alone do not tell.
    pub(crate) fn en_passant_is_safe(&self, from: Square, square: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let captured = Bitboard::from(Square::new(square as u32 ^ 8));
        let occupied = (self.occupied() ^ Bitboard::from(from) ^ captured) | Bitboard::from(square);
        (self.attackers(king, occupied) & self.color(them) & !captured).is_empty()
    }
}
