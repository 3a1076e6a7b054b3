//! Lines through a square on an empty board. With pieces in the way, shakmaty's magic tables serve.

use shakmaty::{Bitboard, Square};

/// The squares of the rank and file through a square, without itself.
static ORTHOGONAL: [Bitboard; 64] = lines(&[(1, 0), (-1, 0), (0, 1), (0, -1)]);
/// The squares of both diagonals through a square, without itself.
static DIAGONAL: [Bitboard; 64] = lines(&[(1, 1), (-1, -1), (1, -1), (-1, 1)]);
/// The squares of the diagonal in the direction a1-h8.
static RISING: [Bitboard; 64] = lines(&[(1, 1), (-1, -1)]);
/// The squares of the diagonal in the direction a8-h1.
static FALLING: [Bitboard; 64] = lines(&[(1, -1), (-1, 1)]);

const fn lines(directions: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < directions.len() {
            let (file_step, rank_step) = directions[index];
            let (mut file, mut rank) = (square % 8 + file_step, square / 8 + rank_step);
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square as usize].0 |= 1 << (8 * rank + file);
                file += file_step;
                rank += rank_step;
            }
            index += 1;
        }
        square += 1;
    }
    table
}

/// The rank and file through `square`.
#[inline(always)]
pub(crate) fn orthogonal(square: Square) -> Bitboard {
    ORTHOGONAL[square.to_usize()]
}

/// Both diagonals through `square`.
#[inline(always)]
pub(crate) fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.to_usize()]
}

/// The diagonal through `square` that rises towards the h-file.
#[inline(always)]
pub(crate) fn rising(square: Square) -> Bitboard {
    RISING[square.to_usize()]
}

/// The diagonal through `square` that falls towards the h-file.
#[inline(always)]
pub(crate) fn falling(square: Square) -> Bitboard {
    FALLING[square.to_usize()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::attacks;

    #[test]
    fn lines_are_the_attacks_of_sliders_on_an_empty_board() {
        for square in Square::ALL {
            assert_eq!(orthogonal(square), attacks::rook_attacks(square, Bitboard::EMPTY));
            assert_eq!(diagonal(square), attacks::bishop_attacks(square, Bitboard::EMPTY));
            assert_eq!(rising(square) | falling(square), diagonal(square));
            assert!(rising(square).is_disjoint(falling(square)));
        }
        assert!(rising(Square::A1).contains(Square::H8));
        assert!(falling(Square::A8).contains(Square::H1));
    }
}
