//! The cuckoo hash table of the key differences of all reversible moves.

use core::fmt;

use crate::square::{PieceType, Square};

/// The number of slots: more than twice the number of moves, so that two hash functions nearly
/// always have an arrangement.
const SLOTS: usize = 8192;

/// The number of moves: 168 (knight), 280 (bishop), 448 (rook), 728 (queen) and 210 (king) pairs of
/// squares for each colour.
const MOVES: usize = 3668;

/// The bound of an insertion. An insertion that succeeds visits each occupied slot at most twice
/// (once before and once after the chain of evictions turns at a closed loop); a longer chain never
/// ends.
const MAX_EVICTIONS: usize = 2 * MOVES + 1;

/// The moves of one colour: piece type (as an index of the key array) and both squares.
const PAIRS: [(u8, Square, Square); MOVES / 2] = list_pairs();

/// The key differences of the 3668 reversible moves of chess, each with its two squares.
///
/// A move of a knight, bishop, rook, queen or king between two squares of the empty board, in
/// either direction, changes the key by the XOR of the two piece keys and the side key. The table
/// maps this difference to the two squares. Two disjoint bit fields of the difference select the
/// only two of 8192 slots where it can be stored (cuckoo hashing).
///
/// The table takes 80 KiB (64 KiB of keys, 16 KiB of squares). Declare it as a `static`: a `const`
/// may be copied at each use.
#[derive(Clone)]
pub struct CycleTable {
    /// The key differences; 0 marks an empty slot.
    keys: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
    side: u64,
}

