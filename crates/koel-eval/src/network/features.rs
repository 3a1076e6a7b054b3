//! What the network sees: a piece on a square, from the view of one side.

use koel_board::{Color, Piece, Position, Square};

/// Inputs for each bucket of king squares: two colours, six roles, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// A piece on a square, as White sees it without mirroring: below [`FEATURES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceSquare(u16);

/// Added to the number of a piece that is Black's.
const BLACK: u16 = 6 * 64;

impl PieceSquare {
    /// This piece on this square.
    #[inline(always)]
    #[must_use]
    pub fn new(piece: Piece, square: Square) -> PieceSquare {
        let color = if piece.color.is_white() { 0 } else { BLACK };
        PieceSquare(color + (piece.role as u16 - 1) * 64 + square as u16)
    }
}

/// How one side sees the board while its king stands where it stands.
///
/// When a king's move changes the view, everything on the board is another input, and the
/// accumulator is computed anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    /// The squares are exchanged with those whose number differs in these bits.
    turned: u16,
    bucket: u8,
}

impl View {
    /// The view of a side with its king on this square, where kings are told apart by `K` buckets.
    #[inline(always)]
    #[must_use]
    pub fn new<const K: usize>(color: Color, king: Square) -> View {
        let upright = if color.is_white() { king } else { king.flip_vertical() };
        let is_mirrored = upright as u16 & 4 != 0;
        let turned = if color.is_white() { 0 } else { 56 } | if is_mirrored { 7 } else { 0 };
        let own = upright as usize ^ if is_mirrored { 7 } else { 0 };
        View { color, turned, bucket: king_bucket::<K>(own) }
    }

    /// The view of a side in a position.
    #[inline(always)]
    #[must_use]
    pub fn of<const K: usize>(position: &Position, color: Color) -> View {
        View::new::<K>(color, position.king(color))
    }

    /// The number of the input, below `K` times [`FEATURES`], for a piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn feature(self, seen: PieceSquare) -> usize {
        let square = seen.0 ^ self.turned;
        let number = match self.color {
            Color::White => square,
            Color::Black if square >= BLACK => square - BLACK,
            Color::Black => square + BLACK,
        };
        usize::from(self.bucket) * FEATURES + usize::from(number)
    }

    /// The bucket of its king: below `K`.
    #[inline(always)]
    pub(super) fn bucket(self) -> usize {
        usize::from(self.bucket)
    }

    /// Whether left and right are exchanged.
    #[inline(always)]
    pub(super) fn is_mirrored(self) -> bool {
        self.turned & 1 != 0
    }
}

/// The bucket of a king on the queen's side of its own board. One bucket, or four: the corner, the
/// rest of the back rank, the second rank, and further out.
#[inline(always)]
fn king_bucket<const K: usize>(own: usize) -> u8 {
    const { assert!(K == 1 || K == 4, "buckets are laid out for 1 and 4") };
    if K == 1 {
        return 0;
    }
    match own {
        0 | 1 => 0,
        2..=7 => 1,
        8..=15 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use koel_board::Role;

    use super::*;

    fn all_pieces() -> impl Iterator<Item = Piece> {
        let colors = [Color::White, Color::Black];
        colors.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }))
    }

    #[test]
    fn a_view_tells_all_pieces_on_all_squares_apart() {
        for color in [Color::White, Color::Black] {
            for king in Square::ALL {
                let view = View::new::<4>(color, king);
                let mut seen = HashSet::new();
                for piece in all_pieces() {
                    seen.extend(Square::ALL.map(|at| view.feature(PieceSquare::new(piece, at))));
                }
                assert_eq!(seen.len(), FEATURES);
                assert_eq!(seen.iter().max().unwrap() / FEATURES, usize::from(view.bucket));
                assert_eq!(seen.iter().min().unwrap() / FEATURES, usize::from(view.bucket));
            }
        }
    }

    #[test]
    fn colours_and_wings_look_alike() {
        for king in Square::ALL {
            let white = View::new::<4>(Color::White, king);
            let black = View::new::<4>(Color::Black, king.flip_vertical());
            let mirrored = View::new::<4>(Color::White, king.flip_horizontal());
            assert_ne!(white, mirrored);
            for piece in all_pieces() {
                for at in Square::ALL {
                    let feature = white.feature(PieceSquare::new(piece, at));
                    let other = Piece { color: !piece.color, ..piece };
                    let turned = PieceSquare::new(other, at.flip_vertical());
                    assert_eq!(black.feature(turned), feature);
                    let beside = PieceSquare::new(piece, at.flip_horizontal());
                    assert_eq!(mirrored.feature(beside), feature);
                }
            }
        }
    }

    #[test]
    fn the_own_king_stands_on_the_queens_side() {
        let king = Piece { color: Color::White, role: Role::King };
        for (square, seen) in [(Square::G1, Square::B1), (Square::B1, Square::B1)] {
            let feature =
                View::new::<1>(Color::White, square).feature(PieceSquare::new(king, square));
            assert_eq!(feature, 5 * 64 + seen as usize);
        }
    }
}
