//! What becomes of the sets that the generator finds: a list of moves, or their number.

use shakmaty::{Bitboard, Role, Square};

use crate::moves::{Move, MoveKind, MoveList};

/// One of the three directions in which a pawn can go.
#[derive(Clone, Copy)]
pub(crate) struct PawnStep(i32);

impl PawnStep {
    #[inline(always)]
    pub(crate) fn forward(white: bool) -> PawnStep {
        PawnStep(if white { 8 } else { -8 })
    }

    #[inline(always)]
    pub(crate) fn towards_a(white: bool) -> PawnStep {
        PawnStep(if white { 7 } else { -9 })
    }

    #[inline(always)]
    pub(crate) fn towards_h(white: bool) -> PawnStep {
        PawnStep(if white { 9 } else { -7 })
    }

    /// All pawns of a set, one step on; those that would leave the board are gone.
    #[inline(always)]
    pub(crate) fn apply(self, pawns: Bitboard) -> Bitboard {
        const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
        const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;
        let on_board = match self.0 {
            7 | -9 => pawns.0 & NOT_A_FILE,
            9 | -7 => pawns.0 & NOT_H_FILE,
            _ => pawns.0,
        };
        Bitboard(if self.0 > 0 { on_board << self.0 } else { on_board >> -self.0 })
    }

    /// Where the pawn that is now on `to` came from in `steps` steps.
    #[inline(always)]
    fn origin(self, to: Square, steps: i32) -> Square {
        Square::new((to as i32 - self.0 * steps) as u32 & 63)
    }
}

/// Takes the sets of legal destinations one by one.
pub(crate) trait Sink {
    /// A piece other than a pawn goes from `from` to any of `targets`, capturing on `theirs`.
    fn piece(&mut self, from: Square, targets: Bitboard, theirs: Bitboard);
    /// Pawns go forward to `one_step` and `two_steps`; the two sets share no square.
    fn pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, step: PawnStep);
    /// Pawns capture on `targets`.
    fn pawn_captures(&mut self, targets: Bitboard, step: PawnStep);
    /// Pawns become pieces on `targets`, capturing or not.
    fn promotions(&mut self, targets: Bitboard, step: PawnStep, is_capture: bool);
    /// One move of the rarer kinds.
    fn single(&mut self, m: Move);
}

/// There is room for the moves of any legal position, so nothing is lost; with `push` each would
/// carry a panic along.
impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, theirs: Bitboard) {
        for to in targets {
            let _ = self.try_push(Move::of_piece(from, to, theirs.contains(to)));
        }
    }

    #[inline(always)]
    fn pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, step: PawnStep) {
        for to in one_step {
            let _ = self.try_push(Move::new(step.origin(to, 1), to, MoveKind::Quiet));
        }
        for to in two_steps {
            let _ = self.try_push(Move::new(step.origin(to, 2), to, MoveKind::DoublePush));
        }
    }

    #[inline(always)]
    fn pawn_captures(&mut self, targets: Bitboard, step: PawnStep) {
        for to in targets {
            let _ = self.try_push(Move::new(step.origin(to, 1), to, MoveKind::Capture));
        }
    }

    fn promotions(&mut self, targets: Bitboard, step: PawnStep, is_capture: bool) {
        for to in targets {
            for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                let kind = if is_capture {
                    MoveKind::PromotionCapture(role)
                } else {
                    MoveKind::Promotion(role)
                };
                let _ = self.try_push(Move::new(step.origin(to, 1), to, kind));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, m: Move) {
        let _ = self.try_push(m);
    }
}

/// Counts moves without making them.
pub(crate) struct Count(pub(crate) usize);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pushes(&mut self, one_step: Bitboard, two_steps: Bitboard, _: PawnStep) {
        self.0 += (one_step | two_steps).count();
    }

    #[inline(always)]
    fn pawn_captures(&mut self, targets: Bitboard, _: PawnStep) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: PawnStep, _: bool) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}
