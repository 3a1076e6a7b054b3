//! Exact reasoning about cycles in chess, for any engine and any board.
//!
//! Two questions cost a search much when they are asked by trying moves, and next to nothing when
//! they are asked of Zobrist keys:
//!
//! * *Which move brings a position back?* [`CycleTable`] knows the key difference of each of the
//!   3668 reversible moves. With it, [`CycleTable::upcoming_repetition`] finds a move into an
//!   earlier position, and [`CycleTable::no_progress`] an earlier position that leads here in one
//!   move, so that the play between came to nothing. Both equal brute force over the legal moves.
//! * *Has it been here before?* [`KeyHistory`] keeps the keys of the game and of the line that is
//!   searched; a [`RepetitionFilter`] in front of its scan answers "never" from two counters.
//!
//! The crate knows no board. It wants a key for each position and a [`Timeline`] that answers
//! three questions of the game; what a cycle is worth is for the search to say.
//!
//! # What the keys must promise
//!
//! Everything rests on "equal keys, equal positions", up to the chance of a 64-bit collision:
//!
//! * the key is the XOR of one number a piece and square, of the side key when one of the two
//!   sides is to move, of the castling rights and of the en-passant file;
//! * **en passant counts only when such a capture is legal**, otherwise the first position of a
//!   cycle that begins with a double push is never recognised;
//! * a lost castling right changes the key;
//! * a null move changes the key by the side key (and drops en passant).
//!
//! # Example
//!
#![cfg_attr(feature = "alloc", doc = "```")]
#![cfg_attr(not(feature = "alloc"), doc = "```ignore")]
//! use koel_cuckoo::{CycleTable, ZobristKey, KeyHistory};
//! # const fn mix(seed: u64) -> u64 {
//! #     let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
//! #     z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
//! #     z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
//! #     z ^ (z >> 31)
//! # }
//! # const fn zobrist() -> [[u64; 64]; 10] {
//! #     let mut keys = [[0; 64]; 10];
//! #     let mut index = 0;
//! #     while index < 640 {
//! #         keys[index / 64][index % 64] = mix(index as u64 + 1);
//! #         index += 1;
//! #     }
//! #     keys
//! # }
//! # const SIDE: u64 = mix(1000);
//! const KEYS: [[u64; 64]; 10] = zobrist(); // your engine's
//! static TABLE: CycleTable = CycleTable::new(&KEYS, SIDE);
//!
//! // White king a1, black king h8: Ka1-b1, Kh8-g8, Kb1-a1.
//! let (a1, b1, g8, h8) = (KEYS[4][0], KEYS[4][1], KEYS[9][62], KEYS[9][63]);
//! let mut history = KeyHistory::new(ZobristKey(a1 ^ h8), 256);
//! for key in [b1 ^ h8 ^ SIDE, b1 ^ g8, a1 ^ g8 ^ SIDE] {
//!     history.push(ZobristKey(key), true);
//! }
//!
//! // Black can step back to h8, into the first position of the line.
//! let now = history.with_occupied(1 << 0 | 1 << 62);
//! let cycle = TABLE.upcoming_repetition(&now, |plies| history.return_is_draw(plies, 4)).unwrap();
//! assert_eq!((cycle.plies, cycle.from.index(), cycle.to.index()), (3, 62, 63));
//! // Had the search begun there, one return would not be a draw yet.
//! assert!(TABLE.upcoming_repetition(&now, |plies| history.return_is_draw(plies, 3)).is_none());
//! ```
//!
//! # Sources
//!
//! * M. N. J. van Kervinck, "The design and implementation of upcoming repetition detection"
//!   (2013, `upcoming-rep-v2.pdf`): the cuckoo table of moves and the test of the other side's
//!   army.
//! * T. Truscott: the no-progress bound, a position reached later than it could have been.
//! * The counting table in front of the scan: Gerbil (B. Moreland), Rookie and iCE.

#![no_std]
#![cfg_attr(not(feature = "alloc"), allow(rustdoc::broken_intra_doc_links))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod cycle;
mod filter;
#[cfg(feature = "alloc")]
mod history;
mod key;
mod square;
mod table;

pub use cycle::{Cycle, Timeline};
pub use filter::{FilterCounts, RepetitionFilter};
#[cfg(feature = "alloc")]
pub use history::{KeyHistory, KeyTimeline};
pub use key::ZobristKey;
pub use square::Square;
pub use table::{CycleTable, CycleTableError};
