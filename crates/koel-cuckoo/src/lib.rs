//! Repetition and upcoming-repetition detection for chess engines, on Zobrist keys alone.
//!
//! * **Upcoming repetition**: [`CycleTable`] is a cuckoo hash table with the key difference of each
//!   of the 3668 reversible moves of chess. [`CycleTable::upcoming_repetition`] finds a move into
//!   an earlier position, [`CycleTable::no_progress`] an earlier position from which one move leads
//!   to the current one. Both give the same results as trying every legal move.
//! * **Repetition**: [`KeyStack`] holds the keys of the game and of the current search line. A
//!   counting Bloom filter, [`RepetitionFilter`], saves nearly every scan of it.
//!
//! The crate works with any board representation. It needs the key of each position and its
//! occupied squares; [`KeyStack`] keeps the keys, or a history of your own implements
//! [`Timeline`], a trait with three methods. The score of a cycle is up to the search.
//!
//! # Requirements on the keys
//!
//! Equal keys have to mean equal positions, up to collisions of 64-bit keys:
//!
//! * the key is the XOR of one number for each piece on its square, of the side key if one of the
//!   two sides is to move, of the castling rights and of the en-passant file;
//! * **en passant is part of the key only if such a capture is legal**; otherwise the first
//!   position of a cycle after a double push is never recognised;
//! * the loss of a castling right changes the key;
//! * a null move changes the key by the side key (and clears en passant);
//! * no key recurs after two plies, except by null moves: a repetition is looked for from the
//!   fourth ply on, and an upcoming one from the third. In chess that holds, as no side can pass.
//!
//! # Example
//!
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![cfg_attr(feature = "alloc", doc = "```")]
#![cfg_attr(not(feature = "alloc"), doc = "```ignore")]
//! use koel_cuckoo::{CycleTable, ZobristKey, KeyStack};
//! # const fn zobrist() -> [[u64; 64]; 10] {
//! #     let mut rng = koel_random::Rng::new(1);
//! #     let mut keys = [[0; 64]; 10];
//! #     let mut index = 0;
//! #     while index < 640 {
//! #         keys[index / 64][index % 64] = rng.next_u64();
//! #         index += 1;
//! #     }
//! #     keys
//! # }
//! # const SIDE: u64 = koel_random::Rng::new(2).next_u64();
//! const KEYS: [[u64; 64]; 10] = zobrist(); // the keys of the engine
//! static TABLE: CycleTable = CycleTable::new(&KEYS, SIDE);
//!
//! // White king a1, black king h8: Ka1-b1, Kh8-g8, Kb1-a1.
//! let (a1, b1, g8, h8) = (KEYS[4][0], KEYS[4][1], KEYS[9][62], KEYS[9][63]);
//! let mut history = KeyStack::new(ZobristKey(a1 ^ h8), 256);
//! for key in [b1 ^ h8 ^ SIDE, b1 ^ g8, a1 ^ g8 ^ SIDE] {
//!     history.push(ZobristKey(key), true);
//! }
//!
//! // Black can return to h8, into the first position of the line.
//! let occupied = 1 << 0 | 1 << 62;
//! let cycle = history.upcoming_repetition(&TABLE, occupied, 4).unwrap();
//! assert_eq!((cycle.plies, cycle.from.index(), cycle.to.index()), (3, 62, 63));
//! // If that position is the root of the search, a single return is not a draw.
//! assert!(history.upcoming_repetition(&TABLE, occupied, 3).is_none());
//! ```
//!
//! # Sources
//!
//! * M. N. J. van Kervinck, "The design and implementation of upcoming repetition detection"
//!   (2013, `upcoming-rep-v2.pdf`): the cuckoo table of moves and the test that the other side's
//!   pieces are back.
//! * T. Truscott: the no-progress bound, a position reached later than necessary.
//! * The counting table in front of the scan: Gerbil (B. Moreland), Rookie and iCE.

#![no_std]
#![cfg_attr(not(feature = "alloc"), allow(rustdoc::broken_intra_doc_links))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod cycle;
mod filter;
mod key;
#[cfg(feature = "alloc")]
mod key_stack;
mod square;
mod table;

pub use cycle::{Cycle, Timeline};
pub use filter::{FilterCounts, RepetitionFilter};
pub use key::ZobristKey;
#[cfg(feature = "alloc")]
pub use key_stack::{KeyStack, KeyTimeline, Repetition};
pub use square::Square;
pub use table::{CycleTable, CycleTableError};

/// Compiles and runs the example of the README.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
pub struct ReadmeExample;
