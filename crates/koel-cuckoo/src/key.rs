//! The Zobrist key of a position.

use core::fmt;
use core::ops::{BitXor, BitXorAssign};

/// The Zobrist key of a position, or the difference (XOR) of two of them.
///
/// All 64 bits are used and should be random. The [crate documentation](crate) lists the
/// requirements on a position's key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ZobristKey(pub u64);

impl BitXor for ZobristKey {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for ZobristKey {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl From<u64> for ZobristKey {
    #[inline]
    fn from(key: u64) -> Self {
        Self(key)
    }
}

impl From<ZobristKey> for u64 {
    #[inline]
    fn from(key: ZobristKey) -> Self {
        key.0
    }
}

/// Writes `0x` and sixteen hexadecimal digits.
impl fmt::Display for ZobristKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#018x}", self.0)
    }
}
