//! The observer of changes to the placement.

use shakmaty::{Piece, Square};

/// Receives every change that a move makes to the placement, in order.
///
/// An incrementally updated evaluator (NNUE accumulators) implements this trait, so that the board
/// does not depend on it. The implementation for `()` does nothing and is optimised away.
///
/// # Examples
/// Counting the pieces incrementally:
/// ```
/// use koel_board::{Observer, Piece, Position, Role, Square};
///
/// struct Pieces(i32);
/// impl Observer for Pieces {
///     fn placed(&mut self, _: Piece, _: Square) { self.0 += 1 }
///     fn removed(&mut self, _: Piece, _: Square) { self.0 -= 1 }
/// }
///
/// let mut position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
/// let mut pieces = Pieces(4);
/// let capture = position.parse_uci("e4d5")?;
/// position.play_observed(capture, &mut pieces);
/// assert_eq!(pieces.0, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// Called when `piece` is placed on the empty `square`.
    fn placed(&mut self, piece: Piece, square: Square);

    /// Called when `piece` is removed from `square`.
    fn removed(&mut self, piece: Piece, square: Square);

    /// Called when `piece` moves to an empty square (after a capture, the captured piece has been
    /// removed before).
    #[inline(always)]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.placed(piece, to);
    }
}

impl Observer for () {
    #[inline(always)]
    fn placed(&mut self, _: Piece, _: Square) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
}
