//! Legal moves, all or by stage.
//!
//! The generator speaks in sets of destinations; a [`Sink`] lists them or only counts them. Every
//! move it names is legal: checks, pins and the squares a king may not enter are masks on those
//! sets, so that no move is ever tried and taken back.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square};

use crate::moves::{Move, MoveKind, MoveList};
use crate::position::{Position, pawn_attacks_of};
use crate::rays;
use crate::sink::{Count, PawnStep, Sink};

impl Position {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<true, true, _>(&mut list);
        list
    }

    /// Appends the legal captures and promotions to `list`.
    pub fn noisy_moves(&self, list: &mut MoveList) {
        self.generate::<true, false, _>(list);
    }

    /// Appends the legal moves that are neither captures nor promotions to `list`.
    pub fn quiet_moves(&self, list: &mut MoveList) {
        self.generate::<false, true, _>(list);
    }

    /// Appends the legal moves out of check to `list`.
    ///
    /// # Panics
    /// Debug builds panic if the side to move is not in check.
    pub fn evasions(&self, list: &mut MoveList) {
        debug_assert!(self.is_check());
        self.generate_in_check::<true, true, _>(list);
    }

    /// The number of legal moves, counted without listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate::<true, true, _>(&mut count);
        count.0
    }

    /// Whether there is any legal move; if not, it is mate or stalemate.
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() != 0
    }

    #[inline(always)]
    fn generate<const NOISY: bool, const QUIET: bool, S: Sink>(&self, sink: &mut S) {
        if self.checkers.any() {
            self.generate_in_check::<NOISY, QUIET, S>(sink);
            return;
        }
        let wanted = self.destinations::<NOISY, QUIET>();
        self.king_moves::<QUIET, S>(wanted, sink);
        self.pawn_moves::<NOISY, QUIET, S>(!Bitboard::EMPTY, sink);
        self.piece_moves(wanted, sink);
        self.pinned_piece_moves(wanted, sink);
    }

    /// Evasions: a king's step, or taking the only checker, or standing in its way.
    fn generate_in_check<const NOISY: bool, const QUIET: bool, S: Sink>(&self, sink: &mut S) {
        let wanted = self.destinations::<NOISY, QUIET>();
        self.king_moves::<false, S>(wanted, sink);
        if let Some(checker) = self.checkers.single_square() {
            let resolving = attacks::between(checker, self.king(self.turn)) | self.checkers;
            self.pawn_moves::<NOISY, QUIET, S>(resolving, sink);
            self.piece_moves(wanted & resolving, sink);
        }
    }

    #[inline(always)]
    fn destinations<const NOISY: bool, const QUIET: bool>(&self) -> Bitboard {
        match (NOISY, QUIET) {
            (true, true) => !self.color(self.turn),
            (true, false) => self.color(!self.turn),
            _ => !self.occupied(),
        }
    }

    /// Knights and sliders that are not pinned.
    #[inline(always)]
    fn piece_moves<S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let us = self.turn;
        let (occupied, theirs, free) = (self.occupied(), self.color(!us), !self.pinned);
        for from in self.pieces(us, Role::Knight) & free {
            sink.piece(from, attacks::knight_attacks(from) & wanted, theirs);
        }
        for from in self.diagonal_sliders(us) & free {
            sink.piece(from, attacks::bishop_attacks(from, occupied) & wanted, theirs);
        }
        for from in self.orthogonal_sliders(us) & free {
            sink.piece(from, attacks::rook_attacks(from, occupied) & wanted, theirs);
        }
    }

    /// Pinned sliders stay on the line of the pin; pinned knights cannot move, and in check no
    /// pinned piece can.
    #[inline(always)]
    fn pinned_piece_moves<S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let us = self.turn;
        let (occupied, theirs, king) = (self.occupied(), self.color(!us), self.king(us));
        for from in self.pinned & self.diagonal_sliders(us) & rays::diagonal(king) {
            let line = attacks::ray(king, from) & wanted;
            sink.piece(from, attacks::bishop_attacks(from, occupied) & line, theirs);
        }
        for from in self.pinned & self.orthogonal_sliders(us) & rays::orthogonal(king) {
            let line = attacks::ray(king, from) & wanted;
            sink.piece(from, attacks::rook_attacks(from, occupied) & line, theirs);
        }
    }

    /// The king's steps, and castling: both ask which squares are not attacked, and one pass over
    /// the attackers answers for all of them.
    #[inline(always)]
    fn king_moves<const CASTLING: bool, S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let king = self.king(self.turn);
        let steps = attacks::king_attacks(king) & wanted;
        let mut asked = steps;
        let mut rooks = Bitboard::EMPTY;
        if CASTLING {
            for rook in self.castling_rooks & self.color(self.turn) {
                if self.is_castling_path_clear(rook) {
                    rooks |= rook;
                    asked |= self.castling_path(rook);
                }
            }
        }
        if asked.is_empty() {
            return;
        }
        let safe = self.safe_squares(asked);
        sink.piece(king, steps & safe, self.color(!self.turn));
        for rook in rooks {
            if self.castling_path(rook).is_subset(safe) {
                sink.single(Move::castling(king, rook));
            }
        }
    }

    /// Those of `squares` that the king of the side to move could stand on. Attackers are asked
    /// one after another, sliders only if they could reach what is left: usually nothing is.
    #[inline(always)]
    pub(crate) fn safe_squares(&self, squares: Bitboard) -> Bitboard {
        let (us, them) = (self.turn, !self.turn);
        let occupied = self.occupied() ^ self.pieces(us, Role::King);
        let mut safe = squares & !attacks::king_attacks(self.king(them));
        safe &= !pawn_attacks_of(them, self.pieces(them, Role::Pawn));
        for knight in self.pieces(them, Role::Knight) {
            safe &= !attacks::knight_attacks(knight);
        }
        for slider in self.diagonal_sliders(them) {
            if (rays::diagonal(slider) & safe).any() {
                safe &= !attacks::bishop_attacks(slider, occupied);
            }
        }
        for slider in self.orthogonal_sliders(them) {
            if (rays::orthogonal(slider) & safe).any() {
                safe &= !attacks::rook_attacks(slider, occupied);
            }
        }
        safe
    }

    /// The squares that the king crosses when it castles with `rook`, its destination included.
    #[inline(always)]
    fn castling_path(&self, rook: Square) -> Bitboard {
        let king = self.king(self.turn);
        let king_to = CastlingSide::from_king_side(rook > king).king_to(self.turn);
        attacks::between(king, king_to) | Bitboard::from(king_to)
    }

    /// Whether nothing stands in the way of castling with `rook`, and the rook is not pinned: in
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

    /// Whether castling with `rook`, which has the right to, is legal now.
    pub(crate) fn can_castle(&self, rook: Square) -> bool {
        let path = self.castling_path(rook);
        !self.is_check()
            && self.is_castling_path_clear(rook)
            && path.is_subset(self.safe_squares(path))
    }

    #[inline(always)]
    fn pawn_moves<const NOISY: bool, const QUIET: bool, S: Sink>(
        &self,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        match self.turn {
            Color::White => self.pawn_moves_of::<true, NOISY, QUIET, S>(allowed, sink),
            Color::Black => self.pawn_moves_of::<false, NOISY, QUIET, S>(allowed, sink),
        }
    }

    /// All pawns at once, by shifting their set. A pinned pawn may go only where its king stays on
    /// the same line, which is a mask on each of the three directions.
    #[inline(always)]
    fn pawn_moves_of<const WHITE: bool, const NOISY: bool, const QUIET: bool, S: Sink>(
        &self,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let (pawns, free) = (self.pieces(us, Role::Pawn), !self.pinned);
        let empty = !self.occupied();
        let promotion_rank = Bitboard::from(if WHITE { Rank::Eighth } else { Rank::First });
        let third_rank = Bitboard::from(if WHITE { Rank::Third } else { Rank::Sixth });

        let pushable = pawns & (free | Bitboard::from(king.file()));
        let one_step = PawnStep::forward(WHITE).apply(pushable) & empty;
        if QUIET {
            let two_steps = PawnStep::forward(WHITE).apply(one_step & third_rank) & empty & allowed;
            sink.pushes(one_step & allowed & !promotion_rank, two_steps, PawnStep::forward(WHITE));
        }
        if NOISY {
            let promotions = one_step & allowed & promotion_rank;
            if promotions.any() {
                sink.promotions(promotions, PawnStep::forward(WHITE), false);
            }
            let targets = self.color(them) & allowed;
            let (rising, falling) = (free | rays::rising(king), free | rays::falling(king));
            for (step, line) in [
                (PawnStep::towards_a(WHITE), if WHITE { falling } else { rising }),
                (PawnStep::towards_h(WHITE), if WHITE { rising } else { falling }),
            ] {
                let captures = step.apply(pawns & line) & targets;
                let promotions = captures & promotion_rank;
                sink.pawn_captures(captures & !promotion_rank, step);
                if promotions.any() {
                    sink.promotions(promotions, step, true);
                }
            }
            if let Some(square) = self.en_passant {
                for from in attacks::pawn_attacks(them, square) & pawns {
                    if self.en_passant_is_safe(from, square) {
                        sink.single(Move::new(from, square, MoveKind::EnPassant));
                    }
                }
            }
        }
    }

    /// Whether taking en passant from `from` onto `square` leaves the king of the side to move out
    /// of every slider's way, and takes a checking pawn if there is one.
    pub(crate) fn en_passant_is_safe(&self, from: Square, square: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let king = self.king(us);
        let taken = Bitboard::from(Square::new(square as u32 ^ 8));
        let occupied = (self.occupied() ^ Bitboard::from(from) ^ taken) | Bitboard::from(square);
        (self.attackers(king, occupied) & self.color(them) & !taken).is_empty()
    }
}
