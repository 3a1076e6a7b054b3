//! The board as each side sees it, chosen when the code is compiled.

use koel_board::{Bitboard, Color, Square, attacks};

const FIRST_RANK: u64 = 0xff;
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = 0x8080_8080_8080_8080;

/// One of the sides. Forward is where its pawns go; its first rank is where its king begins.
pub(crate) trait Side: Copy {
    /// Its colour.
    const COLOR: Color;
    /// Its opponent.
    type Them: Side;

    /// All squares moved one rank forward.
    fn forward(squares: Bitboard) -> Bitboard;

    /// The squares, and all that lie in front of them.
    fn fill_forward(squares: Bitboard) -> Bitboard;

    /// The square with the ranks counted from this side.
    #[inline(always)]
    fn relative(square: Square) -> Square {
        Square::new(square as u32 ^ if Self::COLOR.is_white() { 0 } else { 56 })
    }

    /// The rank of a square counted from this side, from 0.
    #[inline(always)]
    fn rank(square: Square) -> usize {
        Self::relative(square).to_usize() / 8
    }

    /// A rank counted from this side, from 0.
    #[inline(always)]
    fn rank_mask(rank: usize) -> Bitboard {
        let rank = if Self::COLOR.is_white() { rank } else { 7 - rank };
        Bitboard(FIRST_RANK << (8 * rank))
    }

    /// All squares moved one rank back.
    #[inline(always)]
    fn backward(squares: Bitboard) -> Bitboard {
        Self::Them::forward(squares)
    }

    /// The squares in front of `squares`, without them.
    #[inline(always)]
    fn ahead(squares: Bitboard) -> Bitboard {
        Self::fill_forward(Self::forward(squares))
    }

    /// The squares behind `squares`, without them.
    #[inline(always)]
    fn behind(squares: Bitboard) -> Bitboard {
        Self::Them::ahead(squares)
    }

    /// What the pawns on `squares` attack.
    #[inline(always)]
    fn pawn_attacks(squares: Bitboard) -> Bitboard {
        sideways(Self::forward(squares))
    }

    /// The one of the squares that is farthest back.
    #[inline(always)]
    fn rearmost(squares: Bitboard) -> Option<Square> {
        if Self::COLOR.is_white() { squares.first() } else { squares.last() }
    }
}

/// The side that begins.
#[derive(Clone, Copy)]
pub(crate) struct White;

/// The other.
#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Them = Black;

    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 << 8)
    }

    #[inline(always)]
    fn fill_forward(squares: Bitboard) -> Bitboard {
        let mut filled = squares.0;
        filled |= filled << 8;
        filled |= filled << 16;
        Bitboard(filled | filled << 32)
    }
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Them = White;

    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        Bitboard(squares.0 >> 8)
    }

    #[inline(always)]
    fn fill_forward(squares: Bitboard) -> Bitboard {
        let mut filled = squares.0;
        filled |= filled >> 8;
        filled |= filled >> 16;
        Bitboard(filled | filled >> 32)
    }
}

/// The neighbours of squares to the left and to the right.
#[inline(always)]
pub(crate) fn sideways(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !A_FILE) >> 1 | (squares.0 & !H_FILE) << 1)
}

/// The squares, and all that share a file with them.
#[inline(always)]
pub(crate) fn fill_files(squares: Bitboard) -> Bitboard {
    White::fill_forward(squares) | Black::fill_forward(squares)
}

/// The number of squares.
#[inline(always)]
pub(crate) fn count(squares: Bitboard) -> usize {
    squares.0.count_ones() as usize
}

/// The column of a table for files a to d, which files e to h mirror.
#[inline(always)]
pub(crate) const fn column(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// A king's steps from one square to another.
#[inline(always)]
pub(crate) fn distance(from: Square, to: Square) -> usize {
    let files = (from as i32 & 7) - (to as i32 & 7);
    let ranks = (from as i32 >> 3) - (to as i32 >> 3);
    files.unsigned_abs().max(ranks.unsigned_abs()) as usize
}

/// The square where a king stands for the purpose of its ring: not on the edge.
#[inline(always)]
pub(crate) fn king_ring(king: Square) -> Bitboard {
    let file = (king as u32 & 7).clamp(1, 6);
    let rank = (king as u32 >> 3).clamp(1, 6);
    let centre = Square::new(rank * 8 + file);
    attacks::king_attacks(centre).with(centre)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_each_others_mirror() {
        for square in Square::ALL {
            let here = Bitboard::from(square);
            let there = here.flip_vertical();
            assert_eq!(White::forward(here), Black::forward(there).flip_vertical());
            assert_eq!(White::ahead(here), Black::ahead(there).flip_vertical());
            assert_eq!(White::pawn_attacks(here), attacks::pawn_attacks(Color::White, square));
            assert_eq!(Black::pawn_attacks(here), attacks::pawn_attacks(Color::Black, square));
            assert_eq!(White::rank(square), Black::rank(square.flip_vertical()));
            assert_eq!(fill_files(here), Bitboard::from_file(square.file()));
            for other in Square::ALL {
                assert_eq!(distance(square, other), square.distance(other) as usize);
            }
        }
    }
}
