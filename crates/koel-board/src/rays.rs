//! Tables of the lines through a square on an empty board.

use shakmaty::{Bitboard, Square};

/// The rank and file through a square, without the square.
static ORTHOGONALS: [Bitboard; 64] = lines(&[(1, 0), (-1, 0), (0, 1), (0, -1)]);
/// The file through a square, without the square.
static FILES: [Bitboard; 64] = lines(&[(0, 1), (0, -1)]);
/// Both diagonals through a square, without the square.
static DIAGONALS: [Bitboard; 64] = lines(&[(1, 1), (-1, -1), (1, -1), (-1, 1)]);
/// The diagonal in the direction a1-h8 through a square, without the square.
static MAIN_DIAGONAL: [Bitboard; 64] = lines(&[(1, 1), (-1, -1)]);
/// The diagonal in the direction a8-h1 through a square, without the square.
static ANTI_DIAGONAL: [Bitboard; 64] = lines(&[(1, -1), (-1, 1)]);

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

/// Returns the rank and file through `square`.
#[inline(always)]
pub(crate) fn orthogonals(square: Square) -> Bitboard {
    ORTHOGONALS[square.to_usize()]
}

/// Returns the file through `square`.
#[inline(always)]
pub(crate) fn file(square: Square) -> Bitboard {
    FILES[square.to_usize()]
}

/// Returns both diagonals through `square`.
#[inline(always)]
pub(crate) fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.to_usize()]
}

/// Returns the diagonal through `square` in the direction a1-h8.
#[inline(always)]
pub(crate) fn main_diagonal(square: Square) -> Bitboard {
    MAIN_DIAGONAL[square.to_usize()]
}

/// Returns the diagonal through `square` in the direction a8-h1.
#[inline(always)]
pub(crate) fn anti_diagonal(square: Square) -> Bitboard {
    ANTI_DIAGONAL[square.to_usize()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::attacks;

    #[test]
    fn lines_are_the_attacks_of_sliders_on_an_empty_board() {
        for square in Square::ALL {
            assert_eq!(orthogonals(square), attacks::rook_attacks(square, Bitboard::EMPTY));
            assert_eq!(diagonals(square), attacks::bishop_attacks(square, Bitboard::EMPTY));
            assert_eq!(main_diagonal(square) | anti_diagonal(square), diagonals(square));
            assert!(main_diagonal(square).is_disjoint(anti_diagonal(square)));
        }
        assert!(main_diagonal(Square::A1).contains(Square::H8));
        assert!(anti_diagonal(Square::A8).contains(Square::H1));
    }
}
