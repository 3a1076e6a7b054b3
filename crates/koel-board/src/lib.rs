#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod collector;
mod convert;
mod epd;
mod exchange;
mod faulty_fen;
mod fen;
mod fen_error;
mod game;
mod generate;
mod key;
mod legality;
mod move_list;
mod moves;
mod notation;
mod observer;
mod outcome;
pub mod perft;
mod play;
mod position;
mod rays;
mod see;
#[cfg(feature = "serde")]
mod serde;
mod sliders;
mod threats;

pub use epd::{Epd, EpdError, Operation};
pub use fen::START_FEN;
pub use fen_error::{FenError, MAX_CLOCK, PlacementError};
pub use game::{Game, IllegalMove};
pub use key::{Key, Keys, Zobrist, role_index};
pub use move_list::{MAX_MOVES, MoveList};
pub use moves::{Move, MoveKind};
pub use notation::{CastlingNotation, ParseMoveError};
pub use observer::Observer;
pub use outcome::{DrawReason, FIFTY_MOVE_PLIES, Outcome};
pub use position::Position;
pub use see::SeeValues;
pub use threats::Threats;
// Part of the public interface: conversions, errors and attack tables name its types.
pub use shakmaty;
pub use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Square, attacks};
