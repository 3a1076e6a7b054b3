//! The cuckoo table: the key difference of every reversible move, found by two looks.

use core::fmt;

use crate::square::{Kind, Square};

/// Twice the moves, so that two hash functions nearly always find an arrangement.
const SLOTS: usize = 8192;

/// Knight 168, bishop 280, rook 448, queen 728 and king 210 pairs of squares, for each colour.
const MOVES: usize = 3668;

/// An insertion that can succeed visits each occupied slot at most twice (once before and once
/// after the chain of evictions turns at a closed loop). A longer walk goes round for ever.
const LONGEST_WALK: usize = 2 * MOVES + 1;

/// The pairs of squares of one colour: kind (as an index of the key array), and both squares.
const PAIRS: [(u8, Square, Square); MOVES / 2] = list_pairs();

/// The key differences of the 3668 reversible moves of chess, each with its two squares.
///
/// Every move of a knight, bishop, rook, queen or king between two squares of the empty board, in
/// both directions at once, stands under the XOR of the two piece keys and the side key: the
/// difference between the position before such a move and the position after it. Two disjoint bit
/// fields of the difference name the only two of 8192 slots where it can lie (cuckoo hashing).
///
/// The table takes 80 KiB (64 KiB of keys, 16 KiB of squares). Make it a `static`, not a `const`:
/// a `const` may be copied wherever it is named.
#[derive(Clone)]
pub struct CycleTable {
    /// 0 marks an empty slot.
    keys: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
    side: u64,
}

impl CycleTable {
    /// Builds the table from an engine's Zobrist keys, at compile time or at run time.
    ///
    /// `pieces` holds the keys of the ten kinds of piece that are not pawns, by square (a1 = 0,
    /// h8 = 63): knight, bishop, rook, queen, king of one colour, then the same of the other.
    /// `side` is the difference that the side to move makes.
    ///
    /// # Panics
    ///
    /// Where [`try_new`](Self::try_new) fails. In a `static` or `const` this is an error of the
    /// build; about one random set of keys in ninety-five has no arrangement and needs another seed.
    ///
    /// ```compile_fail
    /// use koel_cuckoo::CycleTable;
    /// // error: evaluation panicked: koel-cuckoo: a Zobrist key is zero
    /// static TABLE: CycleTable = CycleTable::new(&[[0; 64]; 10], 0);
    /// ```
    #[must_use]
    pub const fn new(pieces: &[[u64; 64]; 10], side: u64) -> Self {
        match Self::try_new(pieces, side) {
            Ok(table) => table,
            Err(CycleTableError::ZeroKey) => panic!("koel-cuckoo: a Zobrist key is zero"),
            Err(CycleTableError::EqualKeys) => panic!("koel-cuckoo: two Zobrist keys are equal"),
            Err(CycleTableError::EqualMoves) => {
                panic!("koel-cuckoo: two moves make the same difference; take another seed")
            }
            Err(CycleTableError::NoArrangement) => {
                panic!("koel-cuckoo: these Zobrist keys have no arrangement; take another seed")
            }
        }
    }

    /// Builds the table, or says why these keys have none. It always ends.
    ///
    /// The arguments are those of [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// [`CycleTableError`], whose variants say what to do about it. `NoArrangement` is given
    /// exactly when no arrangement exists.
    #[expect(clippy::large_stack_arrays, reason = "80 KiB, once, where no heap may be")]
    pub const fn try_new(pieces: &[[u64; 64]; 10], side: u64) -> Result<Self, CycleTableError> {
        if let Some(error) = find_unusable_key(pieces, side) {
            return Err(error);
        }
        let nowhere = [PAIRS[0].1; 2];
        let mut table = Self { keys: [0; SLOTS], squares: [nowhere; SLOTS], side };
        let mut index = 0;
        while index < MOVES {
            let (kind, from, to) = PAIRS[index / 2];
            let keys = &pieces[kind as usize + 5 * (index % 2)];
            let key = keys[from.index()] ^ keys[to.index()] ^ side;
            if key == 0 || table.find(key).is_some() {
                return Err(CycleTableError::EqualMoves);
            }
            if !table.insert(key, [from, to]) {
                return Err(CycleTableError::NoArrangement);
            }
            index += 1;
        }
        Ok(table)
    }

    /// The two squares of the move that makes this difference, in no particular order.
    #[inline]
    pub(crate) const fn find(&self, key: u64) -> Option<[Square; 2]> {
        let [first, second] = slots(key);
        let slot = if self.keys[first] == key { first } else { second };
        // An empty slot holds the key 0, which is no move's.
        if self.keys[slot] == key && key != 0 { Some(self.squares[slot]) } else { None }
    }

    /// What the side to move adds to a key.
    #[inline]
    pub(crate) const fn side(&self) -> u64 {
        self.side
    }

    /// False when the new move and those before it have no arrangement.
    const fn insert(&mut self, mut key: u64, mut squares: [Square; 2]) -> bool {
        let mut slot = slots(key)[0];
        let mut walk = 0;
        while walk < LONGEST_WALK {
            (self.keys[slot], key) = (key, self.keys[slot]);
            (self.squares[slot], squares) = (squares, self.squares[slot]);
            if key == 0 {
                return true;
            }
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
            walk += 1;
        }
        false
    }
}

impl fmt::Debug for CycleTable {
    /// The side key only; 3668 moves help nobody.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CycleTable").field("side", &self.side).finish_non_exhaustive()
    }
}

/// Why a set of Zobrist keys gives no [`CycleTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CycleTableError {
    /// A piece key or the side key is zero: that piece or the turn would be invisible.
    ZeroKey,
    /// Two of the 641 keys are equal: positions that differ would look the same.
    EqualKeys,
    /// Two moves make the same difference, or one makes none: the keys depend on each other.
    EqualMoves,
    /// The keys are sound, but the 3668 moves do not fit into their slots. It happens to about
    /// 1.1 % of random sets of keys (1059 of 100,000 tried); another seed will do.
    NoArrangement,
}

impl fmt::Display for CycleTableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ZeroKey => "a Zobrist key is zero",
            Self::EqualKeys => "two Zobrist keys are equal",
            Self::EqualMoves => "two moves make the same difference of Zobrist keys",
            Self::NoArrangement => "the moves of these Zobrist keys have no cuckoo arrangement",
        })
    }
}

impl core::error::Error for CycleTableError {}

/// Two disjoint bit fields of a good Zobrist key are two independent hash functions.
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
        let kind = (index / 4096) as u8;
        let from = Square::new((index / 64 % 64) as u8).expect("below 64");
        let to = Square::new((index % 64) as u8).expect("below 64");
        if from.index() < to.index() && Kind::ALL[kind as usize].joins(from, to) {
            pairs[count] = (kind, from, to);
            count += 1;
        }
        index += 1;
    }
    assert!(count == MOVES / 2, "chess has 1834 reversible moves a colour");
    pairs
}

/// Looks for a zero or a second copy among the 641 keys, with a small open hash table.
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
