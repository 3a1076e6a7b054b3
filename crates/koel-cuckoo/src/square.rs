//! Squares, and the moves of pieces on an empty board.

use core::fmt;

/// A square of the board: 0 is a1, 1 is b1, 8 is a2, 63 is h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Returns the square with this index, or `None` if it is 64 or more.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// Returns the index of the square, 0 (a1) to 63 (h8).
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the bitboard of this square: bit [`index`](Self::index).
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    const fn file(self) -> i8 {
        (self.0 % 8).cast_signed()
    }

    const fn rank(self) -> i8 {
        (self.0 / 8).cast_signed()
    }

    /// Returns the squares strictly between two squares of a rank, file or diagonal; empty for
    /// other pairs.
    pub(crate) const fn between(self, other: Self) -> u64 {
        let files = other.file() - self.file();
        let ranks = other.rank() - self.rank();
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return 0;
        }
        let step = files.signum() + 8 * ranks.signum();
        let mut squares = 0;
        let mut square = self.0.cast_signed() + step;
        while square != other.0.cast_signed() && step != 0 {
            squares |= 1 << square;
            square += step;
        }
        squares
    }
}

/// Writes the square in algebraic notation: `e4`.
impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.0 % 8);
        let rank = char::from(b'1' + self.0 / 8);
        write!(formatter, "{file}{rank}")
    }
}

/// The five piece types whose moves are reversible.
#[derive(Clone, Copy)]
pub(crate) enum PieceType {
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceType {
    pub(crate) const ALL: [Self; 5] =
        [Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// Returns true if this piece moves from one square to the other on an empty board.
    pub(crate) const fn connects(self, from: Square, to: Square) -> bool {
        let files = (from.file() - to.file()).abs();
        let ranks = (from.rank() - to.rank()).abs();
        if files == 0 && ranks == 0 {
            return false;
        }
        let straight = files == 0 || ranks == 0;
        let diagonal = files == ranks;
        match self {
            Self::Knight => files * ranks == 2,
            Self::Bishop => diagonal,
            Self::Rook => straight,
            Self::Queen => straight || diagonal,
            Self::King => files <= 1 && ranks <= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        let bytes = name.as_bytes();
        Square::new(bytes[0] - b'a' + 8 * (bytes[1] - b'1')).unwrap()
    }

    #[test]
    fn the_last_square_is_h8() {
        assert_eq!(Square::new(63).unwrap(), square("h8"));
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn between_is_symmetric_and_excludes_its_ends() {
        for first in 0..64 {
            for second in 0..64 {
                let (from, to) = (Square(first), Square(second));
                let between = from.between(to);
                assert_eq!(between, to.between(from));
                assert_eq!(between & (from.bit() | to.bit()), 0);
                let longest = (from.file() - to.file()).abs().max((from.rank() - to.rank()).abs());
                if PieceType::Queen.connects(from, to) {
                    assert_eq!(i32::from(longest) - 1, between.count_ones().cast_signed());
                } else {
                    assert_eq!(between, 0);
                }
            }
        }
    }

    #[test]
    fn between_is_the_path_of_a_slider() {
        let corner = square("b2").bit() | square("c3").bit() | square("d4").bit();
        assert_eq!(square("a1").between(square("e5")), corner);
        assert_eq!(square("h8").between(square("h6")), square("h7").bit());
        assert_eq!(square("a4").between(square("c4")), square("b4").bit());
        assert_eq!(square("h1").between(square("f3")), square("g2").bit());
    }
}