impl CycleTable {
    /// Builds the table from an engine's Zobrist keys, at compile time or at run time.
    ///
    /// `pieces` are the keys of the ten pieces other than pawns, by square (a1 = 0, h8 = 63):
    /// knight, bishop, rook, queen and king of one colour, then those of the other. `side` is the
    /// key of the side to move.
    ///
    /// # Panics
    ///
    /// If [`try_new`](Self::try_new) fails. In a `static` or `const` this is a compile error. About
    /// one random set of keys in 95 has no arrangement and needs another seed.
    ///
    /// ```compile_fail
    /// use koel_cuckoo::CycleTable;
    /// // error: evaluation panicked: a Zobrist key is zero
    /// static TABLE: CycleTable = CycleTable::new(&[[0; 64]; 10], 0);
    /// ```
    #[must_use]
    pub const fn new(pieces: &[[u64; 64]; 10], side: u64) -> Self {
        match Self::try_new(pieces, side) {
            Ok(table) => table,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// Builds the table like [`new`](Self::new), or returns an error if there is none for these
    /// keys. The construction always terminates.
    ///
    /// # Errors
    ///
    /// If the keys are unusable; see [`CycleTableError`]. `NoArrangement` is returned exactly if no
    /// arrangement exists.
    pub const fn try_new(pieces: &[[u64; 64]; 10], side: u64) -> Result<Self, CycleTableError> {
        if let Some(error) = find_unusable_key(pieces, side) {
            return Err(error);
        }
        let mut table = Self::empty(side);
        let mut index = 0;
        while index < MOVES {
            let (piece, from, to) = move_at(index);
            let difference = pieces[piece][from.index()] ^ pieces[piece][to.index()];
            if let Err(error) = table.add(difference, [from, to]) {
                return Err(error);
            }
            index += 1;
        }
        Ok(table)
    }

    /// Builds the table from differences of keys, for a board that does not publish its Zobrist
    /// keys.
    ///
    /// `difference(piece, from, to)` returns the XOR of the keys of a piece on two squares: for
    /// instance the XOR of the keys of two positions that differ in nothing else. `piece` is 0 to 4
    /// for the knight, bishop, rook, queen and king of one colour, 5 to 9 for those of the other.
    /// It is called once for each pair of squares that the piece can move between on an empty
    /// board, 3668 times. `side` is the key of the side to move: the XOR of the keys of a position
    /// and of the position after a null move.
    ///
    /// The result is the same as that of [`try_new`](Self::try_new) with the keys themselves.
    ///
    /// ```
    /// use koel_cuckoo::CycleTable;
    /// # let mut rng = koel_random::Rng::new(1);
    /// # let keys: [[u64; 64]; 10] =
    /// #     std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64()));
    /// # let side = rng.next_u64();
    /// let table = CycleTable::try_from_differences(
    ///     |piece, from, to| keys[piece][from.index()] ^ keys[piece][to.index()],
    ///     side,
    /// );
    /// assert!(table.is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`try_new`](Self::try_new), except that keys that are zero cannot be seen, and
    /// `InconsistentDifferences` if the differences of a piece do not fit together.
    pub fn try_from_differences(
        mut difference: impl FnMut(usize, Square, Square) -> u64,
        side: u64,
    ) -> Result<Self, CycleTableError> {
        if side == 0 {
            return Err(CycleTableError::ZeroKey);
        }
        let mut table = Self::empty(side);
        let mut relative_keys = [RelativeKeys::NEW; 10];
        for (piece, from, to) in (0..MOVES).map(move_at) {
            let difference = difference(piece, from, to);
            if difference == 0 {
                return Err(CycleTableError::EqualKeys);
            }
            if !relative_keys[piece].connect(from, to, difference) {
                return Err(CycleTableError::InconsistentDifferences);
            }
            table.add(difference, [from, to])?;
        }
        Ok(table)
    }

    #[expect(clippy::large_stack_arrays, reason = "80 KiB, once, and the crate may have no heap")]
    const fn empty(side: u64) -> Self {
        Self { keys: [0; SLOTS], squares: [[PAIRS[0].1; 2]; SLOTS], side }
    }

    /// Adds the move with this difference of piece keys.
    const fn add(&mut self, difference: u64, squares: [Square; 2]) -> Result<(), CycleTableError> {
        let key = difference ^ self.side;
        if key == 0 || self.find(key).is_some() {
            return Err(CycleTableError::EqualMoves);
        }
        if !self.insert(key, squares) {
            return Err(CycleTableError::NoArrangement);
        }
        Ok(())
    }

    /// Returns the two squares of the move with this key difference, in no particular order.
    #[inline]
    pub(crate) const fn find(&self, key: u64) -> Option<[Square; 2]> {
        let [first, second] = slots(key);
        let slot = if self.keys[first] == key { first } else { second };
        // An empty slot has the key 0, which no move has.
        if self.keys[slot] == key && key != 0 { Some(self.squares[slot]) } else { None }
    }

    /// Returns the key of the side to move.
    #[inline]
    pub(crate) const fn side(&self) -> u64 {
        self.side
    }

    /// Inserts a move; returns false if it and the moves before it have no arrangement.
    const fn insert(&mut self, mut key: u64, mut squares: [Square; 2]) -> bool {
        let mut slot = slots(key)[0];
        let mut evictions = 0;
        while evictions < MAX_EVICTIONS {
            (self.keys[slot], key) = (key, self.keys[slot]);
            (self.squares[slot], squares) = (squares, self.squares[slot]);
            if key == 0 {
                return true;
            }
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
            evictions += 1;
        }
        false
    }
}

impl fmt::Debug for CycleTable {
    /// Shows the side key, without the 3668 moves.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CycleTable").field("side", &self.side).finish_non_exhaustive()
    }
}

/// The error for a set of Zobrist keys that has no [`CycleTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CycleTableError {
    /// A piece key or the side key is zero.
    ZeroKey,
    /// Two of the 641 keys are equal.
    EqualKeys,
    /// Two moves have the same key difference, or a move has the difference 0: the keys are
    /// linearly dependent.
    EqualMoves,
    /// The keys are valid, but the 3668 moves do not fit into their slots. This happens to about
    /// 1.1 % of random sets of keys (1059 of 100,000 tried); use another seed.
    NoArrangement,
    /// The differences of a piece are not those of one number for each square.
    InconsistentDifferences,
}

impl CycleTableError {
    const fn message(self) -> &'static str {
        match self {
            Self::ZeroKey => "a Zobrist key is zero",
            Self::EqualKeys => "two Zobrist keys are equal",
            Self::EqualMoves => "two moves have the same difference of Zobrist keys",
            Self::NoArrangement => {
                "the moves of these Zobrist keys have no cuckoo arrangement; use another seed"
            }
            Self::InconsistentDifferences => {
                "the differences of a piece are not those of one Zobrist key for each square"
            }
        }
    }
}

impl fmt::Display for CycleTableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl core::error::Error for CycleTableError {}

/// Returns the two slots of a key: two disjoint bit fields are two independent hash functions.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the mask keeps 13 bits")]
const fn slots(key: u64) -> [usize; 2] {
    [key as usize % SLOTS, (key >> 16) as usize % SLOTS]
}

const fn list_pairs() -> [(u8, Square, Square); MOVES / 2] {
    let corner = Square::new(0).expect("a1 is a square");
    let mut pairs = [(0, corner, corner); MOVES / 2];
    let mut count = 0;
    let mut index: u16 = 0;
    while index < 5 * 64 * 64 {
        let piece = (index / 4096) as u8;
        let from = Square::new((index / 64 % 64) as u8).expect("below 64");
        let to = Square::new((index % 64) as u8).expect("below 64");
        if from.index() < to.index() && PieceType::ALL[piece as usize].connects(from, to) {
            pairs[count] = (piece, from, to);
            count += 1;
        }
        index += 1;
    }
    assert!(count == MOVES / 2, "chess has 1834 reversible moves per colour");
    pairs
}

