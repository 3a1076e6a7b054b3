//! A listener to every change of the placement.

use shakmaty::{Piece, Square};

/// Hears which pieces a move takes from and puts on the board, in the order in which it happens.
///
/// An evaluator that is updated incrementally implements this, so that the board need not know
/// it. `()` listens to nothing and costs nothing.
///
/// # Examples
/// Material kept up to date:
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
    /// `piece` now stands on `square`, which was empty.
    fn placed(&mut self, piece: Piece, square: Square);

    /// `piece` no longer stands on `square`.
    fn removed(&mut self, piece: Piece, square: Square);

    /// `piece` went from one square to another, which was empty by then.
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
