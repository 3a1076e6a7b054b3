//! The input features of the network: a piece on a square, from the perspective of one side.

use koel_board::{Color, Piece, Position, Square};

/// The number of features for each king bucket: two colours, six roles, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// A piece on a square, as the index of its feature from White's perspective without mirroring:
/// below [`FEATURES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceSquare(u16);

/// The offset of Black's pieces.
const BLACK: u16 = 6 * 64;

impl PieceSquare {
    /// Returns the index of a piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn new(piece: Piece, square: Square) -> PieceSquare {
        let color = if piece.color.is_white() { 0 } else { BLACK };
        PieceSquare(color + (piece.role as u16 - 1) * 64 + square as u16)
    }
}

/// The perspective of a side, which depends on the square of its king.
///
/// When a move of the king changes the perspective, all pieces become other features, and the
/// accumulator is refreshed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// XORed to the index of a square: 56 turns the board over, 7 mirrors the files.
    flip: u16,
    king_bucket: u8,
}

impl Perspective {
    /// Returns the perspective of a side with its king on this square, in a network with `K` king
    /// buckets.
    #[inline(always)]
    #[must_use]
    pub fn new<const K: usize>(color: Color, king: Square) -> Perspective {
        let upright = if color.is_white() { king } else { king.flip_vertical() };
        let is_mirrored = upright as u16 & 4 != 0;
        let flip = if color.is_white() { 0 } else { 56 } | if is_mirrored { 7 } else { 0 };
        let own = upright as usize ^ if is_mirrored { 7 } else { 0 };
        Perspective { color, flip, king_bucket: king_bucket::<K>(own) }
    }

    /// Returns the perspective of a side in a position.
    #[inline(always)]
    #[must_use]
    pub fn of<const K: usize>(position: &Position, color: Color) -> Perspective {
        Perspective::new::<K>(color, position.king(color))
    }

    /// Returns the index of the feature of a piece, below `K` times [`FEATURES`].
    #[inline(always)]
    #[must_use]
    pub fn feature(self, piece: PieceSquare) -> usize {
        let index = piece.0 ^ self.flip;
        let index = match self.color {
            Color::White => index,
            Color::Black if index >= BLACK => index - BLACK,
            Color::Black => index + BLACK,
        };
        usize::from(self.king_bucket) * FEATURES + usize::from(index)
    }

    /// Returns the king bucket, below `K`.
    #[inline(always)]
    pub(super) fn king_bucket(self) -> usize {
        usize::from(self.king_bucket)
    }

    /// Returns true if the files are mirrored.
    #[inline(always)]
    pub(super) fn is_mirrored(self) -> bool {
        self.flip & 1 != 0
    }
}

/// Returns the bucket of a king on files a to d, as seen by its side. There is one bucket, or four:
/// a1 and b1, the rest of the first rank, the second rank, and the ranks beyond.
#[inline(always)]
fn king_bucket<const K: usize>(own: usize) -> u8 {
    const { assert!(K == 1 || K == 4, "a network has 1 or 4 king buckets") };
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
    fn every_piece_on_every_square_is_another_feature() {
        for color in [Color::White, Color::Black] {
            for king in Square::ALL {
                let perspective = Perspective::new::<4>(color, king);
                let mut seen = HashSet::new();
                for piece in all_pieces() {
                    seen.extend(
                        Square::ALL.map(|at| perspective.feature(PieceSquare::new(piece, at))),
                    );
                }
                assert_eq!(seen.len(), FEATURES);
                let bucket = perspective.king_bucket();
                assert!(seen.iter().all(|feature| feature / FEATURES == bucket));
            }
        }
    }

    #[test]
    fn colours_and_wings_are_alike() {
        for king in Square::ALL {
            let white = Perspective::new::<4>(Color::White, king);
            let black = Perspective::new::<4>(Color::Black, king.flip_vertical());
            let mirrored = Perspective::new::<4>(Color::White, king.flip_horizontal());
            assert_ne!(white, mirrored);
            for piece in all_pieces() {
                for at in Square::ALL {
                    let feature = white.feature(PieceSquare::new(piece, at));
                    let other = Piece { color: !piece.color, ..piece };
                    let flip = PieceSquare::new(other, at.flip_vertical());
                    assert_eq!(black.feature(flip), feature);
                    let beside = PieceSquare::new(piece, at.flip_horizontal());
                    assert_eq!(mirrored.feature(beside), feature);
                }
            }
        }
    }

    #[test]
    fn the_own_king_is_on_files_a_to_d() {
        let king = Piece { color: Color::White, role: Role::King };
        for (square, seen) in [(Square::G1, Square::B1), (Square::B1, Square::B1)] {
            let feature =
                Perspective::new::<1>(Color::White, square).feature(PieceSquare::new(king, square));
            assert_eq!(feature, 5 * 64 + seen as usize);
        }
    }
}