/// Returns the piece (as an index of the key array) and the squares of a move; `index` is less than
/// [`MOVES`].
const fn move_at(index: usize) -> (usize, Square, Square) {
    let (piece, from, to) = PAIRS[index / 2];
    (piece as usize + 5 * (index % 2), from, to)
}

/// The keys of one piece, as far as its differences determine them: relative to one square of each
/// group of connected squares.
#[derive(Clone, Copy)]
struct RelativeKeys {
    keys: [u64; 64],
    /// For each square, the least square of its group.
    groups: [u8; 64],
}

impl RelativeKeys {
    /// Every square is a group of its own.
    const NEW: Self = {
        let mut groups = [0; 64];
        let mut square = 0;
        while square < 64 {
            groups[square as usize] = square;
            square += 1;
        }
        Self { keys: [0; 64], groups }
    };

    /// Records the difference of two squares; returns false if it contradicts earlier ones.
    fn connect(&mut self, from: Square, to: Square, difference: u64) -> bool {
        let shift = self.keys[from.index()] ^ self.keys[to.index()] ^ difference;
        let [from, to] = [from, to].map(|square| self.groups[square.index()]);
        if from == to {
            return shift == 0;
        }
        for (key, group) in self.keys.iter_mut().zip(&mut self.groups) {
            if *group == from.max(to) {
                *key ^= shift;
                *group = from.min(to);
            }
        }
        true
    }
}

/// Finds a zero or a duplicate among the 641 keys, with a small open-addressing hash table.
#[expect(clippy::cast_possible_truncation, reason = "the mask keeps 11 bits")]
const fn find_unusable_key(pieces: &[[u64; 64]; 10], side: u64) -> Option<CycleTableError> {
    const SEEN: usize = 2048;
    let mut seen = [0; SEEN];
    let mut index = 0;
    while index <= 640 {
        let key = if index == 640 { side } else { pieces[index / 64][index % 64] };
        if key == 0 {
            return Some(CycleTableError::ZeroKey);
        }
        let mut slot = key as usize % SEEN;
        while seen[slot] != 0 {
            if seen[slot] == key {
                return Some(CycleTableError::EqualKeys);
            }
            slot = (slot + 1) % SEEN;
        }
        seen[slot] = key;
        index += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    type Keys = [[u64; 64]; 10];

    fn keys() -> (Keys, u64) {
        let mut rng = Rng::new(1);
        let keys = core::array::from_fn(|_| core::array::from_fn(|_| rng.next_u64()));
        (keys, rng.next_u64())
    }

    fn from_differences(
        change: impl Fn(usize, Square, Square) -> u64,
        side: u64,
    ) -> Result<CycleTable, CycleTableError> {
        let (keys, _) = keys();
        let difference = |piece: usize, from: Square, to: Square| {
            keys[piece][from.index()] ^ keys[piece][to.index()] ^ change(piece, from, to)
        };
        CycleTable::try_from_differences(difference, side)
    }

    #[test]
    fn differences_give_the_table_of_the_keys() {
        let (keys, side) = keys();
        let table = CycleTable::try_new(&keys, side).unwrap();
        let same = from_differences(|_, _, _| 0, side).unwrap();
        assert_eq!((same.keys, same.squares, same.side), (table.keys, table.squares, side));
    }

    #[test]
    fn one_wrong_difference_is_detected_for_each_piece() {
        let (_, side) = keys();
        for (wrong, first, second) in (0..MOVES).step_by(7).map(move_at) {
            let change = |piece, from, to| u64::from((wrong, first, second) == (piece, from, to));
            let error = from_differences(change, side).unwrap_err();
            assert_eq!(error, CycleTableError::InconsistentDifferences, "{wrong} {first}{second}");
        }
    }

    #[test]
    fn unusable_differences_are_rejected() {
        let (keys, side) = keys();
        let build = |piece: usize, from: Square, difference: u64, side| {
            let (_, corner, next) = move_at(2 * 168 + 2 * 280);
            assert_eq!((corner.index(), next.index()), (0, 1), "the rook's first move");
            let change = |at, first, second| {
                let is_it = (at, first, second) == (piece, from, next);
                if is_it { keys[at][0] ^ keys[at][1] ^ difference } else { 0 }
            };
            from_differences(change, side).unwrap_err()
        };
        let corner = move_at(0).1;
        assert_eq!(build(2, corner, 1, 0), CycleTableError::ZeroKey);
        assert_eq!(build(2, corner, 0, side), CycleTableError::EqualKeys);
        assert_eq!(build(2, corner, side, side), CycleTableError::EqualMoves);
    }
}
