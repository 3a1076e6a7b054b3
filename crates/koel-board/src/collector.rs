//! Collectors of generated moves: a move list, or a counter for bulk counting.

use shakmaty::{Bitboard, Role, Square};

use crate::move_list::MoveList;
use crate::moves::{Move, MoveKind};

/// The direction of a pawn move: a square offset of 7, 8 or 9 forwards.
#[derive(Clone, Copy)]
pub(crate) struct PawnDirection(i32);

impl PawnDirection {
    #[inline(always)]
    pub(crate) fn forward(white: bool) -> PawnDirection {
        PawnDirection(if white { 8 } else { -8 })
    }

    #[inline(always)]
    pub(crate) fn towards_a(white: bool) -> PawnDirection {
        PawnDirection(if white { 7 } else { -9 })
    }

    #[inline(always)]
    pub(crate) fn towards_h(white: bool) -> PawnDirection {
        PawnDirection(if white { 9 } else { -7 })
    }

    /// Shifts a set of pawns by one step; pawns that would leave the board are dropped.
    #[inline(always)]
    pub(crate) fn shift(self, pawns: Bitboard) -> Bitboard {
        const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
        const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;
        let on_board = match self.0 {
            7 | -9 => pawns.0 & NOT_A_FILE,
            9 | -7 => pawns.0 & NOT_H_FILE,
            _ => pawns.0,
        };
        Bitboard(if self.0 > 0 { on_board << self.0 } else { on_board >> -self.0 })
    }

    /// Returns the origin of a pawn that reached `to` by this many steps.
    #[inline(always)]
    fn origin(self, to: Square, steps: i32) -> Square {
        Square::new((to as i32 - self.0 * steps) as u32 & 63)
    }
}

/// Receives the legal moves from the generator, as sets of destinations.
pub(crate) trait MoveCollector {
    /// Adds the moves of a piece other than a pawn from `from` to `targets`: captures on `theirs`,
    /// quiet moves elsewhere.
    fn piece_moves(&mut self, from: Square, targets: Bitboard, theirs: Bitboard);
    /// Adds single and double pawn pushes by their destinations; the two sets are disjoint.
    fn pawn_pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, direction: PawnDirection);
    /// Adds pawn captures on `targets`.
    fn pawn_captures(&mut self, targets: Bitboard, direction: PawnDirection);
    /// Adds all four promotions on each of `targets`.
    fn promotions(&mut self, targets: Bitboard, direction: PawnDirection, is_capture: bool);
    /// Adds a single move (castling or en passant).
    fn single_move(&mut self, m: Move);
}

impl MoveCollector for MoveList {
    #[inline(always)]
    fn piece_moves(&mut self, from: Square, targets: Bitboard, theirs: Bitboard) {
        for to in targets {
            self.push(Move::of_piece(from, to, theirs.contains(to)));
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, direction: PawnDirection) {
        for to in one_step {
            self.push(Move::new(direction.origin(to, 1), to, MoveKind::Quiet));
        }
        for to in two_steps {
            self.push(Move::new(direction.origin(to, 2), to, MoveKind::DoublePush));
        }
    }

    #[inline(always)]
    fn pawn_captures(&mut self, targets: Bitboard, direction: PawnDirection) {
        for to in targets {
            self.push(Move::new(direction.origin(to, 1), to, MoveKind::Capture));
        }
    }

    fn promotions(&mut self, targets: Bitboard, direction: PawnDirection, is_capture: bool) {
        for to in targets {
            for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                let kind = if is_capture {
                    MoveKind::PromotionCapture(role)
                } else {
                    MoveKind::Promotion(role)
                };
                self.push(Move::new(direction.origin(to, 1), to, kind));
            }
        }
    }

    #[inline(always)]
    fn single_move(&mut self, m: Move) {
        self.push(m);
    }
}

/// A counter of moves, for bulk counting.
pub(crate) struct MoveCounter(pub(crate) usize);

impl MoveCollector for MoveCounter {
    #[inline(always)]
    fn piece_moves(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, _: PawnDirection) {
        self.0 += (one_step | two_steps).count();
    }

    #[inline(always)]
    fn pawn_captures(&mut self, targets: Bitboard, _: PawnDirection) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: PawnDirection, _: bool) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn single_move(&mut self, _: Move) {
        self.0 += 1;
    }
}
